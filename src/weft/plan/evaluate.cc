#include "weft/plan/evaluate.h"

#include <algorithm>
#include <cmath>

#include "weft/plan/reasons.h"

namespace weft::plan {
namespace {

double mean_context(const ServingWorkload& workload) {
  return static_cast<double>(workload.prompt) + static_cast<double>(workload.output) / 2;
}

// One micro-batch of a decode step.
PassLoad decode_load(const Spread& spread, double decoding) {
  const double batches = std::clamp(std::ceil(decoding), 1.0, static_cast<double>(spread.parallelism.pp));
  const double batch = std::max(1.0, decoding / batches);
  return {.decode = batch, .sampled = batch};
}

std::string link_of(const fabric::GroupShape& shape) {
  if (shape.ranks < 2) return "";
  return shape.servers > 1 ? shape.between_link : shape.inside_link;
}

AxisCost axis_cost(const AxisTraffic& traffic) {
  AxisCost axis;
  axis.axis = traffic.axis;
  axis.time = Duration::from_us(traffic.seconds * 1e6);
  if (traffic.main_price.group == nullptr) return axis;
  axis.link = link_of(*traffic.main_price.group);
  axis.scope = traffic.main_price.group->scope;
  axis.collective = llm::name_of(traffic.main.collective);
  axis.algorithm = collective::name_of(traffic.main_price.algorithm);
  axis.count_per_step = traffic.main.count_per_step;
  axis.bytes = traffic.main.bytes;
  for (const llm::Exchange& other : traffic.others) {
    axis.also += (axis.also.empty() ? "" : ", ") + std::to_string(other.count_per_step) + " x " +
                 std::string(llm::name_of(other.collective));
  }
  return axis;
}

}  // namespace

Evaluator::Evaluator(const Setting& setting, Placements& placements)
    : setting_(setting),
      placements_(placements),
      pass_{setting.anatomy, setting.kernels, mean_context(setting.request.workload),
            setting.request.workload.expert_skew},
      prices_(setting.profiles) {}

bool Evaluator::keeps_slo(const SteadyState& state) const {
  const Slo& slo = setting_.request.slo;
  return (!slo.ttft || state.ttft_s <= slo.ttft->seconds()) && (!slo.tpot || state.itl_s <= slo.tpot->seconds());
}

void Evaluator::settle(Evaluation& evaluation, PassTimer& passes, double sequences) const {
  const ServingWorkload& workload = setting_.request.workload;
  const Spread& spread = evaluation.spread;
  Arrivals arrivals{sequences, {}};
  if (workload.rate) arrivals.rate = *workload.rate / spread.dp();
  evaluation.state = steady_state(passes, workload, arrivals, spread.parallelism.pp);
  double requests_per_s = evaluation.state.requests_per_s;
  if (workload.rate) {
    evaluation.keeps_up = !evaluation.state.saturated;
    if (evaluation.keeps_up) requests_per_s = *arrivals.rate;
    evaluation.sequences = static_cast<std::int64_t>(std::ceil(evaluation.state.in_flight));
    evaluation.fits = evaluation.sequences <= evaluation.capacity;
  }
  evaluation.tokens_per_s_per_gpu = requests_per_s * static_cast<double>(workload.output) * spread.dp() / spread.gpus();
  evaluation.within_slo = keeps_slo(evaluation.state);
}

void Evaluator::fill(Evaluation& evaluation, PassTimer& passes) const {
  std::int64_t most = evaluation.capacity;
  settle(evaluation, passes, static_cast<double>(most));
  if (evaluation.within_slo || !setting_.request.slo.given()) {
    evaluation.sequences = most;
    return;
  }
  std::int64_t least = 0;
  while (most - least > std::max<std::int64_t>(1, least / 50)) {
    const std::int64_t middle = least + (most - least) / 2;
    settle(evaluation, passes, static_cast<double>(middle));
    (evaluation.within_slo ? least : most) = middle;
  }
  evaluation.sequences = std::max<std::int64_t>(1, least);
  settle(evaluation, passes, static_cast<double>(evaluation.sequences));
}

Evaluation Evaluator::evaluate(const Spread& spread) {
  const ServingWorkload& workload = setting_.request.workload;
  Evaluation evaluation;
  evaluation.spread = spread;
  const MemoryNeeds needs = memory_needs(setting_.anatomy, spread.parallelism, workload, setting_.gpu.memory);
  evaluation.capacity = needs.capacity();
  const bool filled = workload.fill_memory || (!setting_.request.load_given && setting_.request.slo.given());
  evaluation.sequences = workload.rate || filled ? 1 : (workload.concurrency + spread.dp() - 1) / spread.dp();
  evaluation.fits = evaluation.sequences <= evaluation.capacity;
  evaluation.memory = needs.with(evaluation.sequences).total();
  if (!evaluation.fits) return evaluation;
  PassModel passes(pass_, placements_, prices_, spread);
  if (filled) {
    fill(evaluation, passes);
  } else {
    settle(evaluation, passes, static_cast<double>(workload.concurrency) / spread.dp());
  }
  evaluation.connected = passes.failure().empty();
  evaluation.fits = evaluation.fits && evaluation.connected;
  evaluation.memory = needs.with(evaluation.sequences).total();
  return evaluation;
}

void Evaluator::add_axes(Candidate& candidate, PassModel& passes, const PassLoad& load) const {
  double communication = 0;
  for (const AxisTraffic& traffic : passes.traffic(load)) {
    candidate.axes.push_back(axis_cost(traffic));
    communication += traffic.seconds;
  }
  candidate.compute = passes.compute(load).latency();
  candidate.communication = Duration::from_us(communication * 1e6);
  for (AxisCost& axis : candidate.axes) axis.share = axis.time / candidate.step();
  if (candidate.spread.units < 2) return;
  const collective::Group& group = placements_.groups(llm::Axis::dp, candidate.spread).shapes.front();
  AxisCost copies;
  copies.axis = llm::Axis::dp;
  copies.scope = group.scope;
  copies.link = link_of(group);
  copies.collective = "none";
  candidate.axes.push_back(std::move(copies));
}

Candidate Evaluator::describe(const Evaluation& evaluation) {
  const ServingWorkload& workload = setting_.request.workload;
  Candidate candidate;
  candidate.spread = evaluation.spread;
  candidate.fits = evaluation.fits;
  candidate.within_slo = evaluation.within_slo;
  candidate.keeps_up = evaluation.keeps_up;
  candidate.capacity = evaluation.capacity * evaluation.spread.dp();
  candidate.sequences = evaluation.sequences;
  const MemoryNeeds needs =
      memory_needs(setting_.anatomy, evaluation.spread.parallelism, workload, setting_.gpu.memory);
  candidate.memory = needs.with(evaluation.sequences);
  PassModel passes(pass_, placements_, prices_, evaluation.spread);
  Evaluation timed = evaluation;
  if (evaluation.capacity < evaluation.sequences) settle(timed, passes, static_cast<double>(evaluation.sequences));
  candidate.state = timed.state;
  candidate.ttft = Duration::from_us(timed.state.ttft_s * 1e6);
  candidate.tpot = Duration::from_us(timed.state.itl_s * 1e6);
  candidate.tokens_per_s_per_gpu = timed.tokens_per_s_per_gpu;
  add_axes(candidate, passes, decode_load(timed.spread, timed.state.decoding));
  candidate.verdict = candidate.fits ? judge_share(candidate.communication / candidate.step()) : Verdict::infeasible;
  if (!passes.failure().empty()) {
    candidate.fits = false;
    candidate.verdict = Verdict::infeasible;
    candidate.reasons.push_back(passes.failure());
  }
  add_reasons(candidate, setting_, needs);
  return candidate;
}

Result<Duration> Evaluator::tensor_time(const Candidate& candidate, const collective::Group& group) const {
  const PassLoad load = decode_load(candidate.spread, candidate.state.decoding);
  const llm::Tokens tokens{std::llround(std::ceil(load.decode)), 0, std::llround(std::ceil(load.sampled))};
  Duration sum;
  for (const llm::Exchange& exchange : llm::exchanges_of_pass(setting_.anatomy, candidate.spread.parallelism, tokens)) {
    if (exchange.axis != llm::Axis::tp) continue;
    const Result<engine::closed::Cost> cost = prices_.cost(exchange, group);
    if (!cost) return fail(Error(cost.error()));
    sum += cost->total * exchange.count_per_step;
  }
  return sum;
}

}  // namespace weft::plan
