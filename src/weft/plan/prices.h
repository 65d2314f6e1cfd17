// What an exchange costs over the slowest of the groups that run it at once; each question is asked of the engine once.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "weft/engine/closed/closed.h"
#include "weft/llm/traffic.h"
#include "weft/plan/placement.h"

namespace weft::plan {

struct Price {
  double seconds = 0;
  const collective::Group* group = nullptr;  // the slowest; lives as long as the Placements it came from
  collective::Algorithm algorithm = collective::Algorithm::ring;
};

class Prices {
 public:
  // Must outlive it.
  explicit Prices(const collective::Profiles& profiles) : profiles_(profiles) {}

  // `groups` must have a shape. Error: they are not connected.
  Result<Price> of(const llm::Exchange& exchange, const GroupSet& groups);
  // One exchange over one group.
  [[nodiscard]] Result<engine::closed::Cost> cost(const llm::Exchange& exchange, const collective::Group& group) const;

 private:
  const collective::Profiles& profiles_;
  std::unordered_map<std::uint64_t, Price> known_;
};

}  // namespace weft::plan
