#include "weft/fabric/network_path.h"

#include <algorithm>
#include <limits>

#include "weft/fabric/local_path.h"

namespace weft::fabric {
namespace {

bool network_link_up(const Fabric& fabric, const Conditions& conditions, LinkId id) {
  return catalog::is_network(fabric.technology(id).link_class) &&
         (conditions.empty() || conditions.state(fabric, id).up);
}

bool is_data_switch(const Fabric& fabric, DeviceId id) {
  const DeviceKind kind = fabric.device(id).kind;
  return is_network_switch(kind) && kind != DeviceKind::management;
}

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

// The way from switch to switch; among equally short next hops, number (receiver mod how many there are).
bool descend(const Fabric& fabric, const Conditions& conditions, const SwitchDistances& distances, DeviceId from,
             std::uint32_t receiver, Path& path) {
  DeviceId at = from;
  while (at != distances.target()) {
    std::vector<LinkId> next;
    for (const LinkId id : fabric.links_from(at)) {
      const DeviceId to = fabric.link(id).to;
      if (!is_data_switch(fabric, to) || !network_link_up(fabric, conditions, id)) continue;
      if (distances.hops(to) != SwitchDistances::kFar && distances.hops(to) + 1 == distances.hops(at))
        next.push_back(id);
    }
    if (next.empty()) return false;
    const LinkId chosen = next[receiver % next.size()];
    path.hops.push_back(make_hop(fabric, conditions, chosen));
    at = fabric.link(chosen).to;
  }
  return true;
}

std::vector<LinkId> ports(const Fabric& fabric, const Conditions& conditions, DeviceId nic) {
  std::vector<LinkId> up;
  for (const LinkId id : fabric.links_from(nic)) {
    if (network_link_up(fabric, conditions, id)) up.push_back(id);
  }
  return up;
}

}  // namespace

SwitchDistances::SwitchDistances(const Fabric& fabric, DeviceId to, const Conditions& conditions) : to_(to) {
  // Switches are added after all servers, so they are the tail of the device list.
  first_ = fabric.servers().empty() ? 0 : fabric.servers().back().first.value() + fabric.servers().back().devices;
  distance_.assign(fabric.device_count() - first_, kFar);
  ways_.assign(distance_.size(), 0);
  std::vector<DeviceId> queue = {to};
  distance_[to.value() - first_] = 0;
  ways_[to.value() - first_] = 1;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const DeviceId at = queue[head];
    const std::uint32_t next_distance = distance_[at.value() - first_] + 1;
    for (const LinkId id : fabric.links_from(at)) {
      const DeviceId next = fabric.link(id).to;
      if (!is_data_switch(fabric, next) || !network_link_up(fabric, conditions, id)) continue;
      std::uint32_t& distance = distance_[next.value() - first_];
      if (distance == kFar) {
        distance = next_distance;
        queue.push_back(next);
      }
      if (distance == next_distance) {
        std::uint64_t& ways = ways_[next.value() - first_];
        ways = saturating_add(ways, ways_[at.value() - first_]);
      }
    }
  }
}

std::uint32_t SwitchDistances::hops(DeviceId from) const {
  return from.value() < first_ ? kFar : distance_[from.value() - first_];
}
std::uint64_t SwitchDistances::ways(DeviceId from) const {
  return from.value() < first_ ? 0 : ways_[from.value() - first_];
}

std::optional<Path> network_path(const Fabric& fabric, DeviceId from_nic, DeviceId to_nic,
                                 const Conditions& conditions) {
  std::optional<Path> best;
  for (const LinkId out : ports(fabric, conditions, from_nic)) {
    const DeviceId first = fabric.link(out).to;
    for (const LinkId in : ports(fabric, conditions, to_nic)) {
      if (!conditions.empty() && !conditions.state(fabric, fabric.reverse(in)).up) continue;
      Path path;
      path.type = PathType::net;
      path.hops.push_back(make_hop(fabric, conditions, out));
      if (first == to_nic) return path;  // cabled back to back
      const DeviceId last = fabric.link(in).to;
      if (!is_data_switch(fabric, first) || !is_data_switch(fabric, last)) continue;
      const SwitchDistances distances(fabric, last, conditions);
      if (distances.hops(first) == SwitchDistances::kFar) continue;
      if (best && best->hops.size() <= distances.hops(first) + 2) continue;
      if (!descend(fabric, conditions, distances, first, to_nic.value(), path)) continue;
      path.equal_paths = distances.ways(first);
      path.hops.push_back(make_hop(fabric, conditions, fabric.reverse(in)));
      best = std::move(path);
    }
  }
  return best;
}

}  // namespace weft::fabric
