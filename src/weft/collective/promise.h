// What an operation starts from and what it promises: which chunks each rank holds, and whose contributions are in
// them.
#pragma once

#include "weft/collective/holdings.h"
#include "weft/collective/schedule.h"

namespace weft::collective {

// The operation adds contributions of all ranks. Others move each chunk as one giver has it, and a contribution is then
// simply there (that of "rank 0" stands for it).
[[nodiscard]] bool reduces(Operation operation);
// Chunks are slots by offset (schedule.h), and contents are bound for a rank.
[[nodiscard]] bool has_slots(Operation operation);

// What a rank holds at the start.
[[nodiscard]] Holdings start_of(const Schedule& schedule, int rank);

// Empty when `held` is what the operation promises `rank`; otherwise the first thing that is wrong.
[[nodiscard]] std::string broken_promise(const Schedule& schedule, int rank, const Holdings& held);

}  // namespace weft::collective
