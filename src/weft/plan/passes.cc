#include "weft/plan/passes.h"

#include <algorithm>
#include <cmath>

namespace weft::plan {
namespace {

std::int64_t whole(double tokens) { return std::llround(std::ceil(tokens)); }

std::size_t index(llm::Axis axis) { return static_cast<std::size_t>(axis); }

}  // namespace

PassModel::PassModel(const PassSetting& setting, Placements& placements, Prices& prices, const Spread& spread)
    : setting_(setting),
      prices_(prices),
      parallelism_(spread.parallelism),
      step_(setting.anatomy, setting.kernels, spread.parallelism) {
  const auto use = [&](llm::Axis axis, bool used) {
    if (used) groups_[index(axis)] = &placements.groups(axis, spread);
  };
  use(llm::Axis::tp, parallelism_.tp > 1);
  use(llm::Axis::ep, parallelism_.attention_dp > 1);
  use(llm::Axis::cp, parallelism_.cp > 1);
  use(llm::Axis::pp, parallelism_.pp > 1);
}

llm::Batch PassModel::batch_of(const PassLoad& load) const {
  llm::Batch batch;
  batch.decode = load.decode;
  batch.context = setting_.context;
  batch.prompts = load.prompts;
  batch.tokens = load.tokens;
  batch.cached = load.cached;
  batch.sampled = load.sampled;
  batch.expert_imbalance = setting_.expert_skew;
  return batch;
}

// Whole tokens: nothing is sent in parts of one, and few different sizes are asked for.
llm::Tokens PassModel::tokens_of(const PassLoad& load) const {
  return {whole(load.decode), whole(load.prompts * load.tokens), whole(load.sampled)};
}

template <class Use>
void PassModel::for_each_exchange(const PassLoad& load, const Use& use) {
  for (const llm::Exchange& exchange : llm::exchanges_of_pass(setting_.anatomy, parallelism_, tokens_of(load))) {
    const Result<Price> price = prices_.of(exchange, *groups_[index(exchange.axis)]);
    if (!price) {
      failure_ = price.error().message;
      continue;
    }
    use(exchange, *price, price->seconds * static_cast<double>(exchange.count_per_step));
  }
}

PassSeconds PassModel::time_of(const PassLoad& load) {
  const llm::PassTime pass = compute(load);
  double everywhere = 0;
  double boundaries = 0;
  for_each_exchange(load, [&](const llm::Exchange& exchange, const Price&, double all) {
    (exchange.axis == llm::Axis::pp ? boundaries : everywhere) += all;
  });
  PassSeconds seconds;
  seconds.latency = pass.latency_s() + everywhere + boundaries;
  const double pp = parallelism_.pp;
  // What the host does for a pass it does for every micro-batch.
  seconds.slowest_stage =
      pp == 1 ? seconds.latency : std::max(pass.slowest_s + everywhere / pp + boundaries / (pp - 1), pass.step_s);
  return seconds;
}

llm::PassTime PassModel::compute(const PassLoad& load) const { return step_.pass(batch_of(load), load.prompts == 0); }

std::vector<AxisTraffic> PassModel::traffic(const PassLoad& load) {
  std::vector<AxisTraffic> axes;
  for_each_exchange(load, [&](const llm::Exchange& exchange, const Price& price, double all) {
    auto axis =
        std::find_if(axes.begin(), axes.end(), [&](const AxisTraffic& each) { return each.axis == exchange.axis; });
    if (axis == axes.end()) {
      axis = axes.emplace(axes.end());
      axis->axis = exchange.axis;
    }
    const double most = axis->main_price.seconds * static_cast<double>(axis->main.count_per_step);
    axis->seconds += all;
    if (all <= most) {
      axis->others.push_back(exchange);
      return;
    }
    if (axis->main.count_per_step > 0) axis->others.push_back(axis->main);
    axis->main = exchange;
    axis->main_price = price;
  });
  return axes;
}

}  // namespace weft::plan
