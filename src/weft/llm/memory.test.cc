#include "weft/llm/memory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weft/llm/parameters.h"
#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

using catalog::ModelShape;
using catalog::NumberFormat;

Bytes weights_of(const ModelShape& shape, Parallelism parallelism, int stage = 0) {
  return stage_weights(shape, parallelism, stage).total();
}

TEST(Weights, UnquantisedIsTwoBytesAParameter) {
  for (const ModelShape& model : shipped_models()) {
    if (model.weights != NumberFormat::bf16) continue;
    EXPECT_EQ(weights_of(model, {}), Bytes(2 * model.published_parameters)) << model.id;
  }
}

// GPT-OSS model card, Table 1 (arXiv:2508.10925): checkpoints of 60.8 GiB and 12.8 GiB.
TEST(Weights, GptOssCheckpointSizes) {
  const auto gib = [](Bytes bytes) { return std::round(static_cast<double>(bytes.count()) / (1 << 30) * 10) / 10; };
  EXPECT_DOUBLE_EQ(gib(weights_of(shipped("gpt-oss-120b"), {})), 60.8);
  EXPECT_DOUBLE_EQ(gib(weights_of(shipped("gpt-oss-20b"), {})), 12.8);
}

TEST(Weights, Fp8KeepsWhatTheRecipeLeavesAlone) {
  const ModelShape model = shipped("deepseek-v3");
  const WeightBytes weights = stage_weights(model, {}, 0);
  const ParameterCount count = count_parameters(model);
  EXPECT_EQ(weights[Component::embedding], Bytes(2 * count[Component::embedding]));
  EXPECT_EQ(weights[Component::head], Bytes(2 * count[Component::head]));
  EXPECT_EQ(weights[Component::router], Bytes(2 * count[Component::router]));
  const std::int64_t experts = count[Component::experts];
  EXPECT_EQ(weights[Component::experts], Bytes(experts + experts / 16384 * 4));
}

TEST(Weights, RecipesForFfnOrExpertsOnly) {
  ModelShape model = shipped("deepseek-v3");
  const ParameterCount count = count_parameters(model);
  model.quantised = catalog::Quantised::ffn;
  EXPECT_EQ(stage_weights(model, {}, 0)[Component::attention], Bytes(2 * count[Component::attention]));
  EXPECT_LT(stage_weights(model, {}, 0)[Component::ffn], Bytes(2 * count[Component::ffn]));
  model.quantised = catalog::Quantised::experts;
  EXPECT_EQ(stage_weights(model, {}, 0)[Component::ffn], Bytes(2 * count[Component::ffn]));
  EXPECT_EQ(stage_weights(model, {}, 0)[Component::shared_experts], Bytes(2 * count[Component::shared_experts]));
  EXPECT_LT(stage_weights(model, {}, 0)[Component::experts], Bytes(2 * count[Component::experts]));
}

TEST(Weights, TensorParallelClosedForm) {
  const ModelShape model = shipped("llama-3.1-70b");
  const std::int64_t h = model.hidden;
  const std::int64_t matrices = 2 * h * h + 2 * h * 1024 + 3 * h * model.ffn;
  const std::int64_t norms = 2 * h;
  const std::int64_t expected = 80 * (matrices / 8 + norms) + 2 * model.vocab * h / 8 + h;
  EXPECT_EQ(weights_of(model, {8, 1, 1}), Bytes(2 * expected));
}

TEST(Weights, KvHeadsAreCopiedPastTheirNumber) {
  const ModelShape model = shipped("llama-3.1-70b");
  const std::int64_t kv_matrix = model.hidden * 128 * 2;  // one KV head's k and v
  const std::int64_t q_and_o = 2 * model.hidden * model.hidden;
  EXPECT_EQ(stage_weights(model, {8, 1, 1}, 0)[Component::attention], Bytes(2 * 80 * (q_and_o / 8 + kv_matrix)));
  EXPECT_EQ(stage_weights(model, {16, 1, 1}, 0)[Component::attention], Bytes(2 * 80 * (q_and_o / 16 + kv_matrix)));
}

TEST(Weights, StagesSumToTheModel) {
  for (const std::string_view id : {"llama-3.1-405b", "deepseek-v3", "gpt-oss-120b"}) {
    const ModelShape model = shipped(id);
    Bytes sum;
    for (int stage = 0; stage < 5; ++stage) sum += weights_of(model, {1, 5, 1}, stage);
    EXPECT_EQ(sum, weights_of(model, {})) << id;
  }
}

TEST(Weights, ATiedTableStandsAtBothEnds) {
  const ModelShape model = shipped("llama-3.2-3b");
  const Bytes both = weights_of(model, {1, 2, 1}, 0) + weights_of(model, {1, 2, 1}, 1);
  EXPECT_EQ(both, weights_of(model, {}) + Bytes(2 * model.vocab * model.hidden));
}

TEST(Weights, ExpertsSpreadOrCut) {
  const ModelShape model = shipped("mixtral-8x7b");
  const Bytes all = stage_weights(model, {}, 0)[Component::experts];
  for (const Parallelism parallelism :
       {Parallelism{8, 1, 1}, Parallelism{8, 1, 2}, Parallelism{8, 1, 8}, Parallelism{1, 1, 8, 1, 8},
        Parallelism{4, 1, 8, 1, 2}, Parallelism{2, 1, 2, 1, 4}}) {
    EXPECT_EQ(stage_weights(model, parallelism, 0)[Component::experts] * 8, all);
  }
}

// DeepSeek-AI, "Insights into DeepSeek-V3" (arXiv:2505.09343), Table 1: 70.272, 327.680 and 516.096 KB a token in BF16.
TEST(KvCache, PublishedBytesPerToken) {
  EXPECT_EQ(kv_bytes_per_token(shipped("deepseek-v3")), Bytes(70'272));
  EXPECT_EQ(kv_bytes_per_token(shipped("qwen2.5-72b")), Bytes(327'680));
  EXPECT_EQ(kv_bytes_per_token(shipped("llama-3.1-405b")), Bytes(516'096));
}

TEST(KvCache, DividedByHeadsAsLongAsThereAreSome) {
  const ModelShape model = shipped("llama-3.1-70b");
  EXPECT_EQ(kv_bytes_per_token_and_layer(model, 1), Bytes(4096));
  EXPECT_EQ(kv_bytes_per_token_and_layer(model, 8), Bytes(512));
  EXPECT_EQ(kv_bytes_per_token_and_layer(model, 16), Bytes(512));  // replicated: the group holds twice the cache
}

TEST(KvCache, ContextParallelismKeepsItInParts) {
  const ModelShape model = shipped("llama-3.1-70b");
  EXPECT_EQ(kv_cache(model, {8, 1, 1, 4}, 0, 8192) * 4, kv_cache(model, {8, 1, 1}, 0, 8192));
  EXPECT_EQ(weights_of(model, {8, 1, 1, 4}), weights_of(model, {8, 1, 1}));
}

TEST(KvCache, TheLatentIsOnEveryRank) {
  const ModelShape model = shipped("deepseek-v3");
  EXPECT_EQ(kv_bytes_per_token_and_layer(model, 1), Bytes(1152));
  EXPECT_EQ(kv_bytes_per_token_and_layer(model, 8), Bytes(1152));
}

TEST(KvCache, WindowsLimitTheirLayers) {
  const ModelShape oss = shipped("gpt-oss-120b");
  const Bytes layer = kv_bytes_per_token_and_layer(oss, 1);
  EXPECT_EQ(layer, Bytes(2048));
  EXPECT_EQ(kv_cache(oss, {}, 0, 100), layer * 100 * 36);
  EXPECT_EQ(kv_cache(oss, {}, 0, 10'000), layer * (10'000 * 18 + 128 * 18));
}

TEST(KvCache, EightBitCacheIsHalf) {
  ModelShape model = shipped("llama-3.1-70b");
  model.kv_cache = NumberFormat::fp8;
  EXPECT_EQ(kv_bytes_per_token(model), Bytes(163'840));
}

TEST(KvCache, StagesHoldTheirLayers) {
  const ModelShape model = shipped("llama-3.1-405b");
  const Parallelism parallelism{8, 4, 1};
  EXPECT_EQ(kv_cache(model, parallelism, 0, 1000), kv_bytes_per_token_and_layer(model, 8) * 1000 * 31);
  EXPECT_EQ(kv_cache(model, parallelism, 2, 1000), kv_bytes_per_token_and_layer(model, 8) * 1000 * 32);
}

TEST(Workspace, FollowsItsFormula) {
  const ModelShape model = shipped("llama-3.1-70b");
  // 3 f / tp is the widest part: 8192 tokens x (2 x 8192 + 3 x 28672 / 8) x 2 B + 4 x 16 x vocab
  const std::int64_t expected = 8192LL * (2 * 8192 + 3 * 28672 / 8) * 2 + 4LL * 16 * 128256;
  EXPECT_EQ(activation_workspace(model, {8, 1, 1}, 8192, 16), Bytes(expected));
  EXPECT_GT(activation_workspace(model, {1, 1, 1}, 8192, 16), Bytes(expected));
}

TEST(Workspace, ExpertsHoldACopyOfEachTokenForEachChoice) {
  const ModelShape model = shipped("mixtral-8x7b");
  const std::int64_t numbers = 2 * 4096 + 2 * (3 * 14336 + 4096);
  EXPECT_EQ(activation_workspace(model, {}, 1000, 0), Bytes(1000 * numbers * 2));
}

}  // namespace
}  // namespace weft::llm
