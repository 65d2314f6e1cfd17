// Shortest ways through the network's switches; used by path.cc and the group shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "weft/fabric/path.h"

namespace weft::fabric {

// Distances and numbers of shortest ways from every network switch to one of them. Built by one breadth-first search
// over switches alone; servers are never crossed.
class SwitchDistances {
 public:
  static constexpr std::uint32_t kFar = 0xffffffffU;
  SwitchDistances(const Fabric& fabric, DeviceId to, const Conditions& conditions);
  [[nodiscard]] std::uint32_t hops(DeviceId from) const;  // kFar: not reachable
  [[nodiscard]] std::uint64_t ways(DeviceId from) const;  // shortest ones, saturating
  [[nodiscard]] DeviceId target() const { return to_; }

 private:
  DeviceId to_;
  std::uint32_t first_ = 0;  // switches are the devices from here on
  std::vector<std::uint32_t> distance_;
  std::vector<std::uint64_t> ways_;
};

// From NIC to NIC. nullopt when nothing that is up connects them.
[[nodiscard]] std::optional<Path> network_path(const Fabric& fabric, DeviceId from_nic, DeviceId to_nic,
                                               const Conditions& conditions);

}  // namespace weft::fabric
