// Servers of one part are copies of each other: what holds for some GPUs of one holds for the same GPUs of another, as
// long as nothing is wrong (no conditions, which the caller knows).
#pragma once

#include <algorithm>
#include <span>

#include "weft/fabric/graph.h"

namespace weft::fabric {

// `a` and `b`: GPUs of one server each, at least one.
[[nodiscard]] inline bool are_copies(const Fabric& fabric, std::span<const DeviceId> a, std::span<const DeviceId> b) {
  const Server& left = fabric.server_of(a.front());
  const Server& right = fabric.server_of(b.front());
  return !left.part.empty() && left.part == right.part && left.gpus == right.gpus && left.nics == right.nics &&
         left.peer_to_peer == right.peer_to_peer && left.gpudirect_rdma == right.gpudirect_rdma &&
         a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [&](DeviceId x, DeviceId y) {
           return fabric.device(x).index == fabric.device(y).index;
         });
}

}  // namespace weft::fabric
