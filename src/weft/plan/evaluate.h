// One spread, evaluated: whether it fits, and its steady state; and, for the few that are shown, what that is made of.
#pragma once

#include "weft/catalog/parts.h"
#include "weft/llm/anatomy.h"
#include "weft/llm/kernel_times.h"
#include "weft/plan/passes.h"
#include "weft/plan/placement.h"
#include "weft/plan/plan.h"
#include "weft/plan/prices.h"

namespace weft::plan {

// What a whole plan shares.
struct Setting {
  const PlanRequest& request;
  catalog::GpuPart gpu;
  llm::Anatomy anatomy;
  llm::KernelTimes kernels;
  collective::Profiles profiles;
};

struct Evaluation {
  Spread spread;
  bool fits = false;
  bool connected = true;  // every group has a way between its ranks
  bool keeps_up = true;   // with the rate asked for
  bool within_slo = true;
  std::int64_t capacity = 0;   // sequences that one copy of attention has room for
  std::int64_t sequences = 0;  // that it holds
  Bytes memory;                // with these, of the fullest GPU
  SteadyState state;           // of one copy of attention
  double tokens_per_s_per_gpu = 0;
};

class Evaluator {
 public:
  // Both must outlive it.
  Evaluator(const Setting& setting, Placements& placements);

  // llm::possible() must hold, and the spread must use all GPUs. What does not fit is not timed.
  Evaluation evaluate(const Spread& spread);
  // The same with everything that a person wants to know of it; what does not fit is timed all the same.
  Candidate describe(const Evaluation& evaluation);

  // Exchanges of the decode step that a candidate runs, priced over a group of one's own choice.
  Result<Duration> tensor_time(const Candidate& candidate, const collective::Group& group) const;

 private:
  // With this many sequences, or at the rate asked for.
  void settle(Evaluation& evaluation, PassTimer& passes, double sequences) const;
  // The most sequences that keep to the SLO.
  void fill(Evaluation& evaluation, PassTimer& passes) const;
  [[nodiscard]] bool keeps_slo(const SteadyState& state) const;
  void add_axes(Candidate& candidate, PassModel& passes, const PassLoad& load) const;

  const Setting& setting_;
  Placements& placements_;
  PassSetting pass_;
  Prices prices_;
};

}  // namespace weft::plan
