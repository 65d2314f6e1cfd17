// Where the ranks of a candidate go, and what the groups of each axis cross.
//
// Rank r sits on the r-th GPU of the fabric: tensor-parallel groups are runs of tp neighbours, a pipeline sends from
// rank r to r + tp, replicas are runs of tp x pp. Many groups cross the same kind of thing: the distinct shapes of an
// axis are found once for each tp and kept.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "weft/collective/group.h"
#include "weft/fabric/cluster.h"

namespace weft::plan {

class Placements {
 public:
  // All must outlive it.
  Placements(const fabric::Fabric& fabric, const fabric::Conditions& conditions, const collective::Profiles& profiles)
      : fabric_(fabric), conditions_(conditions), profiles_(profiles), shapes_(fabric, conditions) {}

  // Distinct shapes of the tensor-parallel groups.
  const std::vector<collective::Group>& tensor_groups(int tp);
  // Distinct shapes of the pairs (r, r + tp) that a pipeline of pp stages sends over.
  const std::vector<collective::Group>& pipeline_pairs(int tp, int pp);
  // One rank of every replica: what data parallelism would cross.
  collective::Group replicas(int tp_times_pp);
  // A group of this size with one GPU a server, as far as there are servers; ranks 0 when there is one server only.
  collective::Group spread(int ranks);
  fabric::DeviceId nic_of(fabric::DeviceId gpu) { return shapes_.nic_of(gpu); }

 private:
  // Adds a shape that is not there yet.
  void add(std::vector<collective::Group>& groups, std::span<const fabric::DeviceId> gpus);
  collective::Group group_of(std::span<const fabric::DeviceId> gpus);

  const fabric::Fabric& fabric_;
  const fabric::Conditions& conditions_;
  const collective::Profiles& profiles_;
  fabric::GroupShapes shapes_;
  std::map<int, std::vector<collective::Group>> tensor_;
  std::map<std::pair<int, int>, std::vector<collective::Group>> pipeline_;
  std::map<int, collective::Group> replicas_;
};

}  // namespace weft::plan
