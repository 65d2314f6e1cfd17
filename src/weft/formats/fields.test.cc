#include "weft/formats/fields.h"

#include <gtest/gtest.h>

namespace weft::formats {
namespace {

TEST(Fields, WholeNumbersAreTakenWholeOrNotAtAll) {
  EXPECT_EQ(parse_whole("12"), 12);
  EXPECT_EQ(parse_whole(" -1 "), -1);
  EXPECT_EQ(parse_whole("0x7"), 7);
  EXPECT_EQ(parse_whole("12x"), std::nullopt);
  EXPECT_EQ(parse_whole(""), std::nullopt);
  EXPECT_EQ(parse_whole("0x-1"), std::nullopt);
  EXPECT_EQ(parse_whole("99999999999999999999"), std::nullopt);
}

TEST(Fields, HexHasSixtyFourBitsAtMost) {
  EXPECT_EQ(parse_hex("0xffffffffffffffff"), 0xffffffffffffffffU);
  EXPECT_EQ(parse_hex("15b3"), 0x15b3U);
  EXPECT_EQ(parse_hex("0x1ffffffffffffffff"), std::nullopt);
  EXPECT_EQ(parse_hex("0x"), std::nullopt);
}

TEST(Fields, DecimalsAreFiniteAndWhole) {
  EXPECT_EQ(parse_decimal(" 12.5 "), 12.5);
  EXPECT_EQ(parse_decimal("-1e3"), -1000);
  for (const char* text : {"", "12.5us", "1,5", "inf", "nan", "0x10", "1e999"})
    EXPECT_EQ(parse_decimal(text), std::nullopt) << text;
}

TEST(Fields, SplitKeepsEmptyPartsAndWordsDoesNot) {
  EXPECT_EQ(split("a,,b", ',').size(), 3U);
  EXPECT_EQ(words("  a \t b\n").size(), 2U);
  EXPECT_TRUE(words(" \t ").empty());
}

TEST(Fields, ListsAndCountsReadLikeSentences) {
  EXPECT_EQ(counted(1, "GPU"), "1 GPU");
  EXPECT_EQ(counted(2, "PCIe switch", "PCIe switches"), "2 PCIe switches");
  EXPECT_EQ(listed({"a"}), "a");
  EXPECT_EQ(listed({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(listed({"a", "b", "c", "d"}, 3), "a, b and 2 more");
}

}  // namespace
}  // namespace weft::formats
