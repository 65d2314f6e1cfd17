#include "weft/report/network_drawing.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "weft/report/text.h"

namespace weft::report {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::LinkId;

constexpr std::size_t kMostSwitches = 12;  // of a row, when all are drawn
constexpr std::size_t kLeavesBesideRest = 8;
constexpr std::size_t kSwitchesBesideRest = 4;

Row row_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::leaf:
      return Row::leaves;
    case DeviceKind::spine:
      return Row::spines;
    case DeviceKind::core:
      return Row::cores;
    case DeviceKind::management:
      return Row::management;
    default:
      return Row::servers;
  }
}

std::string plural_of(Row row) {
  switch (row) {
    case Row::leaves:
      return "leaves";
    case Row::spines:
      return "spines";
    case Row::cores:
      return "cores";
    case Row::management:
      return "management switches";
    case Row::servers:
      break;
  }
  return "servers";
}

// Everything that makes two servers look the same in a drawing; the first server of a kind pays for the comparison.
std::string fingerprint(const Fabric& fabric, std::uint32_t server) {
  const fabric::Server& s = fabric.servers()[server];
  std::string text = s.part + '|';
  for (std::uint32_t i = 0; i < s.devices; ++i) {
    const DeviceId id(s.first.value() + i);
    text +=
        std::to_string(static_cast<int>(fabric.device(id).kind)) + '.' + std::to_string(fabric.device(id).model) + ':';
    for (const LinkId link : fabric.links_from(id)) {
      const DeviceId to = fabric.link(link).to;
      const bool inside = fabric.device(to).server == server;
      text += (inside ? std::to_string(to.value() - s.first.value()) : "net") + 'x' +
              std::to_string(fabric.link(link).count) + '/' + std::to_string(fabric.link(link).technology) + ',';
    }
  }
  return text;
}

class Picture {
 public:
  Picture(const Fabric& fabric, std::size_t most_servers) : fabric_(fabric), most_servers_(most_servers) {
    node_of_server_.resize(fabric.servers().size());
  }

  NetworkPicture run() {
    servers();
    for (const DeviceKind kind : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core, DeviceKind::management}) {
      switches(kind);
    }
    edges();
    return std::move(picture_);
  }

 private:
  void servers() {
    for (const ServerKind& kind : server_kinds(fabric_)) {
      const std::size_t shown = kind.servers.size() <= most_servers_ + 1 ? kind.servers.size() : most_servers_;
      for (std::size_t i = 0; i < shown; ++i) {
        node_of_server_[kind.servers[i]] = picture_.nodes.size();
        NetworkNode node;
        node.server = kind.servers[i];
        node.title = "server" + std::to_string(kind.servers[i]);
        picture_.nodes.push_back(std::move(node));
      }
      if (shown == kind.servers.size()) continue;
      NetworkNode rest;
      rest.is_rest = true;
      rest.stands_for = kind.servers.size() - shown;
      rest.server = kind.servers[shown];
      rest.title =
          std::to_string(rest.stands_for) + " more" + (kind.part.empty() ? " servers" : " \xc3\x97 " + kind.part);
      rest.detail =
          "server" + std::to_string(kind.servers[shown]) + " \xe2\x80\xa6 server" + std::to_string(kind.servers.back());
      for (std::size_t i = shown; i < kind.servers.size(); ++i)
        node_of_server_[kind.servers[i]] = picture_.nodes.size();
      picture_.nodes.push_back(std::move(rest));
    }
  }

  // Switches next to what is drawn already come first.
  [[nodiscard]] std::vector<DeviceId> shown_of(const std::vector<DeviceId>& all) const {
    if (all.size() <= kMostSwitches) return all;
    std::vector<DeviceId> near;
    std::vector<DeviceId> far;
    for (const DeviceId id : all) (touches_drawn(id) ? near : far).push_back(id);
    near.insert(near.end(), far.begin(), far.end());
    near.resize(row_of(fabric_.device(all.front()).kind) == Row::leaves ? kLeavesBesideRest : kSwitchesBesideRest);
    std::sort(near.begin(), near.end());
    return near;
  }

  [[nodiscard]] bool touches_drawn(DeviceId id) const {
    const auto links = fabric_.links_from(id);
    return std::any_of(links.begin(), links.end(), [&](LinkId link) {
      const DeviceId to = fabric_.link(link).to;
      const std::uint32_t server = fabric_.device(to).server;
      if (server != fabric::Device::kNoServer) return !picture_.nodes[node_of_server_[server]].is_rest;
      const auto found = node_of_switch_.find(to);
      return found != node_of_switch_.end() && !picture_.nodes[found->second].is_rest;
    });
  }

  void switches(DeviceKind kind) {
    const std::vector<DeviceId> all = fabric_.devices_of(kind);
    const std::vector<DeviceId> shown = shown_of(all);
    for (const DeviceId id : shown) {
      node_of_switch_[id] = picture_.nodes.size();
      NetworkNode node;
      node.row = row_of(kind);
      node.device = id;
      const std::string& known_as = fabric_.operator_name(id);
      node.title = known_as.empty() ? fabric_.name(id) : known_as;
      node.detail = known_as.empty() ? "" : fabric_.name(id);
      if (const std::string& part = fabric_.model(id).part; !part.empty()) {
        node.detail += (node.detail.empty() ? "" : " \xc2\xb7 ") + part;
      }
      picture_.nodes.push_back(std::move(node));
    }
    if (shown.size() == all.size()) return;
    NetworkNode rest;
    rest.row = row_of(kind);
    rest.is_rest = true;
    rest.stands_for = all.size() - shown.size();
    rest.title = std::to_string(rest.stands_for) + " more";
    rest.detail = plural_of(rest.row);
    for (const DeviceId id : all) node_of_switch_.emplace(id, picture_.nodes.size());
    picture_.nodes.push_back(std::move(rest));
  }

  [[nodiscard]] std::size_t node_of(DeviceId id) const {
    const std::uint32_t server = fabric_.device(id).server;
    return server == fabric::Device::kNoServer ? node_of_switch_.at(id) : node_of_server_[server];
  }

  void edges() {
    std::map<std::tuple<std::size_t, std::size_t, DeviceId, std::uint16_t>, std::size_t> known;
    for (std::size_t i = 0; i < fabric_.link_count(); i += 2) {
      const LinkId link(i);
      DeviceId low = fabric_.link(link).from;
      DeviceId high = fabric_.link(link).to;
      if (fabric_.device(low).server == fabric_.device(high).server &&
          fabric_.device(low).server != fabric::Device::kNoServer) {
        continue;  // inside a server
      }
      std::size_t a = node_of(low);
      std::size_t b = node_of(high);
      const auto key = [&](std::size_t n) { return std::make_pair(picture_.nodes[n].row, n); };
      if (key(b) < key(a)) {
        std::swap(a, b);
        std::swap(low, high);
      }
      // The management row is drawn below the servers, yet its cables leave from them.
      if (picture_.nodes[a].row == Row::management && picture_.nodes[b].row == Row::servers) {
        std::swap(a, b);
        std::swap(low, high);
      }
      const bool from_one_server = picture_.nodes[a].row == Row::servers && !picture_.nodes[a].is_rest;
      const DeviceId port = from_one_server ? low : DeviceId::none();
      const auto [at, added] =
          known.emplace(std::make_tuple(a, b, port, fabric_.link(link).technology), picture_.edges.size());
      if (added) picture_.edges.push_back({a, b, port, link, 0, 0});
      ++picture_.edges[at->second].cables;
      picture_.edges[at->second].units += fabric_.link(link).count;
    }
  }

  const Fabric& fabric_;
  std::size_t most_servers_;
  NetworkPicture picture_;
  std::vector<std::size_t> node_of_server_;
  std::map<DeviceId, std::size_t> node_of_switch_;
};

}  // namespace

NetworkPicture network_picture(const Fabric& fabric, std::size_t most_servers) {
  return Picture(fabric, most_servers).run();
}

std::vector<ServerKind> server_kinds(const Fabric& fabric) {
  std::vector<ServerKind> kinds;
  std::map<std::string, std::size_t> known;
  for (std::uint32_t server = 0; server < fabric.servers().size(); ++server) {
    const auto [at, added] = known.emplace(fingerprint(fabric, server), kinds.size());
    if (added) kinds.push_back({fabric.servers()[server].part, {}});
    kinds[at->second].servers.push_back(server);
  }
  return kinds;
}

}  // namespace weft::report
