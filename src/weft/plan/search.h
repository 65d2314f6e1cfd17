// Every spread of a model over a number of GPUs, evaluated and ranked.
//
// Spreads use all GPUs. Context parallelism is tried where each part of the prompt has `kLeastPart` tokens and more,
// unless it is fixed: weights are copied for it.
#pragma once

#include "weft/plan/evaluate.h"

namespace weft::plan {

inline constexpr std::int64_t kLeastPart = 1024;

[[nodiscard]] std::vector<Spread> all_spreads(const PlanRequest& request, int gpus);

// Best first; those that do not fit last, nearest to fitting first. `shown`: at most as many of either are described.
struct Ranking {
  std::size_t evaluated = 0;
  std::vector<Candidate> candidates;
};
[[nodiscard]] Ranking rank(const Setting& setting, Evaluator& evaluator, const std::vector<Spread>& spreads,
                           std::size_t shown);

}  // namespace weft::plan
