// The cluster that a measured table speaks of, as a ClusterSpec: server, how many, NICs and network, what is not as it
// should be. What the header leaves open is assumed by rule and said.
//
// From prose only what is stated in so many words: in `interconnect` NVLink bridges that are there, a driver with
// peer-to-peer, peer-to-peer that is missing; nothing else is read from it.
#pragma once

#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/fabric/cluster.h"
#include "weft/formats/measured_table.h"

namespace weft::intake {

struct MeasuredCluster {
  fabric::ClusterSpec spec;
  catalog::ServerPart server;
  catalog::GpuPart gpu;
  std::vector<std::string> assumed;
  // The same for tables that were measured on the same cluster.
  [[nodiscard]] std::string key() const;
};

// Needs server, servers and gpus_per_server. An error says why no such cluster can be.
Result<MeasuredCluster> describe_cluster(const catalog::Catalog& catalog, const formats::MeasuredTable& table);

}  // namespace weft::intake
