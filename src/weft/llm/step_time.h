// How long the GPUs themselves take for one pass through a model: kernel by kernel, stage by stage.
//
//   a layer   its matrices (layer_matrices.h), attention over prompts and over the cache, and the small kernels between
//             them: norms with the residual sum, rotary and cache write, activation, quantising, routing
//   a stage   its layers + embedding or head and sampling, one after another
//   latency   the sum over stages (a token goes through all); throughput is bounded by the slowest stage
//
// A pass may hold decoding sequences (one token each) and prompts or chunks of them, as engines with chunked prefill
// run them: matrices see all tokens at once, attention the two apart.
//
// Weights are read once a pass whatever the batch; of routed experts those that some token hits,
// E (1 - (1 - k / E)^tokens) of E, if the router spreads tokens evenly; their matrices run grouped, as one of that many
// columns with the mean rows of an expert. `expert_imbalance` is what the busiest GPU gets of the mean.
//
// Under context parallelism a GPU works on 1 / cp of a prompt's tokens and attends over 1 / cp of a decoding sequence's
// cache; its matrices see all decoding sequences.
//
// What it leaves out: communication (traffic.h says what is sent), and overlap between kernels.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/llm/anatomy.h"
#include "weft/llm/kernel_times.h"
#include "weft/llm/layer_matrices.h"
#include "weft/llm/parallelism.h"
#include "weft/units/units.h"

namespace weft::llm {

// What goes through in one pass, on one replica's tp group. Fractions stand for means over many passes.
struct Batch {
  double decode = 0;   // sequences that get one token each
  double context = 0;  // tokens that each of them attends to, itself included
  double prompts = 0;  // prompts of which some tokens go through
  double tokens = 0;   // of each of them
  double cached = 0;   // tokens of each of them that went through before
  double sampled = 0;  // positions whose next token is drawn
  double expert_imbalance = 1;

  [[nodiscard]] double all_tokens() const { return decode + prompts * tokens; }
};
[[nodiscard]] Batch decode_batch(double sequences, double context);
[[nodiscard]] Batch prefill_batch(double prompts, double tokens);

// Seconds, bytes and FLOPs of one GPU.
struct StageTime {
  double weights_read = 0;
  double kv_read = 0;
  double flops = 0;
  double matrices_s = 0;
  double attention_s = 0;
  double small_s = 0;  // the kernels between them
  double head_s = 0;   // head and sampling
  double kernels = 0;  // launched

  [[nodiscard]] double total_s() const { return matrices_s + attention_s + small_s + head_s; }
};

struct PassTime {
  StageTime sum;         // over stages
  double slowest_s = 0;  // stage
  double host_s = 0;     // launching every kernel from the host
  double step_s = 0;     // the engine's work on the host
  bool captured = true;  // in a graph: launching costs nothing here

  [[nodiscard]] double latency_s() const;
  [[nodiscard]] Duration latency() const { return Duration::from_us(latency_s() * 1e6); }
};

class StepModel {
 public:
  // Both must outlive it; llm::possible() must hold.
  StepModel(const Anatomy& anatomy, const KernelTimes& kernels, const Parallelism& parallelism);

  [[nodiscard]] StageTime stage(const Batch& batch, int index) const;
  // `captured`: replayed from a graph, as engines do for decoding alone.
  [[nodiscard]] PassTime pass(const Batch& batch, bool captured) const;

 private:
  // What the stages are made of: one layer of each kind, and the ends.
  struct Parts {
    StageTime dense;
    StageTime moe;
    StageTime full_attention;
    StageTime windowed;
    StageTime embedding;
    StageTime head;
  };
  [[nodiscard]] Parts parts(const Batch& batch) const;
  [[nodiscard]] StageTime stage_of(const Parts& parts, int index) const;
  [[nodiscard]] StageTime layer_time(const Batch& batch, bool moe) const;
  [[nodiscard]] StageTime attention_time(const Batch& batch, double window) const;
  [[nodiscard]] StageTime head_time(const Batch& batch) const;
  [[nodiscard]] double rows(const Batch& batch) const;

  const Anatomy& anatomy_;
  const KernelTimes& kernels_;
  Parallelism parallelism_;
  Matrices dense_;
  Matrices moe_;
  Matrix head_;
  double kv_bytes_ = 0;          // a token and layer, on this GPU
  double activation_bytes_ = 2;  // a number
};

// How many of `experts` at least one of `tokens` hits, each token hitting `per_token` of them, evenly: E (1 - (1 -
// k/E)^n).
[[nodiscard]] double distinct_experts(int experts, int per_token, double tokens);

}  // namespace weft::llm
