#include "weft/base/toml_depth.h"

namespace weft {
namespace {

constexpr int kMostDots = 32;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool may_be_in_key(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || is_digit(c) || c == '_' || c == '-' || c == '.' || c == '"' || c == '\'';
}

// "1.5" standing alone; "1.1.1" is a dotted key.
bool is_decimal_point(std::string_view line, std::size_t dot) {
  std::size_t begin = dot;
  while (begin > 0 && is_digit(line[begin - 1])) --begin;
  std::size_t end = dot + 1;
  while (end < line.size() && is_digit(line[end])) ++end;
  const bool has_digits = begin < dot && end > dot + 1;
  const bool alone =
      (begin == 0 || !may_be_in_key(line[begin - 1])) && (end == line.size() || !may_be_in_key(line[end]));
  return has_digits && alone;
}

}  // namespace

std::optional<std::size_t> too_deep_for_toml(std::string_view text) {
  std::size_t line_begin = 0;
  while (line_begin < text.size()) {
    std::size_t line_end = text.find('\n', line_begin);
    if (line_end == std::string_view::npos) line_end = text.size();
    const std::string_view line = text.substr(line_begin, line_end - line_begin);
    int dots = 0;
    for (std::size_t dot = line.find('.'); dot != std::string_view::npos; dot = line.find('.', dot + 1)) {
      if (!is_decimal_point(line, dot) && ++dots > kMostDots) return line_begin;
    }
    line_begin = line_end + 1;
  }
  return std::nullopt;
}

}  // namespace weft
