// Where the ranks of a candidate go, and what the groups of each axis cross.
//
// Rank r sits on the r-th GPU of the fabric: tensor-parallel groups are runs of tp neighbours, a pipeline sends from
// rank r to r + tp, replicas are runs of tp x pp. Many groups cross the same kind of thing: the distinct shapes of an
// axis are found once for each tp and kept.
#pragma once

#include <map>
#include <vector>

#include "weft/fabric/cluster.h"
#include "weft/fabric/group.h"

namespace weft::plan {

class Placements {
 public:
  Placements(const fabric::Fabric& fabric, const fabric::Conditions& conditions)
      : fabric_(fabric), shapes_(fabric, conditions) {}

  // Distinct shapes of the tensor-parallel groups.
  const std::vector<fabric::GroupShape>& tensor_groups(int tp);
  // Distinct shapes of the pairs (r, r + tp) that a pipeline of pp stages sends over.
  const std::vector<fabric::GroupShape>& pipeline_pairs(int tp, int pp);
  // One rank of every replica: what data parallelism would cross.
  fabric::GroupShape replicas(int tp_times_pp);
  // A group of this size with one GPU a server, as far as there are servers; ranks 0 when there is one server only.
  fabric::GroupShape spread(int ranks);
  fabric::DeviceId nic_of(fabric::DeviceId gpu) { return shapes_.nic_of(gpu); }

 private:
  const fabric::Fabric& fabric_;
  fabric::GroupShapes shapes_;
  std::map<int, std::vector<fabric::GroupShape>> tensor_;
  std::map<std::pair<int, int>, std::vector<fabric::GroupShape>> pipeline_;
  std::map<int, fabric::GroupShape> replicas_;
};

}  // namespace weft::plan
