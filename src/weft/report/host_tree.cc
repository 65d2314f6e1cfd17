#include "weft/report/host_tree.h"

#include <algorithm>
#include <deque>

namespace weft::report {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::LinkId;

constexpr int kDeepest = 8;

struct Found {
  DeviceId parent;
  LinkId up;
  int depth = 0;
  bool seen = false;
};

class Search {
 public:
  Search(const Fabric& fabric, std::uint32_t server) : fabric_(fabric), server_(server) {
    const fabric::Server& s = fabric.servers()[server];
    first_ = s.first.index();
    found_.resize(s.devices);
    children_.resize(s.devices);
  }

  HostTree run() {
    HostTree tree;
    std::vector<DeviceId> cpus;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (kind(id_at(i)) == DeviceKind::cpu) cpus.push_back(id_at(i));
    }
    spread(cpus, tree.socket_links);
    for (const DeviceId cpu : cpus) tree.sockets.push_back(node_of(cpu));
    for (const DeviceKind top : {DeviceKind::root_complex, DeviceKind::pcie_switch, DeviceKind::gpu, DeviceKind::nic}) {
      for (std::size_t i = 0; i < found_.size(); ++i) {
        const DeviceId id = id_at(i);
        if (found_[i].seen || kind(id) != top) continue;
        spread({id}, tree.socket_links);
        tree.loose.push_back(node_of(id));
      }
    }
    return tree;
  }

 private:
  [[nodiscard]] DeviceId id_at(std::size_t i) const { return DeviceId(first_ + i); }
  [[nodiscard]] DeviceKind kind(DeviceId id) const { return fabric_.device(id).kind; }
  [[nodiscard]] Found& found(DeviceId id) { return found_[id.index() - first_]; }

  void spread(const std::vector<DeviceId>& tops, std::vector<LinkId>& socket_links) {
    std::deque<DeviceId> queue(tops.begin(), tops.end());
    for (const DeviceId top : tops) found(top).seen = true;
    while (!queue.empty()) {
      const DeviceId at = queue.front();
      queue.pop_front();
      const bool passes = kind(at) != DeviceKind::gpu && kind(at) != DeviceKind::nic;
      if (!passes && found(at).depth > 0) continue;
      for (const LinkId link : fabric_.links_from(at)) {
        const DeviceId to = fabric_.link(link).to;
        if (fabric_.device(to).server != server_ || is_gpu_fabric(fabric_.technology(link).link_class)) continue;
        if (kind(to) == DeviceKind::nvswitch) continue;
        if (kind(at) == DeviceKind::cpu && kind(to) == DeviceKind::cpu) {
          if (at < to) socket_links.push_back(link);
          continue;
        }
        if (found(to).seen) continue;
        const bool deep = found(at).depth >= kDeepest;
        found(to) = {deep ? found(at).parent : at, fabric_.reverse(link), deep ? kDeepest : found(at).depth + 1, true};
        children_[found(to).parent.index() - first_].push_back(to);
        queue.push_back(to);
      }
    }
  }

  HostNode node_of(DeviceId id) {
    HostNode node{id, found(id).up, {}};
    for (const DeviceId child : children_[id.index() - first_]) node.children.push_back(node_of(child));
    return node;
  }

  const Fabric& fabric_;
  std::uint32_t server_;
  std::size_t first_ = 0;
  std::vector<Found> found_;
  std::vector<std::vector<DeviceId>> children_;
};

}  // namespace

HostTree host_tree(const Fabric& fabric, std::uint32_t server) { return Search(fabric, server).run(); }

HostNode without_chains(const Fabric& fabric, HostNode node) {
  for (HostNode& child : node.children) child = without_chains(fabric, std::move(child));
  const DeviceKind kind = fabric.device(node.id).kind;
  const bool bridge = kind == DeviceKind::root_complex || kind == DeviceKind::pcie_switch;
  const bool chain =
      bridge && node.children.size() == 1 && fabric.device(node.children.front().id).kind == DeviceKind::pcie_switch;
  if (!chain) return node;
  HostNode only = std::move(node.children.front());
  return only;
}

std::string shape_of(const Fabric& fabric, const HostNode& node) {
  const auto& device = fabric.device(node.id);
  std::string text = std::string(name_of(device.kind)) + '/' + std::to_string(device.model);
  if (node.up.valid()) {
    text += '/' + std::to_string(fabric.link(node.up).technology) + 'x' + std::to_string(fabric.link(node.up).count);
  }
  for (const HostNode& child : node.children) text += '(' + shape_of(fabric, child) + ')';
  return text;
}

}  // namespace weft::report
