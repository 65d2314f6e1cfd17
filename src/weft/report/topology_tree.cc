#include "weft/report/topology_tree.h"

#include <algorithm>
#include <map>
#include <span>

#include "weft/base/printable.h"
#include "weft/report/host_tree.h"
#include "weft/report/link_look.h"
#include "weft/report/network_drawing.h"
#include "weft/report/topology_svg.h"
#include "weft/units/text.h"

namespace weft::report {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::LinkId;

constexpr std::size_t kRunShown = 4;      // alike neighbours up to here are all shown
constexpr std::size_t kMostNames = 6;     // in a list of names
constexpr std::size_t kMostSwitches = 8;  // of a kind, listed one by one
constexpr std::string_view kTo = " \xe2\x80\xa6 ";

std::string plural_of(DeviceKind kind, std::size_t n) {
  switch (kind) {
    case DeviceKind::nic:
      return n == 1 ? "NIC" : "NICs";
    case DeviceKind::leaf:
      return n == 1 ? "leaf" : "leaves";
    case DeviceKind::management:
      return n == 1 ? "management switch" : "management switches";
    case DeviceKind::cpu:
      return n == 1 ? "server" : "servers";  // a management port is the server's
    default:
      return std::string(name_of(kind)) + (n == 1 ? "" : "s");
  }
}

std::string local_name(const Fabric& fabric, DeviceId id) {
  return std::string(name_of(fabric.device(id).kind)) + std::to_string(fabric.device(id).index);
}

std::string with_operator_name(const Fabric& fabric, DeviceId id, const std::string& text) {
  const std::string& name = fabric.operator_name(id);
  return name.empty() ? text : text + " [" + printable(name) + ']';
}

std::string link_text(const Fabric& fabric, LinkId link) {
  const fabric::Technology& technology = fabric.technology(link);
  const int count = fabric.link(link).count;
  return (count > 1 ? std::to_string(count) + " x " : "") + printable(technology.id) + ' ' +
         rate_text(technology, technology.line * count);
}

// Lines of a tree with the branches drawn in front.
class Lines {
 public:
  void add(const std::string& front, bool last, const std::string& text) {
    out_ += front + (last ? "\xe2\x94\x94\xe2\x94\x80 " : "\xe2\x94\x9c\xe2\x94\x80 ") + text + '\n';
  }
  static std::string deeper(const std::string& front, bool last) { return front + (last ? "   " : "\xe2\x94\x82  "); }
  void plain(const std::string& text) { out_ += text + '\n'; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

class Tree {
 public:
  explicit Tree(const Fabric& fabric) : fabric_(fabric) {}

  std::string run(std::string_view title) {
    lines_.plain(printable(title) + ": " + fabric_summary(fabric_));
    for (const ServerKind& kind : server_kinds(fabric_)) server(kind);
    network();
    return lines_.take();
  }

 private:
  void server(const ServerKind& kind) {
    const std::uint32_t first = kind.servers.front();
    const std::string part = kind.part.empty() ? "server" : printable(kind.part);
    lines_.plain("");
    if (kind.servers.size() == 1) {
      lines_.plain("server" + std::to_string(first) + ": " + part + rack_text(kind));
    } else {
      lines_.plain(std::to_string(kind.servers.size()) + " x " + part + " (server" + std::to_string(first) +
                   std::string(kTo) + "server" + std::to_string(kind.servers.back()) + ')' + rack_text(kind) +
                   ", each:");
    }
    HostTree tree = host_tree(fabric_, first);
    std::vector<HostNode> tops = tree.sockets;
    tops.insert(tops.end(), tree.loose.begin(), tree.loose.end());
    const std::vector<std::string> extra = extras(first, tree);
    nodes(tops, "", extra.empty(), kind.servers.size() == 1);
    for (std::size_t i = 0; i < extra.size(); ++i) lines_.add("", i + 1 == extra.size(), extra[i]);
  }

  [[nodiscard]] std::string rack_text(const ServerKind& kind) const {
    if (fabric_.rack_count() < 2) return "";
    std::map<std::uint32_t, std::size_t> racks;
    for (const std::uint32_t server : kind.servers) ++racks[fabric_.servers()[server].rack];
    if (racks.size() == 1) return ", rack " + std::to_string(racks.begin()->first);
    return ", " + std::to_string(racks.size()) + " racks";
  }

  // What is said of the whole server: links between sockets, the GPU fabric, missing abilities.
  [[nodiscard]] std::vector<std::string> extras(std::uint32_t server, const HostTree& tree) const {
    std::vector<std::string> out;
    if (!tree.socket_links.empty()) {
      const std::size_t n = tree.socket_links.size();
      out.push_back("between sockets: " + link_text(fabric_, tree.socket_links.front()) +
                    (n > 1 ? " (" + std::to_string(n) + " pairs)" : ""));
    }
    if (const std::string text = peer_cap(server); !text.empty()) out.push_back(text);
    if (const std::string text = gpu_fabric(server); !text.empty()) out.push_back(text);
    const fabric::Server& s = fabric_.servers()[server];
    if (!s.peer_to_peer && s.gpus > 1)
      out.emplace_back("no PCIe peer-to-peer: GPUs reach each other through host memory");
    if (!s.gpudirect_rdma && s.gpus > 0 && s.nics > 0) {
      out.emplace_back("no GPUDirect RDMA: NICs reach GPU memory through host memory");
    }
    return out;
  }

  // The least that a root complex lets pass between its devices.
  [[nodiscard]] std::string peer_cap(std::uint32_t server) const {
    Rate least;
    for (const DeviceId root : fabric_.devices_of(DeviceKind::root_complex, server)) {
      const Rate cap = fabric_.model(root).port_cap;
      if (cap.count() > 0 && (least.count() == 0 || cap < least)) least = cap;
    }
    if (least.count() == 0) return "";
    return "PCIe peer-to-peer through a root complex: " + human_bytes(least) + " per direction, all pairs together";
  }

  [[nodiscard]] std::string gpu_fabric(std::uint32_t server) const {
    const std::vector<DeviceId> switches = fabric_.devices_of(DeviceKind::nvswitch, server);
    int links = 0;
    Rate rate;
    std::string technology;
    std::size_t pairs = 0;
    const std::vector<DeviceId> gpus = fabric_.devices_of(DeviceKind::gpu, server);
    for (const DeviceId gpu : gpus) {
      int own = 0;
      Rate sum;
      for (const LinkId link : fabric_.links_from(gpu)) {
        if (!is_gpu_fabric(fabric_.technology(link).link_class)) continue;
        own += fabric_.link(link).count;
        sum += fabric_.line_rate(link);
        technology = fabric_.technology(link).id;
        if (fabric_.device(fabric_.link(link).to).kind == DeviceKind::gpu) ++pairs;
      }
      if (own > links) {
        links = own;
        rate = sum;
      }
    }
    if (links == 0) return "";
    std::string text =
        "GPU to GPU: " + std::to_string(links) + " x " + printable(technology) + " a GPU, " + human_both(rate);
    if (!switches.empty()) {
      const std::string& part = fabric_.model(switches.front()).part;
      text += ", through " + std::to_string(switches.size()) + " x " + (part.empty() ? "nvswitch" : printable(part));
    } else {
      text += ", direct between " + std::to_string(pairs / 2) + (pairs == 2 ? " pair" : " pairs");
    }
    return text;
  }

  // A root complex with one switch, and a switch with one switch, share its line: "root0, pcisw0".
  [[nodiscard]] const HostNode& below_chain(const HostNode& node, std::string& names, bool own_names) const {
    const HostNode* at = &node;
    names = name_text(at->id, own_names);
    while (at->children.size() == 1 && is_bridge(at->id) &&
           fabric_.device(at->children.front().id).kind == DeviceKind::pcie_switch) {
      at = &at->children.front();
      names += ", " + name_text(at->id, own_names);
    }
    return *at;
  }

  [[nodiscard]] bool is_bridge(DeviceId id) const {
    const DeviceKind kind = fabric_.device(id).kind;
    return kind == DeviceKind::root_complex || kind == DeviceKind::pcie_switch;
  }

  // Names of the operator belong to one server: not to a line that stands for several.
  [[nodiscard]] std::string name_text(DeviceId id, bool own_names) const {
    const std::string name = local_name(fabric_, id);
    return own_names ? with_operator_name(fabric_, id, name) : name;
  }

  [[nodiscard]] std::string node_text(const std::string& names, const HostNode& node, bool one_server) const {
    std::string text = names;
    if (const std::string& part = fabric_.model(node.id).part; !part.empty()) text += "  " + printable(part);
    const bool on_die = node.up.valid() && fabric_.device(node.id).kind == DeviceKind::root_complex;
    if (node.up.valid() && !on_die) text += "  " + link_text(fabric_, node.up);
    for (const LinkId link : fabric_.links_from(node.id)) {
      const DeviceId to = fabric_.link(link).to;
      if (!is_network_switch(fabric_.device(to).kind)) continue;
      const std::string peer = with_operator_name(fabric_, to, fabric_.name(to));
      text += "  \xe2\x86\x92 " + link_text(fabric_, link) + " to " +
              (one_server ? peer : "a " + plural_of(fabric_.device(to).kind, 1));
    }
    return text;
  }

  // Siblings; a long run of alike ones is shown by its first.
  void nodes(const std::vector<HostNode>& siblings, const std::string& front, bool closes, bool one_server) {
    std::vector<std::string> shapes;
    shapes.reserve(siblings.size());
    for (const HostNode& node : siblings) shapes.push_back(shape_of(fabric_, node));
    for (std::size_t i = 0; i < siblings.size();) {
      std::size_t end = i;
      while (end < siblings.size() && shapes[end] == shapes[i]) ++end;
      const bool fold = end - i > kRunShown;
      const std::size_t shown = fold ? i + 1 : end;
      for (std::size_t n = i; n < shown; ++n) {
        const bool last = closes && n + 1 == siblings.size();
        std::string names;
        const HostNode& node = below_chain(siblings[n], names, one_server);
        lines_.add(front, last, node_text(names, node, one_server));
        nodes(node.children, Lines::deeper(front, last), true, one_server);
      }
      if (fold) {
        lines_.add(front, closes && end == siblings.size(),
                   std::to_string(end - shown) + " more alike: " + local_name(fabric_, siblings[shown].id) +
                       std::string(kTo) + local_name(fabric_, siblings[end - 1].id));
      }
      i = end;
    }
  }

  // Where the links of a switch lead: "16 x ib-ndr to NICs, 8 x ib-ndr to each of 2 spines".
  [[nodiscard]] std::string peers_of(DeviceId id, bool by_name) const {
    struct Group {
      std::size_t devices = 0;
      std::int64_t units = 0;
      std::vector<DeviceId> first;
    };
    std::map<std::pair<DeviceKind, std::uint16_t>, Group> groups;
    for (const LinkId link : fabric_.links_from(id)) {
      const auto& l = fabric_.link(link);
      Group& group = groups[{fabric_.device(l.to).kind, l.technology}];
      ++group.devices;
      group.units += l.count;
      if (group.first.size() <= kMostNames) group.first.push_back(l.to);
    }
    std::string text;
    for (const auto& [key, group] : groups) {
      text += text.empty() ? "" : "; ";
      text += std::to_string(group.units) + " x " + printable(fabric_.technologies()[key.second].id) + " to ";
      if (by_name && group.devices <= kMostNames) {
        for (std::size_t i = 0; i < group.first.size(); ++i) {
          text += (i > 0 ? ", " : "") + with_operator_name(fabric_, group.first[i], fabric_.name(group.first[i]));
        }
      } else {
        text += std::to_string(group.devices) + ' ' + plural_of(key.first, group.devices);
      }
    }
    return text.empty() ? "not cabled" : text;
  }

  void network() {
    bool headed = false;
    std::vector<std::pair<DeviceKind, std::vector<DeviceId>>> rows;
    for (const DeviceKind kind : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core, DeviceKind::management}) {
      std::vector<DeviceId> all = fabric_.devices_of(kind);
      if (!all.empty()) rows.emplace_back(kind, std::move(all));
    }
    for (const auto& [kind, all] : rows) {
      if (!headed) {
        lines_.plain("");
        lines_.plain("network");
        headed = true;
      }
      const bool last_kind = kind == rows.back().first;
      if (all.size() <= kMostSwitches) {
        for (const DeviceId id : all) switch_line(id, last_kind && id == all.back());
      } else {
        const std::string& part = fabric_.model(all.front()).part;
        lines_.add("", last_kind,
                   std::to_string(all.size()) + " x " + std::string(name_of(kind)) + " (" + fabric_.name(all.front()) +
                       std::string(kTo) + fabric_.name(all.back()) + ')' +
                       (part.empty() ? "" : "  " + printable(part)) + "  " + fabric_.name(all.front()) + ": " +
                       peers_of(all.front(), false));
      }
    }
  }

  void switch_line(DeviceId id, bool last) {
    const std::string& part = fabric_.model(id).part;
    lines_.add("", last,
               with_operator_name(fabric_, id, fabric_.name(id)) + (part.empty() ? "" : "  " + printable(part)) + "  " +
                   peers_of(id, true));
  }

  const Fabric& fabric_;
  Lines lines_;
};

}  // namespace

std::string topology_tree(const Fabric& fabric, std::string_view title) { return Tree(fabric).run(title); }

}  // namespace weft::report
