// Leaf–spine, rail-optimised and k-ary fat-tree networks; see network.h for the shapes.
#pragma once

#include <string>
#include <vector>

#include "weft/fabric/network.h"

namespace weft::fabric {

// What a NetworkSpec comes to for given servers: one technology, one switch model, the NICs to connect.
struct NetworkPlan {
  Technology link;
  DeviceModel model;
  int radix = 0;
  std::vector<DeviceId> nics;  // in id order, so a server's NICs are neighbours
  std::uint32_t servers = 0;
};

Result<void> add_clos(FabricBuilder& builder, const NetworkSpec& spec, const NetworkPlan& plan,
                      std::vector<std::string>& assumed);
Result<void> add_fat_tree(FabricBuilder& builder, const NetworkSpec& spec, const NetworkPlan& plan);

}  // namespace weft::fabric
