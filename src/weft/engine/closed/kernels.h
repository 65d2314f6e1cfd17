// All-reduces by the kernels of serving engines (collective/kernels.h), inside one server or rack-scale domain.
#pragma once

#include "weft/base/error.h"
#include "weft/engine/closed/estimate.h"

namespace weft::engine::closed {

// What the profiles' serving engine runs for this call; none: it leaves it to the library, or no line of the kernel is
// known for these links.
[[nodiscard]] std::optional<Estimate> engine_choice(const collective::Call& call, const fabric::GroupShape& shape,
                                                    const collective::Profiles& profiles);

// A call that forces one-shot, two-shot or multimem: the best kernel of that kind that the engine has, whatever its own
// rule for the size. Error: not an all-reduce, over several servers, without multicast, a protocol is forced as well,
// or no line is known for these links; the text says which.
Result<Estimate> forced_kernel(const collective::Call& call, const fabric::GroupShape& shape,
                               const collective::Profiles& profiles);

}  // namespace weft::engine::closed
