// Proof by execution that a schedule does what its operation promises.
//
// Every rank starts with its own contribution; the schedule is run step by step on sets of contributions instead of
// numbers (transfers of a step read what stood before it). At the end of an all-reduce every rank must hold every
// contribution exactly once in every chunk; of a reduce-scatter, rank r in chunk r; of an all-gather, rank c's own
// contribution in chunk c. A contribution added twice is found as surely as one that is missing.
// Whole expansion: time and memory grow as ranks x chunks; use it up to a few hundred ranks.
#pragma once

#include <string>

#include "weft/collective/schedule.h"

namespace weft::collective {

// Empty when right; otherwise the first thing that is wrong ("rank 3 lacks the contribution of rank 5 in chunk 2").
[[nodiscard]] std::string check_schedule(const Schedule& schedule);

}  // namespace weft::collective
