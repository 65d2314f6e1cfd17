// Which placement of a model on a cluster: every spread of it that uses all GPUs, each with time, memory, the link that
// each axis runs over, a verdict and its reasons.
//
//   spreads      TP x PP x CP x attention-DP x copies, with EP inside where the model has experts (llm/parallelism.h)
//   places       placement.h
//   a pass       passes.h: the GPUs' kernels and the exchanges over the slowest of each axis' groups
//   serving      serving.h: continuous batching at steady state
//   memory       memory.h
//   verdict      a policy on the share of a decode step that communication takes: verdict.h
//
// Not in this model: training, disaggregated prefill and decode, overlap of communication with kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/collective/profile.h"
#include "weft/engine/closed/closed.h"
#include "weft/fabric/cluster.h"
#include "weft/fabric/group.h"
#include "weft/llm/traffic.h"
#include "weft/plan/memory.h"
#include "weft/plan/serving.h"
#include "weft/plan/spread.h"
#include "weft/plan/verdict.h"
#include "weft/plan/workload.h"
#include "weft/rules/checklist.h"

namespace weft::plan {

// Only spreads with these; 0 = any.
struct FixedAxes {
  int tp = 0;
  int pp = 0;
  int dp = 0;
  int ep = 0;
  int cp = 0;
  int attention_dp = 0;
};

struct PlanRequest {
  catalog::ModelShape model;
  ServingWorkload workload;
  Objective objective = Objective::throughput;
  // Spreads that keep to it come first. Without a given load, each spread gets the most that it can carry so.
  Slo slo;
  bool load_given = true;
  FixedAxes fixed;
  bool sequence_parallel = false;
};

// What one axis sends in a decode step.
struct AxisCost {
  llm::Axis axis = llm::Axis::tp;
  std::string link;  // technology id; "" = nothing crosses
  fabric::Scope scope = fabric::Scope::self;
  std::string collective;  // "all_reduce", "send_recv", "none"
  std::string algorithm;   // "one_shot", "ring" …
  std::int64_t count_per_step = 0;
  Bytes bytes;       // of each
  std::string also;  // what else the axis sends: "1 x all_gather"
  Duration time;     // all of them
  double share = 0;  // of the decode step
};

struct Candidate {
  Spread spread;
  bool fits = false;
  bool within_slo = true;
  bool keeps_up = true;  // with the rate asked for
  Memory memory;
  std::int64_t capacity = 0;   // sequences that the cluster can hold
  std::int64_t sequences = 0;  // that each copy of attention holds
  SteadyState state;           // of one copy of attention
  Duration ttft;
  Duration tpot;
  Duration compute;        // of a decode step
  Duration communication;  // of a decode step
  double tokens_per_s_per_gpu = 0;
  std::vector<AxisCost> axes;
  Verdict verdict = Verdict::infeasible;
  std::vector<std::string> reasons;

  [[nodiscard]] Duration step() const { return compute + communication; }
};

struct RankPlace {
  int rank = 0;
  std::uint32_t server = 0;
  std::uint32_t gpu = 0;
  std::uint32_t nvlink_domain = 0;  // kNoDomain: none
  std::uint32_t leaf = 0;           // kNoDomain: not cabled
  std::uint32_t rack = 0;
};

struct Plan {
  std::string gpu;  // catalog id
  std::size_t gpus = 0;
  std::size_t servers = 0;
  std::vector<std::string> assumed;
  std::vector<std::string> calibration;
  std::size_t evaluated = 0;  // spreads
  // Best first; those that do not fit last, nearest to fitting first. Of very many, the best and the nearest.
  std::vector<Candidate> candidates;
  std::vector<rules::ChecklistItem> checklist;  // of the first
  std::vector<RankPlace> rank_map;              // of the first
};

// Errors: no GPU in the fabric, different or unknown GPU parts, a --fix that no placement satisfies (TP that does not
// divide the heads is explained).
Result<Plan> make_plan(const catalog::Catalog& catalog, const catalog::Calibration& calibration,
                       const fabric::Cluster& cluster, const PlanRequest& request);

}  // namespace weft::plan
