#include "weft/fabric/path.h"

#include <algorithm>
#include <array>
#include <optional>

#include "weft/fabric/local_path.h"
#include "weft/fabric/network_path.h"

namespace weft::fabric {
namespace {

constexpr std::array<std::string_view, 11> kTypeNames = {"X",   "NVL",  "NVB", "C2C", "PIX", "PXB",
                                                         "PHB", "NODE", "SYS", "NET", "none"};

struct RankedNic {
  DeviceId nic;
  PathType type = PathType::none;
  std::uint32_t offset = 0;  // how far its place among the NICs is from the GPU's among the GPUs
};

// A server's NICs from nearest to farthest.
std::vector<RankedNic> nics_by_closeness(const Fabric& fabric, DeviceId device) {
  std::vector<RankedNic> ranked;
  const std::uint32_t server = fabric.device(device).server;
  if (server == Device::kNoServer) return ranked;
  if (fabric.device(device).kind == DeviceKind::nic) return {{device, PathType::self, 0}};
  const Server& properties = fabric.servers()[server];
  const std::uint32_t own = fabric.device(device).index;
  for (std::uint32_t i = 0; i < properties.nics; ++i) {
    const DeviceId nic = fabric.nic(server, i);
    ranked.push_back(
        {nic, closeness(fabric, device, nic), (i + properties.nics - own % properties.nics) % properties.nics});
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedNic& a, const RankedNic& b) {
    return a.type != b.type ? a.type < b.type : a.offset < b.offset;
  });
  return ranked;
}

void append(Path& path, const Path& more) {
  path.hops.insert(path.hops.end(), more.hops.begin(), more.hops.end());
  path.host_bounce = path.host_bounce || more.host_bounce;
  path.equal_paths = std::max(path.equal_paths, more.equal_paths);
}

std::optional<Path> through_nics(const Fabric& fabric, DeviceId from, DeviceId to, DeviceId from_nic, DeviceId to_nic,
                                 const Conditions& conditions) {
  const std::optional<Path> out = local_path(fabric, from, from_nic, conditions);
  const std::optional<Path> across = network_path(fabric, from_nic, to_nic, conditions);
  const std::optional<Path> in = local_path(fabric, to_nic, to, conditions);
  if (!out || !across || !in) return std::nullopt;
  Path path;
  path.type = PathType::net;
  append(path, *out);
  append(path, *across);
  append(path, *in);
  return path;
}

// The nearest pair of NICs that the network connects; the sum of both ranks decides, then the fewer hops.
std::optional<Path> between_servers(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions) {
  const std::vector<RankedNic> sources = nics_by_closeness(fabric, from);
  const std::vector<RankedNic> targets = nics_by_closeness(fabric, to);
  std::optional<Path> best;
  int best_cost = 0;
  for (const RankedNic& source : sources) {
    for (const RankedNic& target : targets) {
      const int cost = static_cast<int>(source.type) + static_cast<int>(target.type);
      if (best && cost > best_cost) continue;
      std::optional<Path> path = through_nics(fabric, from, to, source.nic, target.nic, conditions);
      if (!path) continue;
      if (best && cost == best_cost && path->hops.size() >= best->hops.size()) continue;
      best = std::move(path);
      best_cost = cost;
    }
  }
  return best;
}

// Switches are asked about for their own sake: plain breadth-first search over everything that is up.
std::optional<Path> any_path(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions) {
  std::vector<LinkId> arrived(fabric.device_count());
  std::vector<DeviceId> queue = {from};
  for (std::size_t head = 0; head < queue.size() && !arrived[to.index()].valid(); ++head) {
    for (const LinkId id : fabric.links_from(queue[head])) {
      const DeviceId next = fabric.link(id).to;
      if (next == from || arrived[next.index()].valid() || !conditions.state(fabric, id).up) continue;
      arrived[next.index()] = id;
      queue.push_back(next);
    }
  }
  if (!arrived[to.index()].valid()) return std::nullopt;
  Path path;
  path.type = PathType::net;
  for (DeviceId at = to; at != from; at = fabric.link(arrived[at.index()]).from) {
    path.hops.push_back(make_hop(fabric, conditions, arrived[at.index()]));
  }
  std::reverse(path.hops.begin(), path.hops.end());
  return path;
}

Error not_connected(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions) {
  Error error = input_error("WEFT-FAB-0010", "nothing connects " + fabric.name(from) + " and " + fabric.name(to));
  if (conditions.empty()) {
    error.hint = "the fabric has no cable between their servers; describe the network in a cluster file";
  } else {
    error.hint = "with this condition: " + conditions.list().front().text;
    for (std::size_t i = 1; i < std::min<std::size_t>(conditions.list().size(), 4); ++i) {
      error.hint += "; " + conditions.list()[i].text;
    }
  }
  return error;
}

int links_between(const Fabric& fabric, const Path& path) {
  int links = 0;
  const Hop& first = path.hops.front();
  const Link& link = fabric.link(first.link);
  if (first.ways == 1) return link.count;
  for (const LinkId id : fabric.links_from(link.from)) {
    if (catalog::is_gpu_fabric(fabric.technology(id).link_class)) links += fabric.link(id).count;
  }
  return links;
}

}  // namespace

std::string_view name_of(PathType type) { return kTypeNames[static_cast<std::size_t>(type)]; }

Rate Path::line() const {
  Rate slowest;
  for (const Hop& hop : hops) {
    if (slowest.count() == 0 || hop.state.line < slowest) slowest = hop.state.line;
  }
  return slowest;
}

Rate Path::goodput() const {
  Rate slowest;
  for (const Hop& hop : hops) {
    if (slowest.count() == 0 || hop.state.goodput < slowest) slowest = hop.state.goodput;
    if (hop.through_cap.count() > 0 && hop.through_cap < slowest) slowest = hop.through_cap;
  }
  return slowest;
}

Duration Path::latency() const {
  Duration total;
  for (const Hop& hop : hops) total += hop.latency;
  return total;
}

Result<Path> find_path(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions) {
  if (from == to) return Path{{}, PathType::self, false, 1};
  const bool a_switch = is_network_switch(fabric.device(from).kind) || fabric.device(from).kind == DeviceKind::nvswitch;
  const bool b_switch = is_network_switch(fabric.device(to).kind) || fabric.device(to).kind == DeviceKind::nvswitch;
  std::optional<Path> path;
  if (a_switch || b_switch) {
    path = any_path(fabric, from, to, conditions);
  } else if (fabric.device(from).server == fabric.device(to).server) {
    path = local_path(fabric, from, to, conditions);
  } else {
    path = gpu_fabric_path(fabric, from, to, conditions);
    if (!path) path = between_servers(fabric, from, to, conditions);
  }
  if (!path) return fail(not_connected(fabric, from, to, conditions));
  return std::move(*path);
}

DeviceId nearest_nic(const Fabric& fabric, DeviceId gpu, const Conditions& conditions) {
  for (const RankedNic& ranked : nics_by_closeness(fabric, gpu)) {
    for (const LinkId id : fabric.links_from(ranked.nic)) {
      if (is_network_switch(fabric.device(fabric.link(id).to).kind) && conditions.state(fabric, id).up)
        return ranked.nic;
    }
  }
  return DeviceId::none();
}

PathType closeness(const Fabric& fabric, DeviceId a, DeviceId b, int* links) {
  if (a == b) return PathType::self;
  const Conditions healthy;
  if (const std::optional<Path> path = gpu_fabric_path(fabric, a, b, healthy); path && path->type == PathType::nvl) {
    if (links != nullptr) *links = links_between(fabric, *path);
    return PathType::nvl;
  }
  const std::optional<Path> path = bus_path(fabric, a, b, healthy);
  return path ? path->type : PathType::none;
}

}  // namespace weft::fabric
