// The shape of a group of GPUs on a fabric: what a collective over them has to cross.
//
// One pass over the group, no path search, so that a planner can ask for thousands of groups: how many ranks, servers
// and NVLink domains; what the slowest link between two neighbours is inside a domain, inside a server and between
// servers; how much each GPU gets of it; and how far apart the servers are (leaf, fabric). Rates are goodput
// per direction; conditions that hold are respected.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/fabric/condition.h"
#include "weft/fabric/graph.h"

namespace weft::fabric {

// The widest thing that a group's traffic crosses.
enum class Scope { self, nvlink_domain, server, rack, leaf, fabric };
[[nodiscard]] std::string_view name_of(Scope scope);  // "nvlink-domain" "server" "rack" "leaf" "fabric"

struct GroupShape {
  int ranks = 0;
  int servers = 0;
  int most_ranks_per_server = 0;
  int fewest_ranks_per_server = 0;
  int domains = 0;  // NVLink domains touched
  Scope scope = Scope::self;
  bool connected = true;  // false: some pair has no way to each other

  // Inside a server (or rack-scale domain): the link that neighbours use, per GPU and direction.
  LinkClass inside = LinkClass::proprietary;
  std::string inside_link;     // technology id; "" when every rank is alone in its server
  Rate inside_rate;            // of the slowest neighbour link, after sharing root complexes between the group's GPUs
  Rate inside_alone;           // the same link with nobody else on the way
  bool inside_bounce = false;  // through host memory
  bool nvls = false;           // in-switch reduction spans the ranks of each server
  bool all_to_all = false;     // any GPU reaches any other at full rate at once (NVSwitch), against a mesh or bridge

  // Between servers: what one GPU of the group has for itself when all send at once.
  LinkClass between = LinkClass::proprietary;
  std::string between_link;
  Rate nic_rate_per_rank;       // NICs used by the group on a server / its ranks there, up to what PCIe lets through
  Rate nic_rate_per_server;     // the same for a whole server
  int nics_per_server = 0;      // used
  bool network_bounce = false;  // no GPUDirect RDMA
  double oversubscription = 1;  // of the way above the leaf, when the group leaves its leaves
  int switch_hops = 0;          // switches passed between the farthest pair
  Duration network_latency;     // one way, hardware, farthest pair

  bool operator==(const GroupShape&) const = default;
};

// Answers for many groups of one fabric: remembers which NIC each GPU uses. The fabric and conditions must outlive it.
class GroupShapes {
 public:
  GroupShapes(const Fabric& fabric, const Conditions& conditions);
  [[nodiscard]] GroupShape of(std::span<const DeviceId> gpus);
  // The NIC that a GPU sends through (fabric/path.h); none() when nothing is cabled.
  [[nodiscard]] DeviceId nic_of(DeviceId gpu);

  // Between two NICs: switches passed and hardware latency one way. NICs on the same two leaves are as far apart as
  // any others there, so each pair of leaves is searched once.
  struct Distance {
    bool connected = false;
    int switches = 0;
    Duration latency;
  };
  [[nodiscard]] const Distance& distance(DeviceId from_nic, DeviceId to_nic);

 private:
  const Fabric& fabric_;
  const Conditions& conditions_;
  std::vector<DeviceId> nic_;  // by GPU in Fabric::gpus() order
  std::vector<bool> known_;
  // Servers of one part are copies of each other: what holds for the first holds for all while nothing is wrong.
  std::unordered_map<std::string, std::uint32_t> model_server_;
  std::unordered_map<std::uint64_t, Distance> distance_;  // by the two leaves
};

[[nodiscard]] GroupShape shape_of(const Fabric& fabric, std::span<const DeviceId> gpus,
                                  const Conditions& conditions = {});

}  // namespace weft::fabric
