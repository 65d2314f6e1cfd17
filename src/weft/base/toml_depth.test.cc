#include "weft/base/toml_depth.h"

#include <gtest/gtest.h>

#include <string>

namespace weft {
namespace {

std::string repeated(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(TomlDepth, OrdinaryFilesPass) {
  EXPECT_FALSE(too_deep_for_toml(""));
  EXPECT_FALSE(too_deep_for_toml("[a.b.c]\nx.y = 1.5\n# three sentences. And a. b.\n"));
  EXPECT_FALSE(too_deep_for_toml("list = [" + repeated("1.5, ", 500) + "2.5]"));
}

TEST(TomlDepth, ADeepKeyIsFoundAtItsLine) {
  EXPECT_FALSE(too_deep_for_toml("x = 1\n" + repeated("a.", 32) + "b = 1\n"));
  EXPECT_EQ(too_deep_for_toml("x = 1\n" + repeated("a.", 33) + "b = 1\n"), 6u);
}

TEST(TomlDepth, DigitsAndQuotesDoNotHideDepth) {
  EXPECT_TRUE(too_deep_for_toml(repeated("1.", 33) + "1 = 1"));
  EXPECT_TRUE(too_deep_for_toml(repeated("\"=\".", 33) + "a = 1"));
  EXPECT_TRUE(too_deep_for_toml("x = [\"\"\"\n'\"\"\", {" + repeated("a.", 33) + "b = 1}]"));
}

}  // namespace
}  // namespace weft
