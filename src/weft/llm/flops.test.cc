#include "weft/llm/flops.h"

#include <gtest/gtest.h>

#include "weft/llm/parameters.h"
#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

using catalog::ModelShape;

TEST(Flops, DenseDecodeIsTwiceTheMatrices) {
  const ModelShape model = shipped("llama-3.1-70b");
  const ParameterCount count = count_parameters(model);
  const double matrices = static_cast<double>(count[Component::attention] + count[Component::ffn]);
  const Flops flops = decode_flops(model, 1000);
  EXPECT_DOUBLE_EQ(flops.matrices, 2 * matrices);
  EXPECT_DOUBLE_EQ(flops.quantised_matrices, 0);
  EXPECT_DOUBLE_EQ(flops.head, 2.0 * 128256 * 8192);
  EXPECT_DOUBLE_EQ(flops.attention, 80.0 * 64 * 4 * 128 * 1000);
}

// Brown et al. 2020 (arXiv:2005.14165), Table D.1: 3.14e23 FLOPs for 300e9 tokens, 6 a parameter and token, matrices
// only; a forward pass is a third of it.
TEST(Flops, Gpt3TrainingCompute) {
  const ModelShape model = shipped("gpt-3-175b");
  const Flops flops = decode_flops(model, 1);
  const double training = 3 * (flops.matrices + flops.head) * 300e9;
  EXPECT_NEAR(training / 3.14e23, 1.0, 0.005);
}

// Megatron-LM (arXiv:2104.04473, appendix): a forward pass of B sequences of s tokens takes
// 24 B s l h^2 (1 + s / (6 h)) + 2 B s h V when every token attends to all s; causal attention is half of that term.
TEST(Flops, MegatronClosedForm) {
  const ModelShape model = shipped("gpt-3-175b");
  const double s = 2048;
  const double h = 12288;
  const double l = 96;
  const Flops flops = prefill_flops(model, 2048);
  EXPECT_DOUBLE_EQ(flops.matrices, 24 * s * l * h * h);
  const double all_pairs = 24 * s * l * h * h * s / (6 * h);
  EXPECT_DOUBLE_EQ(flops.attention, all_pairs * (s + 1) / (2 * s));
  EXPECT_DOUBLE_EQ(flops.head, 2 * h * 50257);  // one sampled position, not all s
}

TEST(Flops, OnlyActiveExpertsCount) {
  const ModelShape model = shipped("mixtral-8x7b");
  const ParameterCount active = count_active_parameters(model);
  const double matrices =
      static_cast<double>(active[Component::attention] + active[Component::experts] + active[Component::router]);
  EXPECT_DOUBLE_EQ(decode_flops(model, 1).matrices, 2 * matrices);
}

TEST(Flops, QuantisedMatricesStandApart) {
  const ModelShape model = shipped("gpt-oss-120b");
  const Flops flops = decode_flops(model, 1);
  EXPECT_DOUBLE_EQ(flops.quantised_matrices, 2.0 * 36 * 4 * 3 * 2880 * 2880);
  EXPECT_GT(flops.matrices, 0);
}

TEST(Flops, LatentAttention) {
  const ModelShape model = shipped("deepseek-v3");
  EXPECT_DOUBLE_EQ(decode_flops(model, 1000).attention, 61.0 * 128 * 2 * (512 + 64 + 512) * 1000);
  EXPECT_DOUBLE_EQ(prefill_flops(model, 1000).attention, 61.0 * 128 * 2 * (192 + 128) * (1000.0 * 1001 / 2));
}

// Published: 37B active parameters, so about 74 GFLOP a token before attention.
TEST(Flops, DeepSeekV3PerToken) {
  const Flops flops = decode_flops(shipped("deepseek-v3"), 1);
  EXPECT_NEAR(flops.total() / 1e9, 2 * 36.6, 0.2);
}

TEST(Flops, AttendedPairsAgreeWithTheSum) {
  for (const std::int64_t window : {0, 1, 7, 64}) {
    for (const std::int64_t cached : {0, 5, 63, 64, 100}) {
      for (const std::int64_t tokens : {0, 1, 2, 50, 200}) {
        double sum = 0;
        for (std::int64_t i = 1; i <= tokens; ++i) {
          const std::int64_t sees = cached + i;
          sum += static_cast<double>(window == 0 ? sees : std::min(sees, window));
        }
        EXPECT_DOUBLE_EQ(attended_pairs(tokens, cached, window), sum) << window << ' ' << cached << ' ' << tokens;
      }
    }
  }
}

TEST(Flops, WindowsBoundDecode) {
  const ModelShape model = shipped("gpt-oss-120b");
  EXPECT_DOUBLE_EQ(decode_flops(model, 10'000).attention, 64.0 * 4 * 64 * (18 * 10'000.0 + 18 * 128.0));
}

TEST(Flops, PrefillAfterACacheIsTheDifference) {
  const ModelShape model = shipped("llama-3.1-8b");
  EXPECT_DOUBLE_EQ(prefill_flops(model, 300, 700).attention,
                   prefill_flops(model, 1000).attention - prefill_flops(model, 700).attention);
}

TEST(Flops, GpusOfAGroupShareTheWork) {
  const ModelShape llama = shipped("llama-3.1-70b");
  const double one = stage_matrix_flops(llama, {1, 1, 1}, whole_model(llama)).matrices;
  EXPECT_DOUBLE_EQ(stage_matrix_flops(llama, {8, 1, 1}, whole_model(llama)).matrices * 8, one);
  // MLA's down-projections are worked on by every rank.
  const ModelShape deepseek = shipped("deepseek-v3");
  const Stage all = whole_model(deepseek);
  const double alone = stage_matrix_flops(deepseek, {1, 1, 1}, all).quantised_matrices;
  const double repeated = 2.0 * 61 * 7168 * (1536 + 576);
  EXPECT_DOUBLE_EQ(stage_matrix_flops(deepseek, {8, 1, 1}, all).quantised_matrices, (alone - repeated) / 8 + repeated);
  // Spread or cut, a GPU's own share of the experts' work is the same.
  EXPECT_DOUBLE_EQ(stage_matrix_flops(deepseek, {8, 1, 8}, all).quantised_matrices,
                   stage_matrix_flops(deepseek, {8, 1, 64}, all).quantised_matrices);
}

}  // namespace
}  // namespace weft::llm
