#include "weft/llm/parameters.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

using catalog::ModelShape;

TEST(Parameters, EveryPublishedCountIsMet) {
  ASSERT_GE(shipped_models().size(), 40u);
  for (const ModelShape& model : shipped_models()) {
    const std::int64_t counted = count_parameters(model).total();
    if (model.published_rounded) {
      const double off = std::fabs(static_cast<double>(counted) / static_cast<double>(model.published_parameters) - 1);
      EXPECT_LE(off, 0.001) << model.id << " " << counted;
    } else {
      EXPECT_EQ(counted, model.published_parameters) << model.id;
    }
  }
}

// Publishers round, and differ in whether the token table counts.
TEST(Parameters, PublishedActiveCountsAreMet) {
  int seen = 0;
  for (const ModelShape& model : shipped_models()) {
    if (model.published_active_parameters == 0) continue;
    ++seen;
    const ParameterCount active = count_active_parameters(model);
    const double published = static_cast<double>(model.published_active_parameters);
    const double with = std::fabs(static_cast<double>(active.total()) / published - 1);
    const double without =
        std::fabs(static_cast<double>(active.total() - active[Component::embedding]) / published - 1);
    EXPECT_LE(std::min(with, without), 0.025) << model.id << " " << active.total();
  }
  EXPECT_GE(seen, 10);
}

// GPT-OSS model card, Table 1 (arXiv:2508.10925): MLP 114.71B, attention 0.96B, embedding and unembedding 1.16B,
// active 5.13B (unembedding counted, embedding not).
TEST(Parameters, ComponentsOfGptOss120b) {
  const ModelShape model = shipped("gpt-oss-120b");
  const ParameterCount count = count_parameters(model);
  const auto billions = [](std::int64_t n) { return std::round(static_cast<double>(n) / 1e7) / 100; };
  EXPECT_DOUBLE_EQ(billions(count[Component::experts] + count[Component::router]), 114.71);
  EXPECT_DOUBLE_EQ(billions(count[Component::attention] + count[Component::norms]), 0.96);
  EXPECT_DOUBLE_EQ(billions(count[Component::embedding] + count[Component::head]), 1.16);
  const ParameterCount active = count_active_parameters(model);
  EXPECT_DOUBLE_EQ(billions(active.total() - active[Component::embedding]), 5.13);
}

// The closed form of a GPT block with all biases: 12 h^2 + 13 h a layer, 2 h for the last norm, (V + s) h for tables.
TEST(Parameters, GptClosedForm) {
  const ModelShape model = shipped("gpt-3-175b");
  const std::int64_t h = model.hidden;
  const std::int64_t expected =
      model.layers * (12 * h * h + 13 * h) + 2 * h + (model.vocab + model.learned_positions) * h;
  EXPECT_EQ(count_parameters(model).total(), expected);
}

TEST(Parameters, TiedHeadsCountOnce) {
  const ModelShape model = shipped("llama-3.2-1b");
  EXPECT_EQ(count_parameters(model)[Component::head], 0);
  ModelShape untied = model;
  untied.tied_embeddings = false;
  EXPECT_EQ(count_parameters(untied).total() - count_parameters(model).total(), model.vocab * model.hidden);
}

TEST(Parameters, LeadingDenseLayersAndSharedExperts) {
  const ModelShape model = shipped("deepseek-v3");
  const ParameterCount count = count_parameters(model);
  EXPECT_EQ(count[Component::ffn], 3 * 3 * model.hidden * model.ffn);
  EXPECT_EQ(count[Component::shared_experts], 58 * 3 * model.hidden * 2048);
  EXPECT_EQ(count[Component::experts], 58LL * 256 * 3 * model.hidden * 2048);
  EXPECT_EQ(count[Component::router], 58 * (model.hidden * 256 + 256));
  EXPECT_EQ(count_active_parameters(model)[Component::experts], count[Component::experts] / 32);
}

}  // namespace
}  // namespace weft::llm
