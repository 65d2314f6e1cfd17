#include "weft/plan/serving.h"

#include <algorithm>
#include <cmath>

namespace weft::plan {
namespace {

constexpr double kFull = 0.98;  // beyond this a queue has no steady state worth a number
constexpr int kMostSteps = 12;
constexpr double kClose = 2e-3;

class Engine {
 public:
  Engine(PassTimer& passes, const ServingWorkload& workload, int pp)
      : passes_(passes),
        prompt_(static_cast<double>(workload.prompt)),
        output_(static_cast<double>(workload.output)),
        budget_(static_cast<double>(workload.chunk)),
        pp_(pp) {}

  // With this many sequences decoding. `others`: the share of a request's competitors that can come before it.
  SteadyState at(double decoding, double others) {
    SteadyState state;
    state.decoding = decoding;
    const double micro_batches = std::clamp(std::ceil(decoding), 1.0, static_cast<double>(pp_));
    const double batch = std::max(1.0, decoding / micro_batches);
    const PassSeconds plain = passes_.time_of({.decode = batch, .sampled = batch});
    state.decode_pass_s = between(plain, micro_batches);
    if (budget_ > 0) {
      chunked(state, plain, micro_batches, batch, others);
    } else {
      whole(state, micro_batches, others);
    }
    state.ttft_s += state.wait_s;
    state.requests_per_s = decoding / (output_ * state.itl_s);
    state.in_flight = decoding + state.requests_per_s * state.ttft_s;
    return state;
  }

 private:
  // Time between the tokens of a sequence when every pass is like this.
  static double between(const PassSeconds& pass, double micro_batches) {
    return std::max(pass.latency, micro_batches * pass.slowest_stage);
  }

  void chunked(SteadyState& state, const PassSeconds& plain, double micro_batches, double batch, double others) {
    const double room = std::max(budget_ - batch, budget_ / 16);
    const double chunks = std::ceil(prompt_ / room);
    const double piece = prompt_ / chunks;
    // Micro-batches that are not there yet bring no prompts.
    const double wanted = std::min(batch, state.decoding / micro_batches) * prompt_ / output_;
    const double taken = std::min(wanted, room);
    state.prefill_share = std::min(1.0, taken / piece);
    state.prompt_tokens = std::max(piece, taken);
    state.utilisation = wanted / room;
    state.saturated = state.utilisation >= kFull;
    const PassSeconds mixed = passes_.time_of(mixed_load(batch, state.prompt_tokens, piece, chunks));
    const double decode = between(plain, micro_batches);
    const double with_prompt = between(mixed, micro_batches);
    const double f = state.prefill_share;
    state.itl_s = (1 - f) * decode + f * with_prompt;
    const double left = ((1 - f) * decode * decode + f * with_prompt * with_prompt) / (2 * state.itl_s);
    const double own = mixed.latency + (chunks - 1) * (pp_ > 1 ? mixed.slowest_stage : mixed.latency);
    state.wait_s = others * std::min(1.0, state.decoding) * left + waiting(state.utilisation, own, others);
    state.ttft_s = own;
  }

  PassLoad mixed_load(double batch, double tokens, double piece, double chunks) const {
    PassLoad load;
    load.decode = batch;
    load.prompts = tokens / piece;
    load.tokens = piece;
    load.cached = piece * (chunks - 1) / 2;
    load.sampled = batch + load.prompts / chunks;
    return load;
  }

  void whole(SteadyState& state, double micro_batches, double others) {
    const PassSeconds prompt = passes_.time_of({.prompts = 1, .tokens = prompt_, .sampled = 1});
    const double each = micro_batches > 1 ? prompt.slowest_stage : prompt.latency;
    state.prompt_tokens = prompt_;
    const double stall = state.decoding / output_ * each;
    state.itl_s = state.decode_pass_s + stall;
    state.utilisation = stall / state.itl_s;
    state.prefill_share = state.utilisation;
    state.saturated = state.utilisation >= kFull;
    const double left = state.decode_pass_s / 2;
    state.wait_s = others * std::min(1.0, state.decoding) * left + waiting(state.utilisation, each, others);
    state.ttft_s = prompt.latency;
  }

  static double waiting(double utilisation, double service, double others) {
    const double rho = std::min(utilisation, kFull);
    return others * rho / (2 * (1 - rho)) * service;
  }

  PassTimer& passes_;
  double prompt_;
  double output_;
  double budget_;
  int pp_;
};

// The D at which `missing(D)`, which falls with D, is zero: between `low` and `high`, by regula falsi (Illinois).
template <class Missing>
SteadyState solve(Engine& engine, double low, double high, double others, const Missing& missing) {
  SteadyState state = engine.at(high, others);
  double at_high = missing(state);
  if (at_high >= 0) return state;
  double at_low = missing.at_zero();
  for (int step = 0; step < kMostSteps; ++step) {
    const double middle = low + (high - low) * at_low / (at_low - at_high);
    state = engine.at(middle, others);
    const double value = missing(state);
    if (std::abs(value) <= kClose * missing.at_zero() || high - low <= kClose * high) break;
    if (value > 0) {
      low = middle;
      at_low = value;
      at_high /= 2;
    } else {
      high = middle;
      at_high = value;
      at_low /= 2;
    }
  }
  return state;
}

struct InFlight {
  double wanted;
  double operator()(const SteadyState& state) const { return wanted - state.in_flight; }
  [[nodiscard]] double at_zero() const { return wanted; }
};

struct Coming {
  double wanted;
  double operator()(const SteadyState& state) const { return wanted - state.requests_per_s; }
  [[nodiscard]] double at_zero() const { return wanted; }
};

// The most sequences whose prompts the budget can feed: where rho reaches 1.
double most_fed(const ServingWorkload& workload, int pp) {
  if (workload.chunk <= 0) return 1e9;
  const double budget = static_cast<double>(workload.chunk);
  const double ratio = static_cast<double>(workload.prompt) / static_cast<double>(workload.output);
  return std::max(1.0, pp * budget * kFull / (kFull + ratio));
}

// Sequences that wait beyond what the engine can feed.
void add_waiting(SteadyState& state, double in_flight) {
  state.saturated = true;
  state.in_flight = in_flight;
  const double ttft = (in_flight - state.decoding) / state.requests_per_s;
  state.wait_s += ttft - state.ttft_s;
  state.ttft_s = ttft;
}

}  // namespace

SteadyState steady_state(PassTimer& passes, const ServingWorkload& workload, const Arrivals& arrivals, int pp) {
  Engine engine(passes, workload, pp);
  const double most = most_fed(workload, pp);
  if (arrivals.rate) {
    // Upwards until the rate is met: decoding more at once always serves more, up to what the budget feeds.
    double high = 1;
    SteadyState state = engine.at(high, 1.0);
    while (state.requests_per_s < *arrivals.rate && high < most) {
      high = std::min(most, high * 2);
      state = engine.at(high, 1.0);
      if (high >= 1e6) break;
    }
    if (state.requests_per_s < *arrivals.rate) {
      state.saturated = true;
      return state;
    }
    return solve(engine, 0, high, 1.0, Coming{*arrivals.rate});
  }
  const double wanted = arrivals.in_flight;
  const double others = std::max(0.0, 1 - 1 / std::max(1.0, wanted));
  const double high = std::min(wanted, most);
  SteadyState state = solve(engine, 0, high, others, InFlight{wanted});
  if (high < wanted && state.in_flight < wanted) add_waiting(state, wanted);
  return state;
}

}  // namespace weft::plan
