// Whatever a user named as a cluster -> fabric.
//
//   hgx-h100-8  pcie-a100:8        a server of the catalog
//   16xhgx-h100-8                  a count of them, in the network of the reference design
//   fat-tree:k=16,rate=400Gb/s     a short form (fabric/cluster.h)
//   cluster.toml                   a cluster file (formats/cluster_toml.h)
//   topo.xml  topo.txt  -          an operator's own file, sniffed by content: NCCL or RCCL topology XML,
//                                  nvidia-smi topo -m text
//   4xtopo.xml                     that many servers like the one in the file (NCCL XML of one server)
//
// A name of the catalog wins over a file of the same name; write ./name for the file. What the file does not tell is
// taken from the options or assumed, and said in `assumed`.
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/fabric/cluster.h"

namespace weft::intake {

struct ClusterOptions {
  std::string gpu;                      // catalog GPU for files that do not name it
  std::vector<std::string> conditions;  // texts for fabric::parse_condition
};

struct ClusterInput {
  fabric::Cluster cluster;         // its `assumed` holds everything that was assumed
  std::string format;              // "catalog", "short form", "cluster file", "NCCL topology XML", …
  std::vector<std::string> notes;  // what the reader noticed in an operator's file
};

Result<ClusterInput> load_cluster(const catalog::Catalog& catalog, std::string_view spec, const ClusterOptions& options,
                                  std::istream& standard_input);

}  // namespace weft::intake
