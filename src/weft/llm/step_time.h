// How long the GPUs themselves take for one step: a roofline, stage by stage.
//
//   time of a part = max(bytes it must read / (memory rate x efficiency), FLOPs / (peak x efficiency))
//   a stage        = its matrices + its attention + its head, one after another
//   latency        = the sum over stages (a token goes through all); throughput is bounded by the slowest stage
//
// Weights are read once a step whatever the batch, of routed experts only those that some token hits:
// E (1 - (1 - k / E)^tokens) of E, if the router spreads tokens evenly. The KV cache is read once for each sequence.
//
// What it leaves out: launches, the host, sampling, communication (traffic.h says what is sent), and overlap of memory
// with compute between parts. The efficiencies carry what kernels fall short of the peaks by; they come from
// calibration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/catalog/model_shape.h"
#include "weft/catalog/parts.h"
#include "weft/llm/parallelism.h"
#include "weft/units/units.h"

namespace weft::llm {

struct RooflineEfficiency {
  double memory = 1.0;   // of the memory rate that reading weights and cache reaches
  double compute = 1.0;  // of the peak that matrix multiplication reaches
};

// Dense TFLOP/s at which matrices with weights in `format` are multiplied, and why that figure.
struct MatrixRate {
  double tflops = 0;
  std::string why;  // "fp8 tensor cores", "no fp8 units: widened to 16 bits"
};
[[nodiscard]] MatrixRate matrix_rate(const catalog::GpuPart& gpu, catalog::NumberFormat format);

struct StageTime {
  Bytes weights_read;
  Bytes kv_read;
  double flops = 0;  // of one GPU
  Duration matrices;
  Duration attention;
  Duration head;

  [[nodiscard]] Duration total() const { return matrices + attention + head; }
};

struct StepTime {
  std::vector<StageTime> stages;

  [[nodiscard]] Duration latency() const;
  [[nodiscard]] Duration slowest_stage() const;
};

// One new token for each of `sequences` sequences that have `context` tokens, the new one included.
[[nodiscard]] StepTime decode_time(const catalog::ModelShape& shape, const Parallelism& parallelism,
                                   const catalog::GpuPart& gpu, const RooflineEfficiency& efficiency,
                                   std::int64_t sequences, std::int64_t context);
// `sequences` prompts of `tokens` tokens each, in one pass.
[[nodiscard]] StepTime prefill_time(const catalog::ModelShape& shape, const Parallelism& parallelism,
                                    const catalog::GpuPart& gpu, const RooflineEfficiency& efficiency,
                                    std::int64_t sequences, std::int64_t tokens);

// How many of `experts` at least one of `tokens` hits, each token hitting `per_token` of them, evenly: E (1 - (1 -
// k/E)^n).
[[nodiscard]] double distinct_experts(int experts, int per_token, double tokens);

}  // namespace weft::llm
