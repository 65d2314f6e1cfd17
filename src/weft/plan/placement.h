// Where the ranks of a spread go, and what the groups of each axis cross.
//
// GPUs are put in order so that neighbours are near: servers by rack and leaf, GPUs of a server by NVLink domain, else
// as the fabric has them. Rank r sits on the r-th of them. Tensor parallelism runs fastest, then attention replicas,
// context, pipeline, and independent copies: what talks most crosses least. Many groups cross the same kind of thing:
// the distinct shapes of a set of groups are found once and kept.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "weft/collective/group.h"
#include "weft/fabric/cluster.h"
#include "weft/llm/traffic.h"
#include "weft/plan/spread.h"

namespace weft::plan {

// The distinct shapes of the groups that an axis has all over the cluster.
struct GroupSet {
  int id = 0;  // dense, from 0: a key for what is computed of it
  std::vector<collective::Group> shapes;
  [[nodiscard]] const collective::Group& widest() const;  // by scope
};

class Placements {
 public:
  // All must outlive it.
  Placements(const fabric::Fabric& fabric, const fabric::Conditions& conditions, const collective::Profiles& profiles);

  [[nodiscard]] std::span<const fabric::DeviceId> order() const { return order_; }
  [[nodiscard]] int servers() const { return static_cast<int>(fabric_.servers().size()); }

  // What the exchanges of an axis run over. dp: one rank of every independent copy.
  const GroupSet& groups(llm::Axis axis, const Spread& spread);
  // A group of this size with one GPU a server, as far as there are servers; ranks 0 when there is one server only.
  collective::Group spread_out(int ranks);
  fabric::DeviceId nic_of(fabric::DeviceId gpu) { return shapes_.nic_of(gpu); }

 private:
  // In every block of stride x count ranks, those that are `stride` apart: all of them, or pairs of neighbours, the
  // first pair standing for the `stride` that run side by side, or the one group of the first ranks.
  enum class Which { all, neighbours, first };
  const GroupSet& strided(int stride, int count, Which which);
  void add(GroupSet& set, std::span<const fabric::DeviceId> gpus);

  const fabric::Fabric& fabric_;
  const fabric::Conditions& conditions_;
  const collective::Profiles& profiles_;
  fabric::GroupShapes shapes_;
  std::vector<fabric::DeviceId> order_;
  std::map<std::tuple<int, int, Which>, GroupSet> sets_;
};

}  // namespace weft::plan
