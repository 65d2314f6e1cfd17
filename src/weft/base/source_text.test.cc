#include "weft/base/source_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

#include "weft/base/printable.h"

namespace weft {
namespace {

TEST(SourceText, FindsLineAndColumn) {
  const SourceText source{"a.toml", "one\ntwo three\n"};
  const SourcePosition where = source.position(8);
  EXPECT_EQ(where.file, "a.toml");
  EXPECT_EQ(where.line, 2);
  EXPECT_EQ(where.column, 5);
  EXPECT_EQ(where.line_text, "two three");
  EXPECT_EQ(where.caret, 5);
}

TEST(SourceText, TheEndsOfTheText) {
  const SourceText source{"-", "one\ntwo"};
  EXPECT_EQ(source.position(0).line, 1);
  EXPECT_EQ(source.position(3).column, 4);  // the newline itself
  EXPECT_EQ(source.position(7).column, 4);
  EXPECT_EQ(source.position(1'000'000).column, 4);
  EXPECT_EQ(SourceText({"-", ""}).position(5).line, 1);
  EXPECT_EQ(source.position_at(99, 99).line, 99);
  EXPECT_EQ(source.position_at(0, 0).column, 1);
}

TEST(SourceText, WindowsLineEndsAndControlCharactersDoNotShow) {
  const SourceText source{"-", "a\tb\x1b[0m\r\nnext"};
  const SourcePosition where = source.position(2);
  EXPECT_EQ(where.line_text, "a b [0m");
  EXPECT_EQ(where.caret, 3);
}

TEST(SourceText, TheCaretStandsUnderWideCharacters) {
  const SourceText source{"-", "带宽 = x"};
  const SourcePosition where = source.position(9);
  EXPECT_EQ(where.column, 10);  // bytes
  EXPECT_EQ(where.caret, 8);    // terminal columns
  EXPECT_EQ(input_error("WEFT-X-0001", "what?").at(where).to_string(),
            "error WEFT-X-0001: -:1:10: what?\n"
            "  1 | 带宽 = x\n"
            "    |        ^\n");
}

TEST(SourceText, ALongLineIsCutAroundThePlace) {
  const std::string before(1000, 'a');
  const SourceText source{"-", before + "X" + std::string(1000, 'b')};
  const SourcePosition where = source.position(1000);
  EXPECT_EQ(where.column, 1001);
  EXPECT_EQ(where.line_text, "…" + std::string(50, 'a') + "X" + std::string(49, 'b') + "…");
  EXPECT_EQ(where.caret, 52);
  EXPECT_EQ(source.position(0).line_text, std::string(100, 'a') + "…");
}

RC_GTEST_PROP(SourceTextProperty, OffsetAndLineColumnAgree, (std::string text, std::size_t offset)) {
  // Few different characters, so that there are many lines.
  for (char& c : text) c = "a\n\xe5\t"[static_cast<unsigned char>(c) % 4];
  const SourceText source{"-", text};
  const SourcePosition where = source.position(offset);
  const SourcePosition again = source.position_at(where.line, where.column);
  RC_ASSERT(again.line_text == where.line_text);
  RC_ASSERT(again.caret == where.caret);
  RC_ASSERT(printable(where.line_text) == where.line_text);
  RC_ASSERT(where.line == 1 + std::count(text.begin(),
                                         text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size())),
                                         '\n'));
}

}  // namespace
}  // namespace weft
