// The host side of a server as a tree: sockets, root complexes, PCIe switches, and the GPUs and NICs that hang there.
//
// A spanning tree over the links that are not GPU fabric: every device under the socket it is nearest to. A file from a
// broken machine may hold devices that no socket reaches (`loose`) and chains of any length; the tree is at most
// kDeepest levels deep, what lies deeper hangs at the last level.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/fabric/graph.h"

namespace weft::report {

struct HostNode {
  fabric::DeviceId id;
  fabric::LinkId up;  // towards the parent; none() for a socket and for the top of what is loose
  std::vector<HostNode> children;
};

struct HostTree {
  std::vector<HostNode> sockets;
  std::vector<HostNode> loose;
  std::vector<fabric::LinkId> socket_links;  // one direction of each
};

[[nodiscard]] HostTree host_tree(const fabric::Fabric& fabric, std::uint32_t server);

// A root complex with nothing but one switch, or a switch with nothing but one switch, is left out.
[[nodiscard]] HostNode without_chains(const fabric::Fabric& fabric, HostNode node);

// Equal for subtrees of the same shape, parts and links, whatever the indices.
[[nodiscard]] std::string shape_of(const fabric::Fabric& fabric, const HostNode& node);

}  // namespace weft::report
