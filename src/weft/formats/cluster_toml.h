// A cluster file of weft's own: servers, the network between them, management, conditions. TOML.
//
//   name = "…"
//   conditions = ["down server0.nic3"]
//   [[servers]]            server count name nics nic gpus servers_per_rack gpudirect_rdma
//   [network]              kind switch link radix rate latency oversubscription tiers … by kind
//   [[network.switches]]   name part role            (kind = "custom")
//   [[network.cables]]     from to count             (kind = "custom")
//   [management]           switch
//
// The whole schema with meanings and ranges: docs/reference/cluster-file.md. Unknown keys are errors with a
// did-you-mean, as are keys that the network's kind does not take; rates and times need units. Errors WEFT-FMT-03xx
// point at the key or value. What the file leaves open is chosen by fabric/cluster.h and said there.
#pragma once

#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/catalog.h"
#include "weft/fabric/cluster.h"

namespace weft::formats {

struct ClusterFile {
  fabric::ClusterSpec spec;
  // Where things stand, for errors that only building the cluster can find.
  std::vector<SourcePosition> groups;      // of each spec.groups' server name
  std::vector<SourcePosition> conditions;  // of each spec.conditions
  SourcePosition network;                  // of [network], or of the file
};

// Needs no catalog: names of parts are taken as they stand.
Result<ClusterFile> parse_cluster_toml(const SourceText& source);

// The cluster itself; an unknown part, a network that does not fit and a condition that names nothing point at their
// line.
Result<fabric::Cluster> read_cluster_toml(const catalog::Catalog& catalog, const SourceText& source);

}  // namespace weft::formats
