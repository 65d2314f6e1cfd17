// Proof by execution that a schedule does what its operation promises.
//
// Every rank starts with its own contribution; the schedule is run step by step on sets of contributions instead of
// numbers (transfers of a step read what stood before it). In the end each rank must hold what the operation gives it,
// every contribution exactly once: one that is added twice is found as surely as one that is missing, and so is a chunk
// that is sent before it is there or a block that lands at the wrong rank.
//
// Where all ranks do the same seen from where they stand (Schedule::symmetric), one rank is run and stands for its
// class: what reaches it from the rank k places back is what it would hold itself, moved by k. 16,384 ranks take well
// under a second either way; whole expansion of a symmetric schedule grows as the square of its ranks, use it for a few
// hundred.
#pragma once

#include <string>

#include "weft/collective/schedule.h"

namespace weft::collective {

// Empty when right; otherwise the first thing that is wrong ("rank 3 lacks the contribution of rank 5 in chunk 2").
[[nodiscard]] std::string check_schedule(const Schedule& schedule);
// The same with every rank expanded, symmetric or not.
[[nodiscard]] std::string check_every_rank(const Schedule& schedule);

}  // namespace weft::collective
