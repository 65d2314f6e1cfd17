// Continuous batching at steady state: what one engine does when sequences keep coming.
//
// An engine runs passes. In each, every decoding sequence gets a token, and prompts are worked on in what is left of
// the token budget B (chunked prefill, arXiv:2308.16369). With D sequences decoding, O tokens to generate, P of prompt:
//
//   a prompt takes           K = ceil(P / (B - D)) chunks
//   prompt tokens a pass     u = D P / O on average, since D / O requests end and begin a pass
//   passes with prompts      f = u K / P, of P / K tokens each; once f reaches 1, each takes u
//   time between tokens      itl = (1 - f) T(D, 0) + f T(D, u or P / K)
//   utilisation              rho = u / (B - D)
//   first token              what is left of a pass, E[T^2] / 2 E[T]; + waiting, rho / (2 (1 - rho)) S (a server with
//                            even service, Pollaczek-Khinchine; by (N - 1) / N where N sequences replace each other);
//                            + S = K T of one's own chunks
//   in flight                N = D + X TTFT, with X = D / (O itl) requests a second (Little)
//
// N given (each request followed by the next) or X given (requests at random) fixes D. Where prompts come faster than
// the budget takes them (rho = 1), D is what the budget can feed and the rest waits.
//
// Whole prompts (B = 0): a prompt's pass runs alone and decoding waits: itl = T(D, 0) + D / O T(0, P).
//
// Pipelines: pp micro-batches of D / pp are in flight, each as above; itl is the longer of a pass through all stages
// and pp times the slowest stage; K chunks follow each other through the stages.
//
// What it leaves out: bursts (a benchmark that starts all at once), the spread around the means, lengths that differ
// between requests, preemption when the KV cache overflows, prefix caches, speculative decoding.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/plan/workload.h"

namespace weft::plan {

// How long a pass takes, and its slowest stage.
struct PassSeconds {
  double latency = 0;
  double slowest_stage = 0;
};

// Tokens of one pass: `decode` sequences and `prompts` x `tokens` of prompts that have `cached` behind them.
struct PassLoad {
  double decode = 0;
  double prompts = 0;
  double tokens = 0;
  double cached = 0;
  double sampled = 0;
};

class PassTimer {
 public:
  virtual ~PassTimer() = default;
  virtual PassSeconds time_of(const PassLoad& load) = 0;
};

// What comes to one engine: sequences in flight, or requests a second.
struct Arrivals {
  double in_flight = 0;
  std::optional<double> rate;
};

struct SteadyState {
  double decoding = 0;   // sequences that get a token in a pass, all micro-batches together
  double in_flight = 0;  // with those whose first token is still to come
  double itl_s = 0;      // mean time between tokens
  double ttft_s = 0;
  double wait_s = 0;  // of it: before one's prompt is worked on
  double requests_per_s = 0;
  double decode_pass_s = 0;  // a pass without prompts
  double prefill_share = 0;  // f
  double prompt_tokens = 0;  // of such a pass
  double utilisation = 0;    // rho
  bool saturated = false;    // rho has reached 1
};

SteadyState steady_state(PassTimer& passes, const ServingWorkload& workload, const Arrivals& arrivals, int pp);

}  // namespace weft::plan
