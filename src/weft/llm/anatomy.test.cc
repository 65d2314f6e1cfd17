#include "weft/llm/anatomy.h"

#include <gtest/gtest.h>

#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

TEST(Anatomy, CountsLayersAsOneByOne) {
  for (const std::string_view id : {"llama-3.1-8b", "deepseek-v3", "gpt-oss-20b", "gemma-3-27b"}) {
    const catalog::ModelShape model = shipped(id);
    const Anatomy anatomy(model);
    for (const int pp : {1, 3, 4}) {
      for (int index = 0; index < pp; ++index) {
        const Stage stage = pipeline_stage(model, pp, index);
        const LayerMix quick = anatomy.mix(stage);
        const LayerMix slow = layer_mix(model, stage);
        EXPECT_EQ(quick.dense, slow.dense) << id;
        EXPECT_EQ(quick.moe, slow.moe) << id;
        EXPECT_EQ(quick.full_attention, slow.full_attention) << id;
        EXPECT_EQ(quick.windowed, slow.windowed) << id;
      }
    }
  }
}

}  // namespace
}  // namespace weft::llm
