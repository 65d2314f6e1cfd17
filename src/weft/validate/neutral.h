// Start values of a fit that owe nothing to any table: round figures of the kind that every library and link shows.
#pragma once

#include <optional>
#include <string_view>

#include "weft/validate/minimise.h"

namespace weft::validate {

// The neutral start and the bounds of a number, by the last parts of its key ("all_reduce.ll.launch_us"). None: the
// number is not fitted.
[[nodiscard]] std::optional<Bounded> neutral(std::string_view set, std::string_view key);

}  // namespace weft::validate
