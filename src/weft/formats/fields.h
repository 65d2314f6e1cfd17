// Small readers for the fields of foreign text: whole numbers in decimal or hex, words, trimming.
//
// They take the whole field or nothing: "12x" is not 12. No locale, no exceptions, no allocation beyond the result.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats {

[[nodiscard]] bool is_space(char c);  // blank, tab, CR, LF
[[nodiscard]] bool is_digit(char c);
[[nodiscard]] std::string_view trim(std::string_view text);
[[nodiscard]] std::string lower(std::string_view text);

// Decimal with an optional sign, or hex with 0x, as C's strtol(…, 0) reads them.
[[nodiscard]] std::optional<std::int64_t> parse_whole(std::string_view text);
// Hex with or without 0x, up to 64 bits.
[[nodiscard]] std::optional<std::uint64_t> parse_hex(std::string_view text);

// Decimal with an optional fraction and exponent; finite.
[[nodiscard]] std::optional<double> parse_decimal(std::string_view text);

[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);  // separated by blanks

// "1 GPU", "3 GPUs".
[[nodiscard]] std::string counted(std::size_t n, std::string_view singular, std::string_view plural = "");
// "a", "a and b", "a, b and c"; beyond `most` the rest is counted: "a, b and 7 more".
[[nodiscard]] std::string listed(const std::vector<std::string>& items, std::size_t most = 6);

}  // namespace weft::formats
