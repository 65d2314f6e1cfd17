#include "weft/formats/hf_layers.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/catalog/model_rules.h"

namespace weft::formats {
namespace {

using catalog::ModelShape;

RC_GTEST_PROP(HfLayers, MoePatternsReadBack, (const std::vector<bool>& wanted)) {
  RC_PRE(!wanted.empty());
  ModelShape shape;
  shape.layers = static_cast<int>(wanted.size());
  shape.moe.experts = 8;
  put_moe_layers(wanted, shape.moe);
  for (int layer = 0; layer < shape.layers; ++layer) {
    RC_ASSERT(catalog::is_moe_layer(shape, layer) == wanted[static_cast<std::size_t>(layer)]);
  }
}

RC_GTEST_PROP(HfLayers, WindowPatternsReadBack, (const std::vector<bool>& wanted)) {
  RC_PRE(!wanted.empty());
  ModelShape shape;
  shape.layers = static_cast<int>(wanted.size());
  shape.sliding_window = 128;
  put_windowed_layers(wanted, shape);
  for (int layer = 0; layer < shape.layers; ++layer) {
    RC_ASSERT(catalog::is_windowed_layer(shape, layer) == wanted[static_cast<std::size_t>(layer)]);
  }
}

TEST(HfLayers, UsualPatternsNeedNoExceptions) {
  ModelShape shape;
  shape.moe.experts = 8;
  put_moe_layers({false, false, false, true, true, true}, shape.moe);
  EXPECT_EQ(shape.moe.leading_dense_layers, 3);
  EXPECT_EQ(shape.moe.moe_every, 1);
  EXPECT_TRUE(shape.moe.dense_layers.empty());
  put_moe_layers({false, true, false, true, false, true}, shape.moe);
  EXPECT_EQ(shape.moe.leading_dense_layers, 1);
  EXPECT_EQ(shape.moe.moe_every, 2);
  EXPECT_TRUE(shape.moe.dense_layers.empty());
  shape.sliding_window = 128;
  put_windowed_layers({true, false, true, false}, shape);
  EXPECT_EQ(shape.window_every, 2);
  EXPECT_TRUE(shape.full_attention_layers.empty());
}

}  // namespace
}  // namespace weft::formats
