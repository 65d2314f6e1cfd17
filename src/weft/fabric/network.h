// The network between servers: which switches, which cables.
//
//   rail         NIC r of every server on leaf r of its group (rail-optimised); leaves joined by spines when there is
//                more than one group; a third tier (cores) when two do not reach
//   leaf_spine   all NICs of a server on the same leaf; leaves joined by spines
//   fat_tree     k-ary (Al-Fares 2008): k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 cores, k^3/4 hosts
//   dragonfly    groups of `a` routers, `p` hosts and `h` global links each; a*h+1 groups when balanced (Kim 2008)
//   torus        one router per host, in the given dimensions
//   custom       switches and cables as listed (dual-homed servers, redundant uplinks)
//   none         servers side by side, not connected
//
// Oversubscription k means k times less capacity going up from a leaf than down to its NICs. Parallel cables between
// two switches are one link with a count. NICs are attached in order; each port uses one switch port, and a network
// that runs out of ports is an error that says how many are missing.
#pragma once

#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/fabric/builder.h"

namespace weft::fabric {

enum class NetworkKind { none, rail, leaf_spine, fat_tree, dragonfly, torus, custom };
[[nodiscard]] std::string_view name_of(NetworkKind kind);

struct CustomSwitch {
  std::string name;  // the operator's name; weft's is leaf0, leaf1, …
  std::string part;
  bool spine = false;
};
struct CustomCable {
  std::string from;  // "server0.nic0" or a switch's name
  std::string to;
  int count = 1;
};

struct NetworkSpec {
  NetworkKind kind = NetworkKind::none;
  std::string switch_part;  // catalog id; "" = the NIC's reference switch, or one made from radix and rate
  std::string link;         // catalog link id of the network; "" = the NIC's
  int radix = 0;            // ports per switch; 0 = the part's
  Rate rate;                // zero = the link's
  Duration latency;         // per hop (cable and switch); zero = the parts'
  bool latency_given = false;
  double oversubscription = 1;  // leaf down : up
  int tiers = 0;                // 0 = as many as are needed
  int servers_per_leaf = 0;     // 0 = as many as the ports allow
  int uplinks = 0;              // cables from each leaf to each spine; 0 = spread evenly
  // fat_tree
  int k = 0;
  // dragonfly
  int routers_per_group = 0, hosts_per_router = 0, global_links = 0, groups = 0;
  // torus
  std::vector<int> dimensions;
  // custom
  std::vector<CustomSwitch> switches;
  std::vector<CustomCable> cables;
  // A second, separate network for management: one port a server.
  bool management = false;
  std::string management_switch;
};

// Cables every NIC of the builder's servers into the network. `nic_link` is the port of the servers' NIC part, used
// when the spec names no link. `assumed` receives what was chosen for the user.
Result<void> add_network(FabricBuilder& builder, const catalog::Catalog& catalog, const NetworkSpec& spec,
                         std::string_view nic_link, std::vector<std::string>& assumed);

}  // namespace weft::fabric
