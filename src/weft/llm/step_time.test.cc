#include "weft/llm/step_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weft/llm/flops.h"
#include "weft/llm/memory.h"
#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

using catalog::GpuPart;
using catalog::ModelShape;
using catalog::NumberFormat;

// H100 SXM: 3.35 TB/s, 989 TFLOP/s dense in 16 bits (NVIDIA H100 datasheet).
GpuPart h100() {
  GpuPart gpu;
  gpu.memory_rate = Rate::gbyte_per_s(3350);
  gpu.fp16_tflops = 989.4;
  gpu.fp8_tflops = 1978.9;
  return gpu;
}

TEST(StepTime, SmallBatchDecodeIsReadingTheWeights) {
  const ModelShape model = shipped("llama-3.1-70b");
  const StepTime time = decode_time(model, {8, 1, 1}, h100(), {}, 1, 1);
  ASSERT_EQ(time.stages.size(), 1u);
  const StageTime& stage = time.stages[0];
  // All but the token table: (70.55e9 - 1.05e9) x 2 B / 8 / 3.35 TB/s = 5.19 ms.
  const Bytes table = Bytes(2 * model.vocab * model.hidden / 8);
  EXPECT_EQ(stage.weights_read, stage_weights(model, {8, 1, 1}, 0).total() - table);
  EXPECT_NEAR(time.latency().us(), 5187, 1);
  EXPECT_NEAR((stage.matrices + stage.head).us(), (stage.weights_read / h100().memory_rate).us(), 1e-5);
}

TEST(StepTime, EfficiencyScalesMemoryTime) {
  const ModelShape model = shipped("llama-3.1-70b");
  const double whole = decode_time(model, {8, 1, 1}, h100(), {1.0, 1.0}, 1, 1).latency().us();
  const double half = decode_time(model, {8, 1, 1}, h100(), {0.5, 1.0}, 1, 1).latency().us();
  EXPECT_NEAR(half, 2 * whole, 0.01);
}

TEST(StepTime, TheCacheIsReadForEachSequence) {
  const ModelShape model = shipped("llama-3.1-70b");
  const StageTime stage = decode_time(model, {8, 1, 1}, h100(), {}, 64, 4096).stages.at(0);
  EXPECT_EQ(stage.kv_read, Bytes(64LL * 4096 * 327'680 / 8));
  EXPECT_EQ(stage.attention, stage.kv_read / h100().memory_rate);
}

TEST(StepTime, LargePrefillIsComputing) {
  const ModelShape model = shipped("llama-3.1-70b");
  const StepTime time = prefill_time(model, {8, 1, 1}, h100(), {1.0, 0.7}, 1, 8192);
  const Flops flops = prefill_flops(model, 8192);
  const double seconds = (flops.matrices + flops.attention) / 8 / (989.4e12 * 0.7);
  const double head = 2.0 * 128256 * 8192 / 8 / 3.35e12;  // one row of logits: the head is read, not computed
  EXPECT_NEAR(time.latency().seconds(), seconds + head, seconds * 1e-6);
}

TEST(StepTime, BatchCrossesFromMemoryToCompute) {
  const ModelShape model = shipped("llama-3.1-8b");
  // Equal where batch x 2 FLOPs / 989.4 T = 2 B / 3.35 T: a batch of 295.
  const auto matrices = [&](std::int64_t batch) {
    return decode_time(model, {}, h100(), {}, batch, 1).stages[0].matrices;
  };
  EXPECT_EQ(matrices(1), matrices(295));
  EXPECT_GT(matrices(297), matrices(295));
  EXPECT_NEAR(matrices(2950).us() / matrices(295).us(), 10, 0.05);
}

TEST(StepTime, StagesAddUpForOneTokenAndOverlapForMany) {
  const ModelShape model = shipped("llama-3.1-405b");
  const StepTime flat = decode_time(model, {8, 1, 1}, h100(), {}, 1, 1000);
  const StepTime deep = decode_time(model, {8, 4, 1}, h100(), {}, 1, 1000);
  ASSERT_EQ(deep.stages.size(), 4u);
  EXPECT_NEAR(deep.latency().us(), flat.latency().us(), 1e-4);
  EXPECT_LT(deep.slowest_stage().us(), 0.27 * deep.latency().us());
}

TEST(StepTime, DistinctExperts) {
  EXPECT_DOUBLE_EQ(distinct_experts(256, 8, 1), 8);
  EXPECT_DOUBLE_EQ(distinct_experts(256, 8, 0), 0);
  EXPECT_NEAR(distinct_experts(8, 2, 2), 3.5, 1e-12);  // 8 (1 - (3/4)^2)
  EXPECT_NEAR(distinct_experts(256, 8, 10'000), 256, 1e-9);
  EXPECT_DOUBLE_EQ(distinct_experts(8, 8, 1), 8);
  EXPECT_DOUBLE_EQ(distinct_experts(0, 0, 5), 0);
}

TEST(StepTime, OnlyTheExpertsThatAreHitAreRead) {
  const ModelShape model = shipped("deepseek-v3");
  const Bytes experts = stage_weights(model, {8, 1, 1}, 0)[Component::experts];
  const auto read = [&](std::int64_t batch, Parallelism p) {
    return decode_time(model, p, h100(), {}, batch, 1).stages[0].weights_read;
  };
  const Bytes all = read(1'000'000, {8, 1, 1});
  EXPECT_NEAR(static_cast<double>((all - read(1, {8, 1, 1})).count()),
              static_cast<double>(experts.count()) * (1 - 8.0 / 256), 2.0);
  // Replicas that share experts bring their tokens: eight of one token hit what one of eight tokens does.
  const Bytes shared = stage_weights(model, {1, 1, 8}, 0)[Component::experts];
  EXPECT_NEAR(static_cast<double>((read(1'000'000, {1, 1, 8}) - read(1, {1, 1, 8})).count()),
              static_cast<double>(shared.count()) * std::pow(1 - 8.0 / 256, 8), 2.0);
}

TEST(StepTime, ATiedTableIsReadAsTheHead) {
  const ModelShape model = shipped("llama-3.2-1b");
  const StageTime stage = decode_time(model, {}, h100(), {}, 1, 1).stages.at(0);
  EXPECT_EQ(stage.weights_read, Bytes(2 * model.published_parameters));
}

TEST(StepTime, RatesByFormat) {
  const GpuPart gpu = h100();
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::bf16).tflops, 989.4);
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::fp8).tflops, 1978.9);
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::nvfp4).tflops, 989.4);
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::int4).tflops, 989.4);
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::fp32).tflops, 494.7);
  GpuPart b200 = gpu;
  b200.fp4_tflops = 9000;
  EXPECT_DOUBLE_EQ(matrix_rate(b200, NumberFormat::nvfp4).tflops, 9000);
  EXPECT_DOUBLE_EQ(matrix_rate(b200, NumberFormat::mxfp4).tflops, 1978.9);
  GpuPart a100 = gpu;
  a100.fp8_tflops = 0;
  EXPECT_DOUBLE_EQ(matrix_rate(a100, NumberFormat::fp8).tflops, 989.4);
  EXPECT_EQ(matrix_rate(a100, NumberFormat::fp8).why, "no fp8 units: weights are widened to 16 bits");
}

TEST(StepTime, APartWithoutRatesNeverFinishes) {
  const StepTime time = decode_time(shipped("llama-3.1-8b"), {}, GpuPart{}, {}, 1, 1);
  EXPECT_EQ(time.latency(), Duration(std::numeric_limits<std::int64_t>::max()));
}

}  // namespace
}  // namespace weft::llm
