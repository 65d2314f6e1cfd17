#include "weft/report/text.h"

#include <gtest/gtest.h>

namespace weft::report {
namespace {

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("gpu0"), 4);
  EXPECT_EQ(display_width("5 µs"), 4);
  EXPECT_EQ(display_width("交换机"), 6);    // three wide characters
  EXPECT_EQ(display_width("e\u0301"), 1);   // e and a combining acute
  EXPECT_EQ(display_width("\xff\xfe"), 2);  // not UTF-8: a column a byte
}

TEST(Printable, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(printable("hgx-h100-8 µs 交换机 — ok"), "hgx-h100-8 µs 交换机 — ok");
}

TEST(Printable, ShowsWhatWouldDriveTheTerminal) {
  EXPECT_EQ(printable("\x1b]0;owned\x07"), "\\x1b]0;owned\\x07");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\x0ab\\x09c\\x0d");
  EXPECT_EQ(printable("a\nb", true), "a\nb");
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\u009b2J");  // C1 CSI, one character that some terminals obey
  EXPECT_EQ(printable("leaf\u202exuni"), "leaf\\u202exuni");
  EXPECT_EQ(printable("\x7f"), "\\x7f");
}

TEST(Printable, BrokenUtf8IsShownByteByByte) {
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // overlong '/'
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("x\xe4\xba"), "x\\xe4\\xba");         // cut short
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

TEST(Printable, NothingUnsafeIsEverLeft) {
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      const std::string two{static_cast<char>(first), static_cast<char>(second)};
      const std::string out = printable(two);
      for (const char c : out)
        ASSERT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f) << first << ' ' << second;
      ASSERT_EQ(printable(out), out) << "not stable for " << first << ' ' << second;
    }
  }
}

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
    for (const std::string& line : wrap(text, width)) ASSERT_LE(display_width(line), width);
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
