// Which placement of a model on a cluster: every TP x PP x DP that uses all GPUs, each with time, memory, the link that
// each axis runs over, a verdict and its reasons.
//
// Ranks go over the GPUs in fabric order, tensor parallelism fastest, then pipeline, then data (replicas). For each
// axis the slowest of all its groups decides. Serving at steady state:
//
//   sequences    of a replica = ceil(concurrency / dp); a pipeline of pp stages keeps pp micro-batches of them in
//   flight tpot         roofline of the stages (llm/step_time) + TP collectives + PP sends, for one micro-batch ttft
//   the same for one prompt, alone tokens/s     sequences x output / (output x tpot + sequences x ttft): decode waits
//   while a prompt is worked on memory       weights + KV cache of the sequences at full length + workspace, against 90
//   % of the GPU (the usual
//                engine default), which leaves the rest to the driver, the library and captured graphs
//   verdict      a policy on the share of a decode step that communication takes: see verdict.h
//
// Expert parallelism, context parallelism, chunked prefill, disaggregation and queueing are not in this model yet.
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
#include "weft/llm/step_time.h"
#include "weft/llm/traffic.h"
#include "weft/plan/verdict.h"
#include "weft/rules/checklist.h"

namespace weft::plan {

struct ServingWorkload {
  std::int64_t prompt = 2048;
  std::int64_t output = 256;
  std::int64_t concurrency = 32;  // sequences in flight over the whole cluster
};

enum class Objective { throughput, latency };

struct PlanRequest {
  catalog::ModelShape model;
  ServingWorkload workload;
  Objective objective = Objective::throughput;
  // Only candidates with these; 0 = any.
  int fixed_tp = 0;
  int fixed_pp = 0;
  int fixed_dp = 0;
};

// One axis of a candidate in a decode step.
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
  double share = 0;  // of the step
};

struct Memory {
  Bytes weights;
  Bytes kv_cache;
  Bytes workspace;
  Bytes limit;
  [[nodiscard]] Bytes total() const { return weights + kv_cache + workspace; }
};

struct Candidate {
  int tp = 1;
  int pp = 1;
  int dp = 1;
  bool fits = false;
  Memory memory;
  Duration ttft;
  Duration tpot;
  Duration compute;        // of the step
  Duration communication;  // of the step
  double tokens_per_s_per_gpu = 0;
  std::vector<AxisCost> axes;
  Verdict verdict = Verdict::infeasible;
  std::vector<std::string> reasons;
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
  std::vector<Candidate> candidates;            // best first; those that do not fit last, nearest to fitting first
  std::vector<rules::ChecklistItem> checklist;  // of the first
  std::vector<RankPlace> rank_map;              // of the first
};

// Errors: no GPU in the fabric, different or unknown GPU parts, a --fix that no placement satisfies (TP that does not
// divide the heads is explained).
Result<Plan> make_plan(const catalog::Catalog& catalog, const catalog::Calibration& calibration,
                       const fabric::Cluster& cluster, const PlanRequest& request);

}  // namespace weft::plan
