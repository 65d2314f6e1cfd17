#include "weft/llm/step_time.h"

#include <algorithm>
#include <cmath>

#include "weft/llm/flops.h"
#include "weft/llm/memory.h"

namespace weft::llm {

using catalog::GpuPart;
using catalog::ModelShape;
using catalog::NumberFormat;

namespace {

// What a pass does on one GPU of a stage, before any rate is known.
struct StageWork {
  Bytes matrix_bytes;
  Bytes head_bytes;
  Bytes kv_bytes;
  Flops flops;
};

Duration from_seconds(double seconds) { return Duration::from_us(seconds * 1e6); }

Duration read_time(Bytes bytes, const GpuPart& gpu, const RooflineEfficiency& efficiency) {
  return bytes / gpu.memory_rate.scaled(efficiency.memory);
}

// A rate of zero never finishes.
double compute_seconds(double flops, double tflops, const RooflineEfficiency& efficiency) {
  return flops == 0 ? 0.0 : flops / (tflops * 1e12 * efficiency.compute);
}

// Everything but the routed experts is read whole; the token table is looked up row by row, which is nothing.
Bytes matrices_read(const ModelShape& shape, const Parallelism& parallelism, const WeightBytes& weights,
                    double tokens) {
  const Bytes experts = weights[Component::experts];
  Bytes read = weights.total() - experts - weights[Component::embedding] - weights[Component::positions] -
               weights[Component::head];
  if (shape.moe.experts == 0) return read;
  const double of_group = std::max(1.0, static_cast<double>(parallelism.ep) / parallelism.tp);  // replicas sharing them
  const double hit = distinct_experts(shape.moe.experts, shape.moe.experts_per_token, tokens * of_group);
  const double share = hit / shape.moe.experts;
  return read + Bytes(std::llround(static_cast<double>(experts.count()) * share));
}

Bytes head_read(const ModelShape& shape, const Stage& stage, const WeightBytes& weights) {
  if (!stage.has_head) return Bytes(0);
  return shape.tied_embeddings && stage.has_embedding ? weights[Component::embedding] : weights[Component::head];
}

// `tokens` pass through in all, `sequences` positions are sampled, attention is given for one sequence and all heads.
StageWork stage_work(const ModelShape& shape, const Parallelism& parallelism, int index, double tokens,
                     std::int64_t sequences, std::int64_t context, double attention_flops) {
  const Stage stage = pipeline_stage(shape, parallelism.pp, index);
  const WeightBytes weights = stage_weights(shape, parallelism, index);
  StageWork work;
  work.matrix_bytes = matrices_read(shape, parallelism, weights, tokens);
  work.head_bytes = head_read(shape, stage, weights);
  work.kv_bytes = kv_cache(shape, parallelism, index, context) * sequences;
  work.flops = stage_matrix_flops(shape, parallelism, stage);
  work.flops.matrices *= tokens;
  work.flops.quantised_matrices *= tokens;
  work.flops.head *= static_cast<double>(sequences);
  work.flops.attention = attention_flops / parallelism.tp * static_cast<double>(sequences);
  return work;
}

StageTime stage_time(const ModelShape& shape, const StageWork& work, const GpuPart& gpu,
                     const RooflineEfficiency& efficiency) {
  const double plain_rate = matrix_rate(gpu, shape.compute).tflops;
  const double quantised_rate = matrix_rate(gpu, shape.weights).tflops;
  const double head_rate = shape.head_quantised ? quantised_rate : plain_rate;
  const Duration multiply = from_seconds(compute_seconds(work.flops.matrices, plain_rate, efficiency) +
                                         compute_seconds(work.flops.quantised_matrices, quantised_rate, efficiency));
  const Duration attend = from_seconds(compute_seconds(work.flops.attention, plain_rate, efficiency));
  const Duration sample = from_seconds(compute_seconds(work.flops.head, head_rate, efficiency));

  StageTime time;
  time.weights_read = work.matrix_bytes + work.head_bytes;
  time.kv_read = work.kv_bytes;
  time.flops = work.flops.total();
  time.matrices = std::max(read_time(work.matrix_bytes, gpu, efficiency), multiply);
  time.attention = std::max(read_time(work.kv_bytes, gpu, efficiency), attend);
  time.head = std::max(read_time(work.head_bytes, gpu, efficiency), sample);
  return time;
}

}  // namespace

double distinct_experts(int experts, int per_token, double tokens) {
  if (experts <= 0) return 0;
  const double missed = 1.0 - static_cast<double>(per_token) / experts;
  return experts * (1.0 - std::pow(missed, tokens));
}

MatrixRate matrix_rate(const GpuPart& gpu, NumberFormat format) {
  switch (format) {
    case NumberFormat::fp32:
      return {gpu.fp16_tflops / 2, "fp32 as TF32, half the 16-bit rate"};
    case NumberFormat::bf16:
    case NumberFormat::fp16:
      return {gpu.fp16_tflops, "16-bit tensor cores"};
    case NumberFormat::fp8:
      if (gpu.fp8_tflops > 0) return {gpu.fp8_tflops, "fp8 tensor cores"};
      return {gpu.fp16_tflops, "no fp8 units: weights are widened to 16 bits"};
    case NumberFormat::int8:
    case NumberFormat::int4:
      return {gpu.fp16_tflops, "integer weights are widened to 16 bits, as in GPTQ, AWQ and bitsandbytes kernels"};
    case NumberFormat::nvfp4:
      if (gpu.fp4_tflops > 0) return {gpu.fp4_tflops, "fp4 tensor cores"};
      return {gpu.fp16_tflops, "no fp4 units: weights are widened to 16 bits"};
    case NumberFormat::mxfp4:
      if (gpu.fp4_tflops > 0 && gpu.fp8_tflops > 0) {
        return {gpu.fp8_tflops, "mxfp4 weights with 8-bit activations run at the fp8 rate"};
      }
      return {gpu.fp16_tflops, "no fp4 units: weights are widened to 16 bits"};
  }
  return {gpu.fp16_tflops, "16-bit tensor cores"};
}

Duration StepTime::latency() const {
  Duration sum;
  for (const StageTime& stage : stages) sum += stage.total();
  return sum;
}

Duration StepTime::slowest_stage() const {
  Duration most;
  for (const StageTime& stage : stages) most = std::max(most, stage.total());
  return most;
}

StepTime decode_time(const ModelShape& shape, const Parallelism& parallelism, const GpuPart& gpu,
                     const RooflineEfficiency& efficiency, std::int64_t sequences, std::int64_t context) {
  StepTime time;
  for (int index = 0; index < parallelism.pp; ++index) {
    const double attention = decode_attention_flops(shape, pipeline_stage(shape, parallelism.pp, index), context);
    const StageWork work =
        stage_work(shape, parallelism, index, static_cast<double>(sequences), sequences, context, attention);
    time.stages.push_back(stage_time(shape, work, gpu, efficiency));
  }
  return time;
}

StepTime prefill_time(const ModelShape& shape, const Parallelism& parallelism, const GpuPart& gpu,
                      const RooflineEfficiency& efficiency, std::int64_t sequences, std::int64_t tokens) {
  const double all_tokens = static_cast<double>(sequences) * static_cast<double>(tokens);
  StepTime time;
  for (int index = 0; index < parallelism.pp; ++index) {
    const Stage stage = pipeline_stage(shape, parallelism.pp, index);
    const double attention = prefill_attention_flops(shape, stage, tokens, 0);
    const StageWork work = stage_work(shape, parallelism, index, all_tokens, sequences, tokens, attention);
    time.stages.push_back(stage_time(shape, work, gpu, efficiency));
  }
  return time;
}

}  // namespace weft::llm
