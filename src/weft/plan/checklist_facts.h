// What the checklist's rules cost on this cluster: the first candidate, and the same step with a rule broken or kept.
#pragma once

#include "weft/plan/evaluate.h"

namespace weft::plan {

[[nodiscard]] rules::Placement checklist_facts(const catalog::Catalog& catalog, const Setting& setting,
                                               const Evaluator& evaluator, Placements& placements,
                                               const std::vector<Candidate>& candidates);

}  // namespace weft::plan
