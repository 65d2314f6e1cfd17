// Text on its way to a person's screen: how wide it is there, and that it does nothing else there.
//
// display_width counts terminal columns: 2 for East Asian wide characters and emoji, 0 for combining marks (Unicode
// 15 ranges, the common ones; a terminal's own font has the last word). printable() makes text from outside safe to
// print: control characters (a name with ESC in it could drive the terminal), the C1 set, direction overrides
// and bytes that are not UTF-8 come out as visible escapes, \x1b or \u202e. Everything that report prints goes
// through it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::report {

// One character taken off the front of the text. A byte that is not UTF-8 is taken alone, with valid = false.
struct CodePoint {
  char32_t value = 0;
  std::size_t bytes = 1;
  bool valid = true;
};
[[nodiscard]] CodePoint first_code_point(std::string_view text);

[[nodiscard]] int display_width(std::string_view text);

// Escapes what is not safe on a terminal; keep_newlines leaves '\n' (whole messages rather than names).
[[nodiscard]] std::string printable(std::string_view text, bool keep_newlines = false);

// Lines of at most `width` columns, broken at spaces, inside a word only when the word alone is wider. At least one.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, int width);

// The longest run between spaces, in columns.
[[nodiscard]] int widest_word(std::string_view text);

// Spaces added on the right (or left) up to the width in columns.
[[nodiscard]] std::string pad_right(std::string_view text, int width);
[[nodiscard]] std::string pad_left(std::string_view text, int width);

// "1 server", "16 servers", "2 switches".
[[nodiscard]] std::string counted(std::size_t n, std::string_view noun);

}  // namespace weft::report
