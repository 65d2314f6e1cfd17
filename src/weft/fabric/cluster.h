// A cluster as a short description: groups of servers and the network between them -> Fabric.
//
// A cluster file (formats/cluster_toml), a count ("16xhgx-h100-8") and a short form
// ("fat-tree:k=16,rate=400Gb/s,latency=1us") all become a ClusterSpec. What the description leaves open is chosen by
// rule and listed in `assumed`: several servers with NICs and no network get the rail-optimised one of the reference
// design.
#pragma once

#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/fabric/condition.h"
#include "weft/fabric/graph.h"
#include "weft/fabric/network.h"
#include "weft/fabric/server.h"

namespace weft::fabric {

struct ServerGroup {
  std::string server;  // catalog name, "pcie-a100:8", or "host" (one socket, one NIC: a node of a pure network)
  int count = 1;
  int servers_per_rack = 0;  // 0 = the rack part's usual number
  std::string name;          // operator's host name prefix; "" = none
  ServerOptions options;
};

struct ClusterSpec {
  std::string name;
  std::vector<ServerGroup> groups;
  NetworkSpec network;
  bool network_given = false;
  std::vector<std::string> conditions;  // texts for parse_condition, once the fabric stands
};

struct Cluster {
  std::string name;
  Fabric fabric;
  Conditions conditions;
  std::vector<std::string> assumed;
};

Result<Cluster> build_cluster(const catalog::Catalog& catalog, const ClusterSpec& spec);

// "fat-tree:k=16,rate=400Gb/s,latency=1us"; leaf-spine: leaves spines hosts rate latency oversubscription;
// rail: servers rails rate latency; dragonfly: a p h g rate latency; torus: dims=4x4x4 rate latency. Hosts are NICs
// with a socket; `server=NAME` puts servers there instead. Error points at the key.
Result<ClusterSpec> parse_short_form(std::string_view text);
[[nodiscard]] bool is_short_form(std::string_view text);

}  // namespace weft::fabric
