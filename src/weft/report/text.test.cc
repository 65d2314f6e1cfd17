#include "weft/report/text.h"

#include <gtest/gtest.h>

#include "weft/base/printable.h"

namespace weft::report {
namespace {

TEST(Wrap, BreaksAtSpaces) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("", 7), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap("fits", 4), (std::vector<std::string>{"fits"}));
}

TEST(Wrap, BreaksAWordThatIsWiderThanTheLine) {
  EXPECT_EQ(wrap("a abcdefgh b", 3), (std::vector<std::string>{"a", "abc", "def", "gh", "b"}));
  EXPECT_EQ(wrap("交换机", 4), (std::vector<std::string>{"交换", "机"}));
}

TEST(Wrap, NoLineIsWiderThanAsked) {
  const std::string text = "NVLink inside the server, then 交换机 and supercalifragilistic words of any length";
  for (int width = 2; width < 90; ++width) {
    for (const std::string& line : wrap(text, width)) ASSERT_LE(static_cast<int>(display_width(line)), width);
  }
}

TEST(Pad, CountsColumns) {
  EXPECT_EQ(pad_right("µs", 4), "µs  ");
  EXPECT_EQ(pad_left("µs", 4), "  µs");
  EXPECT_EQ(pad_left("12345", 3), "12345");
}

TEST(Counted, IsGrammatical) {
  EXPECT_EQ(counted(1, "server"), "1 server");
  EXPECT_EQ(counted(0, "server"), "0 servers");
  EXPECT_EQ(counted(3, "switch"), "3 switches");
}

}  // namespace
}  // namespace weft::report
