// The schedules that can do an operation over a group: steps, bytes, and whether they do what they promise.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "collective_print.h"

namespace weft::cli {

void print_schedules(const CollectiveRun& run, Context& context);
[[nodiscard]] nlohmann::ordered_json schedules_json(const CollectiveRun& run);

}  // namespace weft::cli
