// Ways inside one server or one NVLink domain; used by path.cc and the group shapes. See path.h for the rules.
#pragma once

#include <optional>

#include "weft/fabric/path.h"

namespace weft::fabric {

// A hop over one link, with its state and what lies behind it.
[[nodiscard]] Hop make_hop(const Fabric& fabric, const Conditions& conditions, LinkId link);

// NVLink or xGMI: direct, through all NVSwitches at once, or relayed by one GPU. nullopt: no such way that is up.
[[nodiscard]] std::optional<Path> gpu_fabric_path(const Fabric& fabric, DeviceId from, DeviceId to,
                                                  const Conditions& conditions);

// Over PCIe, C2C and the links between sockets, fewest hops first. nullopt: nothing that is up connects them.
[[nodiscard]] std::optional<Path> bus_path(const Fabric& fabric, DeviceId from, DeviceId to,
                                           const Conditions& conditions);

// The socket whose memory a device stages through: the nearest one.
[[nodiscard]] DeviceId home_cpu(const Fabric& fabric, DeviceId device, const Conditions& conditions);

// The whole rule of path.h for two devices of one server (or of one NVLink domain).
[[nodiscard]] std::optional<Path> local_path(const Fabric& fabric, DeviceId from, DeviceId to,
                                             const Conditions& conditions);

}  // namespace weft::fabric
