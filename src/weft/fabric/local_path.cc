#include "weft/fabric/local_path.h"

#include <algorithm>
#include <array>
#include <vector>

namespace weft::fabric {
namespace {

bool same_server(const Fabric& fabric, DeviceId a, DeviceId b) {
  return fabric.device(a).server == fabric.device(b).server && fabric.device(a).server != Device::kNoServer;
}

bool is_bus(LinkClass link_class) {
  return link_class == LinkClass::pcie || link_class == LinkClass::cpu_bus || link_class == LinkClass::c2c;
}

bool passes_bus_traffic(DeviceKind kind) {
  return kind == DeviceKind::pcie_switch || kind == DeviceKind::root_complex || kind == DeviceKind::cpu;
}

// Adds one more of several parallel ways to a hop.
void widen(Hop& hop, const Hop& other) {
  if (!hop.link.valid()) {
    hop = other;
    return;
  }
  ++hop.ways;
  hop.state.line += other.state.line;
  hop.state.goodput += other.state.goodput;
  hop.latency = std::max(hop.latency, other.latency);
  hop.through_cap = Rate(0);
}

// Both hops of one way carry what the narrower of them carries.
void level(Hop& first, Hop& second) {
  const Rate line = std::min(first.state.line, second.state.line);
  const Rate goodput = std::min(first.state.goodput, second.state.goodput);
  first.state.line = second.state.line = line;
  first.state.goodput = second.state.goodput = goodput;
}

std::vector<Hop> gpu_fabric_hops(const Fabric& fabric, DeviceId from, const Conditions& conditions,
                                 DeviceKind to_kind) {
  std::vector<Hop> hops;
  for (const LinkId id : fabric.links_from(from)) {
    if (!catalog::is_gpu_fabric(fabric.technology(id).link_class)) continue;
    if (fabric.device(fabric.link(id).to).kind != to_kind) continue;
    const Hop hop = make_hop(fabric, conditions, id);
    if (hop.state.up) hops.push_back(hop);
  }
  return hops;
}

std::optional<Hop> direct_hop(const Fabric& fabric, const Conditions& conditions, DeviceId from, DeviceId to) {
  for (const LinkId id : fabric.links_from(from)) {
    if (fabric.link(id).to != to || !catalog::is_gpu_fabric(fabric.technology(id).link_class)) continue;
    const Hop hop = make_hop(fabric, conditions, id);
    if (hop.state.up) return hop;
  }
  return std::nullopt;
}

// All NVSwitches at once; where the two GPUs hang on different switches, over the trunks between them.
std::optional<Path> switched_path(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions) {
  std::array<Hop, 3> bundle;  // up, trunk, down
  Hop short_up;
  Hop short_down;
  for (Hop up : gpu_fabric_hops(fabric, from, conditions, DeviceKind::nvswitch)) {
    const DeviceId first = fabric.link(up.link).to;
    if (std::optional<Hop> down = direct_hop(fabric, conditions, first, to)) {
      level(up, *down);
      widen(short_up, up);
      widen(short_down, *down);
      continue;
    }
    for (Hop trunk : gpu_fabric_hops(fabric, first, conditions, DeviceKind::nvswitch)) {
      std::optional<Hop> down = direct_hop(fabric, conditions, fabric.link(trunk.link).to, to);
      if (!down) continue;
      level(up, trunk);
      level(trunk, *down);
      level(up, trunk);
      widen(bundle[0], up);
      widen(bundle[1], trunk);
      widen(bundle[2], *down);
      break;
    }
  }
  Path path;
  path.type = PathType::nvl;
  if (short_up.link.valid()) {
    path.hops = {short_up, short_down};
  } else if (bundle[0].link.valid()) {
    path.hops.assign(bundle.begin(), bundle.end());
  } else {
    return std::nullopt;
  }
  return path;
}

// The hybrid mesh: one GPU between that both know, the one with the best slower leg.
std::optional<Path> relayed_path(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions) {
  std::optional<Path> best;
  for (const Hop& first : gpu_fabric_hops(fabric, from, conditions, DeviceKind::gpu)) {
    const std::optional<Hop> second = direct_hop(fabric, conditions, fabric.link(first.link).to, to);
    if (!second) continue;
    Path path;
    path.type = PathType::nvb;
    path.hops = {first, *second};
    if (!best || path.goodput() > best->goodput()) best = std::move(path);
  }
  return best;
}

PathType bus_type(const Fabric& fabric, const std::vector<Hop>& hops) {
  int switches = 0;
  int roots = 0;
  int sockets = 0;
  bool only_c2c = !hops.empty();
  for (const Hop& hop : hops) only_c2c = only_c2c && fabric.technology(hop.link).link_class == LinkClass::c2c;
  if (only_c2c) return PathType::c2c;
  const auto count = [&](DeviceId id) {
    const DeviceKind kind = fabric.device(id).kind;
    switches += kind == DeviceKind::pcie_switch ? 1 : 0;
    roots += kind == DeviceKind::root_complex ? 1 : 0;
    sockets += kind == DeviceKind::cpu ? 1 : 0;
  };
  for (std::size_t i = 0; i + 1 < hops.size(); ++i) count(fabric.link(hops[i].link).to);
  for (const DeviceId end : {fabric.link(hops.front().link).from, fabric.link(hops.back().link).to}) {
    if (fabric.device(end).kind == DeviceKind::cpu) ++sockets;
  }
  if (sockets > 1) return PathType::sys;
  if (sockets == 1) return roots > 1 ? PathType::node : PathType::phb;
  if (roots > 0) return PathType::phb;
  return switches > 1 ? PathType::pxb : PathType::pix;
}

void append(Path& path, const Path& more) { path.hops.insert(path.hops.end(), more.hops.begin(), more.hops.end()); }

// Host memory is an end of both legs: nothing passes *through* its socket.
void clear_cap_of_last(Path& path) {
  if (!path.hops.empty()) path.hops.back().through_cap = Rate(0);
}

std::optional<Path> by_way_of(const Fabric& fabric, DeviceId from, DeviceId middle, DeviceId to,
                              const Conditions& conditions) {
  std::optional<Path> path = bus_path(fabric, from, middle, conditions);
  const std::optional<Path> second = bus_path(fabric, middle, to, conditions);
  if (!path || !second) return std::nullopt;
  append(*path, *second);
  path->type = bus_type(fabric, path->hops);
  return path;
}

}  // namespace

Hop make_hop(const Fabric& fabric, const Conditions& conditions, LinkId link) {
  Hop hop;
  hop.link = link;
  hop.state = conditions.empty() ? LinkState{true, fabric.line_rate(link), fabric.goodput(link)}
                                 : conditions.state(fabric, link);
  const DeviceModel& behind = fabric.model(fabric.link(link).to);
  hop.latency = fabric.technology(link).latency + behind.latency;
  hop.through_cap = behind.port_cap;
  return hop;
}

std::optional<Path> gpu_fabric_path(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions) {
  if (fabric.device(from).kind != DeviceKind::gpu || fabric.device(to).kind != DeviceKind::gpu) return std::nullopt;
  if (fabric.nvlink_domain(from) == Fabric::kNoDomain || fabric.nvlink_domain(from) != fabric.nvlink_domain(to)) {
    return std::nullopt;
  }
  if (const std::optional<Hop> hop = direct_hop(fabric, conditions, from, to)) {
    Path path;
    path.hops = {*hop};
    path.type = PathType::nvl;
    return path;
  }
  if (std::optional<Path> path = switched_path(fabric, from, to, conditions)) return path;
  return relayed_path(fabric, from, to, conditions);
}

std::optional<Path> bus_path(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions) {
  if (from == to) return Path{{}, PathType::self, false, 1};
  if (!same_server(fabric, from, to)) return std::nullopt;
  const Server& server = fabric.server_of(from);
  const auto local = [&](DeviceId id) { return id.index() - server.first.index(); };
  std::vector<LinkId> arrived(server.devices);
  std::vector<DeviceId> queue = {from};
  for (std::size_t head = 0; head < queue.size() && !arrived[local(to)].valid(); ++head) {
    const DeviceId at = queue[head];
    if (at != from && !passes_bus_traffic(fabric.device(at).kind)) continue;
    for (const LinkId id : fabric.links_from(at)) {
      const DeviceId next = fabric.link(id).to;
      if (!is_bus(fabric.technology(id).link_class) || !same_server(fabric, next, from)) continue;
      if (next == from || arrived[local(next)].valid()) continue;
      if (!conditions.empty() && !conditions.state(fabric, id).up) continue;
      arrived[local(next)] = id;
      queue.push_back(next);
    }
  }
  if (!arrived[local(to)].valid()) return std::nullopt;
  Path path;
  for (DeviceId at = to; at != from; at = fabric.link(arrived[local(at)]).from) {
    path.hops.push_back(make_hop(fabric, conditions, arrived[local(at)]));
  }
  std::reverse(path.hops.begin(), path.hops.end());
  path.hops.back().through_cap = Rate(0);
  // A cap is one of peer transfers between PCIe ports; GPU memory that is reached chip to chip is the CPU's own to
  // serve.
  const bool chip_to_chip = std::any_of(path.hops.begin(), path.hops.end(), [&](const Hop& hop) {
    return fabric.technology(hop.link).link_class == LinkClass::c2c;
  });
  if (chip_to_chip) {
    for (Hop& hop : path.hops) hop.through_cap = Rate(0);
  }
  path.type = bus_type(fabric, path.hops);
  return path;
}

DeviceId home_cpu(const Fabric& fabric, DeviceId device, const Conditions& conditions) {
  DeviceId best = DeviceId::none();
  std::size_t fewest = 0;
  for (const DeviceId cpu : fabric.devices_of(DeviceKind::cpu, fabric.device(device).server)) {
    const std::optional<Path> path = bus_path(fabric, device, cpu, conditions);
    if (!path || (best.valid() && path->hops.size() >= fewest)) continue;
    best = cpu;
    fewest = path->hops.size();
  }
  return best;
}

std::optional<Path> local_path(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions) {
  if (std::optional<Path> path = gpu_fabric_path(fabric, from, to, conditions)) return path;
  std::optional<Path> straight = bus_path(fabric, from, to, conditions);
  if (!straight) return std::nullopt;
  const std::uint32_t server = fabric.device(from).server;
  const DeviceKind a = fabric.device(from).kind;
  const DeviceKind b = fabric.device(to).kind;
  const bool peers = (a == DeviceKind::gpu || a == DeviceKind::nic) && (b == DeviceKind::gpu || b == DeviceKind::nic);
  if (!peers || straight->type == PathType::c2c) return straight;

  const bool both_gpus = a == DeviceKind::gpu && b == DeviceKind::gpu;
  const bool allowed = both_gpus ? conditions.peer_to_peer(fabric, server) : conditions.gpudirect_rdma(fabric, server);
  const DeviceId cpu = home_cpu(fabric, from, conditions);
  if (allowed && !conditions.acs_redirect(fabric, server)) return straight;
  if (!cpu.valid()) return allowed ? straight : std::nullopt;

  if (allowed) {
    // Redirected: up to the root complex of the sender, and back down.
    DeviceId root = cpu;
    if (const std::optional<Path> up = bus_path(fabric, from, cpu, conditions)) {
      for (const Hop& hop : up->hops) {
        const DeviceId at = fabric.link(hop.link).to;
        if (fabric.device(at).kind == DeviceKind::root_complex) root = at;
      }
    }
    std::optional<Path> redirected = by_way_of(fabric, from, root, to, conditions);
    if (redirected) {
      for (Hop& hop : redirected->hops) {
        if (fabric.link(hop.link).to == root) hop.through_cap = fabric.model(root).port_cap;
      }
    }
    return redirected;
  }
  std::optional<Path> up = bus_path(fabric, from, cpu, conditions);
  std::optional<Path> down = bus_path(fabric, cpu, to, conditions);
  if (!up || !down) return std::nullopt;
  clear_cap_of_last(*up);
  append(*up, *down);
  // Neither leg is a peer transfer: each ends in host memory, so no root complex limits it.
  for (Hop& hop : up->hops) hop.through_cap = Rate(0);
  up->type = bus_type(fabric, up->hops);
  up->host_bounce = true;
  return up;
}

}  // namespace weft::fabric
