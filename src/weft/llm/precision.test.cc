#include "weft/llm/precision.h"

#include <gtest/gtest.h>

#include <limits>

#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

using catalog::NumberFormat;

TEST(Precision, BitsWithUsualScales) {
  EXPECT_DOUBLE_EQ(plain(NumberFormat::fp32).bits_per_number(), 32);
  EXPECT_DOUBLE_EQ(plain(NumberFormat::bf16).bits_per_number(), 16);
  EXPECT_DOUBLE_EQ(plain(NumberFormat::fp16).bits_per_number(), 16);
  EXPECT_DOUBLE_EQ(plain(NumberFormat::fp8).bits_per_number(), 8);
  EXPECT_DOUBLE_EQ(plain(NumberFormat::int8).bits_per_number(), 8);
  EXPECT_DOUBLE_EQ(plain(NumberFormat::nvfp4).bits_per_number(), 4.5);
  EXPECT_DOUBLE_EQ(plain(NumberFormat::mxfp4).bits_per_number(), 4.25);
}

TEST(Precision, GroupsOfARecipe) {
  catalog::ModelShape shape;
  shape.weights = NumberFormat::int4;
  shape.weight_group = 128;
  EXPECT_DOUBLE_EQ(quantised_format(shape).bits_per_number(), 4.125);
  shape.weight_scale_bits = 20;  // fp16 scale and 4-bit zero point
  EXPECT_DOUBLE_EQ(quantised_format(shape).bits_per_number(), 4.15625);
  EXPECT_DOUBLE_EQ(quantised_format(shipped("deepseek-v3")).bits_per_number(), 8.0 + 32.0 / 16384);
}

TEST(Precision, BytesAreExactAndRoundedUp) {
  EXPECT_EQ(plain(NumberFormat::bf16).bytes(3), Bytes(6));
  EXPECT_EQ(plain(NumberFormat::int4).bytes(3), Bytes(2));
  EXPECT_EQ(plain(NumberFormat::mxfp4).bytes(64), Bytes(34));  // 64 x 4 bits + 2 exponents
  EXPECT_EQ(plain(NumberFormat::nvfp4).bytes(17), Bytes(11));  // 68 bits + 2 scales of 8
  EXPECT_EQ(plain(NumberFormat::fp32).bytes(std::int64_t{1} << 62), Bytes(std::numeric_limits<std::int64_t>::max()));
}

}  // namespace
}  // namespace weft::llm
