#include "weft/plan/evaluate.h"

#include <algorithm>
#include <cmath>

#include "weft/llm/memory.h"
#include "weft/units/text.h"

namespace weft::plan {
namespace {

constexpr double kMemoryShare = 0.9;  // vLLM's gpu-memory-utilization, TensorRT-LLM's free-memory fraction

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t sequences_of_replica(const ServingWorkload& workload, int dp) {
  return ceil_div(workload.concurrency, dp);
}

collective::Operation operation_of(llm::Collective collective) {
  switch (collective) {
    case llm::Collective::all_reduce:
      return collective::Operation::all_reduce;
    case llm::Collective::all_gather:
      return collective::Operation::all_gather;
    case llm::Collective::reduce_scatter:
      return collective::Operation::reduce_scatter;
    case llm::Collective::all_to_all:
      return collective::Operation::all_to_all;
    case llm::Collective::send_recv:
      return collective::Operation::send_recv;
  }
  return collective::Operation::all_reduce;
}

// One exchange over the slowest of the shapes.
Result<engine::closed::Cost> slowest(const Setting& setting, const llm::Exchange& exchange,
                                     const std::vector<collective::Group>& shapes, const collective::Group** which) {
  engine::closed::Cost worst;
  for (const collective::Group& shape : shapes) {
    Result<engine::closed::Cost> cost =
        exchange.collective == llm::Collective::send_recv
            ? engine::closed::message_cost(exchange.bytes, shape, setting.profiles)
            : engine::closed::collective_cost({operation_of(exchange.collective), exchange.bytes}, shape,
                                              setting.profiles, true);
    if (!cost) return cost;
    if (*which == nullptr || cost->total > worst.total) {
      worst = *cost;
      *which = &shape;
    }
  }
  return worst;
}

std::string link_of(const fabric::GroupShape& shape) {
  if (shape.ranks < 2) return "";
  return shape.servers > 1 ? shape.between_link : shape.inside_link;
}

// The fullest stage decides.
Memory memory_of(const Setting& setting, const llm::Parallelism& parallelism, std::int64_t sequences) {
  const catalog::ModelShape& model = setting.request.model;
  const ServingWorkload& workload = setting.request.workload;
  Memory worst;
  for (int stage = 0; stage < parallelism.pp; ++stage) {
    Memory memory;
    memory.weights = llm::stage_weights(model, parallelism, stage).total();
    memory.kv_cache = llm::kv_cache(model, parallelism, stage, workload.prompt + workload.output) * sequences;
    memory.workspace = llm::activation_workspace(model, parallelism, workload.prompt, sequences);
    if (memory.total() > worst.total()) worst = memory;
  }
  worst.limit = Bytes(static_cast<std::int64_t>(kMemoryShare * static_cast<double>(setting.gpu.memory.count())));
  return worst;
}

struct StepParts {
  Duration compute;
  Duration communication;
  std::vector<AxisCost> axes;
};

Result<StepParts> step_of(const Setting& setting, Placements& placements, const llm::Parallelism& parallelism,
                          const llm::StepTime& compute, std::int64_t tokens, std::int64_t sequences) {
  StepParts parts;
  parts.compute = compute.latency();
  const std::vector<llm::Exchange> exchanges =
      llm::exchanges_of_step(setting.request.model, parallelism, tokens, sequences);
  const auto add = [&](llm::Axis axis, const std::vector<collective::Group>& shapes) -> Result<void> {
    Result<ExchangeCost> cost = exchange_time(setting, exchanges, axis, shapes);
    if (!cost) return fail(std::move(cost.error()));
    parts.communication += cost->time;
    cost->main.time = cost->time;
    parts.axes.push_back(std::move(cost->main));
    return {};
  };
  Result<void> done;
  if (parallelism.tp > 1) done = add(llm::Axis::tp, placements.tensor_groups(parallelism.tp));
  if (done && parallelism.pp > 1) done = add(llm::Axis::pp, placements.pipeline_pairs(parallelism.tp, parallelism.pp));
  if (!done) return fail(std::move(done.error()));
  return parts;
}

AxisCost replicas_axis(Placements& placements, int tp, int pp) {
  const fabric::GroupShape shape = placements.replicas(tp * pp);
  AxisCost axis;
  axis.axis = llm::Axis::dp;
  axis.scope = shape.scope;
  axis.link = link_of(shape);
  axis.collective = "none";
  return axis;
}

std::string describe(const AxisCost& axis) {
  return std::to_string(axis.count_per_step) + " x " + axis.collective + " of " + human(axis.bytes) +
         (axis.also.empty() ? "" : " and " + axis.also) + " over " + axis.link + " take " + human(axis.time) + ", " +
         percent(axis.share) + " of a token";
}

void explain(Candidate& candidate, const Setting& setting) {
  for (const AxisCost& axis : candidate.axes) {
    if (axis.time.count() > 0)
      candidate.reasons.push_back(std::string(llm::name_of(axis.axis)) + ": " + describe(axis));
    if (axis.axis == llm::Axis::tp && axis.scope > fabric::Scope::nvlink_domain) {
      candidate.reasons.push_back("tp leaves the NVLink domain: " + std::string(fabric::name_of(axis.scope)) +
                                  " over " + axis.link);
    }
  }
  if (candidate.dp > 1)
    candidate.reasons.push_back("dp: " + std::to_string(candidate.dp) + " replicas exchange nothing while serving");
  if (setting.request.model.kv_heads > 0 && candidate.tp > setting.request.model.kv_heads &&
      setting.request.model.attention == catalog::AttentionKind::grouped) {
    candidate.reasons.push_back("tp " + std::to_string(candidate.tp) + " exceeds the " +
                                std::to_string(setting.request.model.kv_heads) + " KV heads: each is held " +
                                std::to_string(candidate.tp / setting.request.model.kv_heads) + " times");
  }
  if (candidate.pp > 1 && setting.request.model.layers % candidate.pp != 0) {
    candidate.reasons.push_back("pp: " + std::to_string(setting.request.model.layers) + " layers do not divide by " +
                                std::to_string(candidate.pp) + ": the stages are uneven");
  }
  if (candidate.fits) {
    candidate.reasons.push_back("memory: " + human(candidate.memory.total()) + " of " + human(candidate.memory.limit) +
                                " a GPU (weights " + human(candidate.memory.weights) + ", KV cache " +
                                human(candidate.memory.kv_cache) + ", workspace " + human(candidate.memory.workspace) +
                                ")");
    return;
  }
  const Bytes missing = candidate.memory.total() - candidate.memory.limit;
  std::string reason = "does not fit: " + human(candidate.memory.total()) + " a GPU, " + human(missing) +
                       " too much (weights " + human(candidate.memory.weights) + ", KV cache " +
                       human(candidate.memory.kv_cache) + ", workspace " + human(candidate.memory.workspace) + ")";
  if (candidate.memory.weights > candidate.memory.limit) {
    const double needed = std::ceil(candidate.memory.weights / candidate.memory.limit * candidate.tp * candidate.pp);
    reason += "; the weights alone need " + significant(needed) + " GPUs a replica";
  }
  candidate.reasons.push_back(std::move(reason));
}

}  // namespace

std::int64_t micro_batch(const ServingWorkload& workload, int pp, int dp) {
  return std::max<std::int64_t>(1, ceil_div(sequences_of_replica(workload, dp), pp));
}

Result<ExchangeCost> exchange_time(const Setting& setting, const std::vector<llm::Exchange>& exchanges, llm::Axis axis,
                                   const std::vector<collective::Group>& shapes) {
  ExchangeCost result;
  Duration most;
  const llm::Exchange* main = nullptr;
  result.main.axis = axis;
  for (const llm::Exchange& exchange : exchanges) {
    if (exchange.axis != axis) continue;
    const collective::Group* shape = nullptr;
    Result<engine::closed::Cost> cost = slowest(setting, exchange, shapes, &shape);
    if (!cost) return fail(std::move(cost.error()));
    const Duration all = cost->total * exchange.count_per_step;
    result.time += all;
    if (shape == nullptr || all <= most) continue;
    most = all;
    main = &exchange;
    result.main.link = link_of(*shape);
    result.main.scope = shape->scope;
    result.main.collective = llm::name_of(exchange.collective);
    result.main.algorithm = collective::name_of(cost->algorithm);
    result.main.count_per_step = exchange.count_per_step;
    result.main.bytes = exchange.bytes;
  }
  for (const llm::Exchange& exchange : exchanges) {
    if (exchange.axis != axis || &exchange == main) continue;
    result.main.also += (result.main.also.empty() ? "" : ", ") + std::to_string(exchange.count_per_step) + " x " +
                        std::string(llm::name_of(exchange.collective));
  }
  return result;
}

Candidate evaluate(const Setting& setting, Placements& placements, int tp, int pp, int dp) {
  Candidate candidate;
  candidate.tp = tp;
  candidate.pp = pp;
  candidate.dp = dp;
  llm::Parallelism parallelism;
  parallelism.tp = tp;
  parallelism.pp = pp;
  const ServingWorkload& workload = setting.request.workload;
  const catalog::ModelShape& model = setting.request.model;
  const std::int64_t sequences = sequences_of_replica(workload, dp);
  candidate.memory = memory_of(setting, parallelism, sequences);
  candidate.fits = candidate.memory.total() <= candidate.memory.limit;

  const std::int64_t batch = micro_batch(workload, pp, dp);
  const std::int64_t context = workload.prompt + workload.output / 2;  // the mean over a request's life
  const llm::StepTime decode = llm::decode_time(model, parallelism, setting.gpu, setting.efficiency, batch, context);
  const llm::StepTime prefill =
      llm::prefill_time(model, parallelism, setting.gpu, setting.efficiency, 1, workload.prompt);
  Result<StepParts> step = step_of(setting, placements, parallelism, decode, batch, batch);
  Result<StepParts> first = step_of(setting, placements, parallelism, prefill, workload.prompt, 1);
  if (!step || !first) {
    candidate.fits = false;
    candidate.reasons.push_back(step ? first.error().message : step.error().message);
    return candidate;
  }
  candidate.compute = step->compute;
  candidate.communication = step->communication;
  candidate.tpot = step->compute + step->communication;
  candidate.ttft = first->compute + first->communication;
  candidate.axes = std::move(step->axes);
  for (AxisCost& axis : candidate.axes) axis.share = axis.time / candidate.tpot;
  if (dp > 1) candidate.axes.push_back(replicas_axis(placements, tp, pp));

  const double n = static_cast<double>(sequences);
  const double cycle = static_cast<double>(workload.output) * candidate.tpot.seconds() + n * candidate.ttft.seconds();
  // A replica counts as full as its share of the concurrency, not as the rounded-up one.
  const double mean_sequences = static_cast<double>(workload.concurrency) / dp;
  candidate.tokens_per_s_per_gpu = mean_sequences * static_cast<double>(workload.output) / cycle / (tp * pp);
  candidate.verdict = candidate.fits ? judge_share(candidate.communication / candidate.tpot) : Verdict::infeasible;
  explain(candidate, setting);
  return candidate;
}

}  // namespace weft::plan
