// Laying text out in terminal columns. All of it takes printable text (base/printable.h), and counts columns as there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::report {

// Bytes of the character at the front of a text that is not empty and is valid UTF-8.
[[nodiscard]] std::size_t first_character(std::string_view text);

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
