// A plan as a person reads it, and as a script does.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "context.h"
#include "weft/intake/cluster.h"
#include "weft/intake/model.h"
#include "weft/plan/plan.h"

namespace weft::cli {

struct PlanView {
  const intake::ModelInput& model;
  const intake::ClusterInput& cluster;
  const plan::PlanRequest& request;
  const plan::Plan& plan;
  std::size_t top = 8;
  bool rank_map = false;
};

void print_plan(const PlanView& view, Context& context);
// DESIGN's weft/plan/1.
[[nodiscard]] nlohmann::ordered_json plan_json(const PlanView& view);

}  // namespace weft::cli
