// One candidate, evaluated; see plan.h for the model.
#pragma once

#include "weft/plan/placement.h"
#include "weft/plan/plan.h"

namespace weft::plan {

struct Setting {
  const PlanRequest& request;
  catalog::GpuPart gpu;
  llm::RooflineEfficiency efficiency;
  collective::Profiles profiles;
};

// tp x pp x dp must be the number of GPUs, and llm::check_parallelism must have accepted tp and pp.
[[nodiscard]] Candidate evaluate(const Setting& setting, Placements& placements, int tp, int pp, int dp);

// Time of a decode step's tensor-parallel exchanges over a group of this shape.
struct ExchangeCost {
  Duration time;
  AxisCost main;  // the exchange that takes most of it
};
[[nodiscard]] Result<ExchangeCost> exchange_time(const Setting& setting, const std::vector<llm::Exchange>& exchanges,
                                                 llm::Axis axis, const std::vector<collective::Group>& shapes);

// Sequences of one micro-batch of a replica.
[[nodiscard]] std::int64_t micro_batch(const ServingWorkload& workload, int pp, int dp);

}  // namespace weft::plan
