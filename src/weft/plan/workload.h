// What a served model is used for, and what is asked of it.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/units/units.h"

namespace weft::plan {

struct ServingWorkload {
  std::int64_t prompt = 2048;
  std::int64_t output = 256;
  // How much comes. Sequences in flight over the whole cluster, each followed by the next as it ends; or `rate`
  // requests a second that come at random; or, with `fill_memory`, as many as the KV cache holds.
  std::int64_t concurrency = 32;
  std::optional<double> rate;
  bool fill_memory = false;
  // Tokens that a pass takes at most, of prompts beside those that are decoded (chunked prefill: vLLM's
  // --max-num-batched-tokens); 0: prompts run whole and by themselves, and decoding waits.
  std::int64_t chunk = 8192;
  // What the busiest GPU gets of the routed tokens, over the mean.
  double expert_skew = 1;
};

// Means that must not be exceeded.
struct Slo {
  std::optional<Duration> ttft;
  std::optional<Duration> tpot;
  [[nodiscard]] bool given() const { return ttft || tpot; }
};

enum class Objective { throughput, latency };

}  // namespace weft::plan
