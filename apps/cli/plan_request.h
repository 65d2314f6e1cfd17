// What `weft plan` is asked: options on one side, plan::PlanRequest on the other.
#pragma once

#include <vector>

#include "args.h"
#include "weft/plan/plan.h"

namespace weft::cli {

[[nodiscard]] std::vector<Option> plan_request_options();

// WEFT-CLI-0030 --fix, 0032 --slo, 0033 --rate, 0034 --concurrency, 0035 --weights or --kv, 0036 a load given twice,
// 0037 --expert-skew.
Result<plan::PlanRequest> plan_request(const Args& args, const catalog::ModelShape& model);

}  // namespace weft::cli
