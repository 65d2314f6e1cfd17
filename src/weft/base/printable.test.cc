#include "weft/base/printable.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace weft {
namespace {

TEST(Printable, KeepsTextAsItIs) {
  EXPECT_EQ(printable("400Gb/s"), "400Gb/s");
  EXPECT_EQ(printable("é 带宽 🚀"), "é 带宽 🚀");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ControlCharactersBecomeSpaces) {
  EXPECT_EQ(printable("a\tb\nc\x1b[31m\x7f"), "a b c [31m ");
  EXPECT_EQ(printable("a\xc2\x9b"
                      "b"),
            "a b");  // U+009B starts an escape sequence on some terminals
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a b");
}

TEST(Printable, WhatIsNotUtf8BecomesAQuestionMark) {
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a?b");
  EXPECT_EQ(printable("\xe5\xb8"), "??");            // cut
  EXPECT_EQ(printable("\xc0\xaf"), "??");            // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "???");       // surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "????");  // beyond U+10FFFF
  EXPECT_EQ(printable("a\xe2\x80\xae"
                      "b"),
            "a?b");  // right-to-left override
}

TEST(Printable, InQuotesIsCutBetweenCharacters) {
  EXPECT_EQ(in_quotes("abc"), "\"abc\"");
  EXPECT_EQ(in_quotes("abcdef", 3), "\"abc…\"");
  EXPECT_EQ(in_quotes("ab带宽", 4), "\"ab…\"");
  EXPECT_EQ(in_quotes("ab带宽", 5), "\"ab带…\"");
  EXPECT_EQ(in_quotes(std::string(1'000'000, 'x')).size(), 64 + 2 + std::string("…").size());
}

TEST(Printable, WholeCharactersOfAnything) {
  EXPECT_EQ(whole_characters("ab带宽", 100), 8U);
  EXPECT_EQ(whole_characters("ab带宽", 3), 2U);
  EXPECT_EQ(whole_characters("带宽", 2), 0U);
  EXPECT_EQ(whole_characters(std::string(20, '\x80'), 10), 10U);  // no character begins anywhere near
}

TEST(Printable, WidthIsThatOfATerminal) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("带宽"), 4U);
  EXPECT_EQ(display_width("e\xcc\x81"), 1U);  // e with a combining accent
  EXPECT_EQ(display_width("🚀"), 2U);
}

RC_GTEST_PROP(PrintableProperty, IsItsOwnFixedPointWithoutControlCharacters, (std::string text)) {
  const std::string once = printable(text);
  RC_ASSERT(printable(once) == once);
  RC_ASSERT(once.find_first_of("\n\r\t\x1b\x7f") == std::string::npos);
  RC_ASSERT(once.size() <= text.size());
}

}  // namespace
}  // namespace weft
