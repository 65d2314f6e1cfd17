#include "weft/llm/step_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "weft/llm/flops.h"
#include "weft/llm/h100.test.h"
#include "weft/llm/memory.h"
#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

using catalog::GpuPart;
using catalog::ModelShape;

// The bare roofline without the small kernels' traffic: what the closed forms speak of.
KernelTimes bare(const ModelShape& model) {
  KernelTimes kernels(h100(), model);
  kernels.vector_memory = std::numeric_limits<double>::infinity();
  return kernels;
}

PassTime pass(const ModelShape& model, const Parallelism& parallelism, const Batch& batch, bool captured = true) {
  const Anatomy anatomy(model);
  const KernelTimes kernels = bare(model);
  return StepModel(anatomy, kernels, parallelism).pass(batch, captured);
}

TEST(StepTime, SmallBatchDecodeIsReadingTheWeights) {
  const ModelShape model = shipped("llama-3.1-70b");
  const PassTime time = pass(model, {8, 1, 1}, decode_batch(1, 1));
  // All but the token table and the norms: (70.55e9 - 1.05e9) x 2 B / 8 / 3.35 TB/s = 5.19 ms.
  const Bytes table = Bytes(2 * model.vocab * model.hidden / 8);
  const WeightBytes weights = stage_weights(model, {8, 1, 1}, 0);
  EXPECT_DOUBLE_EQ(time.sum.weights_read,
                   static_cast<double>((weights.total() - table - weights[Component::norms]).count()));
  EXPECT_NEAR(time.latency().us(), 5187, 2);
}

TEST(StepTime, SharesScaleMemoryTime) {
  const ModelShape model = shipped("llama-3.1-70b");
  const Anatomy anatomy(model);
  KernelTimes kernels = bare(model);
  const double whole = StepModel(anatomy, kernels, {8, 1, 1}).pass(decode_batch(1, 1), true).sum.matrices_s;
  kernels.plain.memory = 0.5;
  const double half = StepModel(anatomy, kernels, {8, 1, 1}).pass(decode_batch(1, 1), true).sum.matrices_s;
  EXPECT_NEAR(half, 2 * whole, 1e-9);
}

TEST(StepTime, TheCacheIsReadForEachSequence) {
  const PassTime time = pass(shipped("llama-3.1-70b"), {8, 1, 1}, decode_batch(64, 4096));
  EXPECT_DOUBLE_EQ(time.sum.kv_read, 64.0 * 4096 * 327'680 / 8);
  EXPECT_NEAR(time.sum.attention_s, time.sum.kv_read / 3350e9, 1e-9);
}

TEST(StepTime, ContextParallelismDividesTheCacheButNotTheMatrices) {
  const ModelShape model = shipped("llama-3.1-70b");
  const PassTime alone = pass(model, {8, 1, 1}, decode_batch(64, 4096));
  const PassTime four = pass(model, {8, 1, 1, 4}, decode_batch(64, 4096));
  EXPECT_NEAR(four.sum.attention_s * 4, alone.sum.attention_s, 1e-9);
  EXPECT_DOUBLE_EQ(four.sum.matrices_s, alone.sum.matrices_s);
  const PassTime prompt = pass(model, {8, 1, 1}, prefill_batch(1, 65536));
  const PassTime in_parts = pass(model, {8, 1, 1, 4}, prefill_batch(1, 65536));
  EXPECT_NEAR(in_parts.sum.matrices_s * 4, prompt.sum.matrices_s, 1e-3 * prompt.sum.matrices_s);
  EXPECT_NEAR(in_parts.sum.attention_s * 4, prompt.sum.attention_s, 1e-3 * prompt.sum.attention_s);
}

TEST(StepTime, LargePrefillIsComputing) {
  const ModelShape model = shipped("llama-3.1-70b");
  const PassTime time = pass(model, {8, 1, 1}, prefill_batch(1, 8192));
  const Flops flops = prefill_flops(model, 8192);
  const double seconds = (flops.matrices + flops.attention) / 8 / 989.4e12;
  const double head = 2.0 * 128256 * 8192 / 8 / 3.35e12;  // one row of logits: the head is read, not computed
  EXPECT_NEAR(time.latency().seconds(), seconds + head, seconds * 1e-6);
  EXPECT_NEAR(time.sum.flops, (flops.matrices + flops.attention + flops.head) / 8, 1e-9 * time.sum.flops);
}

TEST(StepTime, ChunksOfAPromptAddUpToIt) {
  const ModelShape model = shipped("llama-3.1-70b");
  Batch chunk = prefill_batch(1, 2048);
  chunk.cached = (8192 - 2048) / 2.0;  // the mean of 0, 2048, 4096, 6144
  chunk.sampled = 0.25;
  const PassTime whole = pass(model, {8, 1, 1}, prefill_batch(1, 8192));
  const PassTime mean = pass(model, {8, 1, 1}, chunk);
  EXPECT_NEAR(4 * mean.sum.flops, whole.sum.flops, 1e-9 * whole.sum.flops);
  EXPECT_NEAR(4 * mean.sum.attention_s, whole.sum.attention_s, 1e-9);
}

TEST(StepTime, AMixedPassSharesItsMatrices) {
  const ModelShape model = shipped("llama-3.1-70b");
  Batch mixed = prefill_batch(1, 512);
  mixed.decode = 64;
  mixed.context = 1024;
  mixed.sampled = 65;
  const PassTime both = pass(model, {8, 1, 1}, mixed);
  const PassTime decode = pass(model, {8, 1, 1}, decode_batch(64, 1024));
  const PassTime prefill = pass(model, {8, 1, 1}, prefill_batch(1, 512));
  EXPECT_LT(both.latency_s(), decode.latency_s() + prefill.latency_s());
  EXPECT_NEAR(both.sum.attention_s, decode.sum.attention_s + prefill.sum.attention_s, 1e-9);
}

TEST(StepTime, BatchCrossesFromMemoryToCompute) {
  const ModelShape model = shipped("llama-3.1-8b");
  // Equal where batch x 2 FLOPs / 989.4 T = 2 B / 3.35 T: a batch of 295.
  const auto matrices = [&](double batch) { return pass(model, {}, decode_batch(batch, 1)).sum.matrices_s; };
  EXPECT_DOUBLE_EQ(matrices(1), matrices(295));
  EXPECT_GT(matrices(297), matrices(295));
  EXPECT_NEAR(matrices(2950) / matrices(295), 10, 0.05);
}

TEST(StepTime, StagesAddUpForOneTokenAndOverlapForMany) {
  const ModelShape model = shipped("llama-3.1-405b");
  const PassTime flat = pass(model, {8, 1, 1}, decode_batch(1, 1000));
  const PassTime deep = pass(model, {8, 4, 1}, decode_batch(1, 1000));
  EXPECT_NEAR(deep.latency_s(), flat.latency_s(), 1e-9);
  EXPECT_LT(deep.slowest_s, 0.27 * deep.latency_s());
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
  const auto read = [&](double batch, const Parallelism& p) {
    return pass(model, p, decode_batch(batch, 1)).sum.weights_read;
  };
  const auto experts = [&](const Parallelism& p) {
    return static_cast<double>(stage_weights(model, p, 0)[Component::experts].count());
  };
  const Parallelism cut{8, 1, 1};
  EXPECT_NEAR(read(1e6, cut) - read(1, cut), experts(cut) * (1 - 8.0 / 256), 1e-4 * experts(cut));
  // Replicas that share experts bring their tokens: eight of one token hit what one of eight tokens does.
  const Parallelism shared{1, 1, 8, 1, 8};
  EXPECT_NEAR(read(1e6, shared) - read(1, shared), experts(shared) * std::pow(1 - 8.0 / 256, 8),
              1e-4 * experts(shared));
}

TEST(StepTime, ExpertsCutOrSpreadTakeTheSameOnceAllAreHit) {
  const ModelShape model = shipped("deepseek-v3");
  const Parallelism spread{1, 1, 8, 1, 8};
  const Parallelism cut{1, 1, 1, 1, 8};
  EXPECT_NEAR(pass(model, spread, decode_batch(4096, 1)).sum.matrices_s,
              pass(model, cut, decode_batch(4096, 1)).sum.matrices_s, 1e-6);
  Batch skewed = decode_batch(65536, 1);
  const double even = pass(model, spread, skewed).sum.matrices_s;
  skewed.expert_imbalance = 1.5;
  EXPECT_GT(pass(model, spread, skewed).sum.matrices_s, 1.2 * even);
}

TEST(StepTime, ATiedTableIsReadAsTheHead) {
  const ModelShape model = shipped("llama-3.2-1b");
  const double norms = static_cast<double>(stage_weights(model, {}, 0)[Component::norms].count());
  EXPECT_DOUBLE_EQ(pass(model, {}, decode_batch(1, 1)).sum.weights_read,
                   2.0 * static_cast<double>(model.published_parameters) - norms);
}

TEST(StepTime, EveryKernelTakesItsLeast) {
  const ModelShape model = shipped("llama-3.1-8b");
  const Anatomy anatomy(model);
  KernelTimes kernels = bare(model);
  const StepModel without(anatomy, kernels, {});
  KernelTimes with = kernels;
  with.kernel_s = 2e-6;
  // A layer: 4 matrices, rotary, 2 norms, activation, attention and its combine; embedding; head and 5 to sample.
  const double count = 32 * (4 + 1 + 2 + 1 + 2) + 1 + 6;
  const PassTime floor = StepModel(anatomy, with, {}).pass(decode_batch(1, 1), true);
  EXPECT_DOUBLE_EQ(floor.sum.kernels, count);
  EXPECT_NEAR(floor.latency_s() - without.pass(decode_batch(1, 1), true).latency_s(), count * 2e-6, 1e-9);
}

TEST(StepTime, LaunchedFromTheHostAPassTakesTheLongerOfTheTwo) {
  const ModelShape model = shipped("llama-3.2-1b");
  const Anatomy anatomy(model);
  KernelTimes kernels = bare(model);
  kernels.launch_s = 50e-6;
  kernels.step_s = 1e-3;
  const StepModel step(anatomy, kernels, {});
  const PassTime eager = step.pass(decode_batch(1, 1), false);
  EXPECT_NEAR(eager.latency_s(), eager.sum.kernels * 50e-6 + 1e-3, 1e-9);
  EXPECT_LT(step.pass(decode_batch(1, 1), true).latency_s(), eager.latency_s());
}

TEST(StepTime, SequenceParallelismDividesTheNorms) {
  const ModelShape model = shipped("llama-3.1-70b");
  const Anatomy anatomy(model);
  const KernelTimes kernels(h100(), model);
  Parallelism parallelism{8, 1, 1};
  const double whole = StepModel(anatomy, kernels, parallelism).pass(prefill_batch(1, 8192), true).sum.small_s;
  parallelism.sequence_parallel = true;
  const double divided = StepModel(anatomy, kernels, parallelism).pass(prefill_batch(1, 8192), true).sum.small_s;
  const double norms = 80.0 * 2 * 4 * 8192 * 8192 * 2 / 3350e9;
  EXPECT_NEAR(whole - divided, norms * 7 / 8, 1e-6);
}

TEST(StepTime, APartWithoutRatesNeverFinishes) {
  const ModelShape model = shipped("llama-3.1-8b");
  const Anatomy anatomy(model);
  const KernelTimes kernels(GpuPart{}, model);
  EXPECT_EQ(StepModel(anatomy, kernels, {}).pass(decode_batch(1, 1), true).latency(),
            Duration(std::numeric_limits<std::int64_t>::max()));
}

}  // namespace
}  // namespace weft::llm
