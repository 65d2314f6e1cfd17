#include "weft/formats/fields.h"

#include <charconv>
#include <cmath>

namespace weft::formats {
namespace {

bool has_hex_prefix(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

}  // namespace

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::optional<std::int64_t> parse_whole(std::string_view text) {
  text = trim(text);
  int base = 10;
  if (has_hex_prefix(text)) {
    text.remove_prefix(2);
    base = 16;
    if (text.front() == '-') return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_hex(std::string_view text) {
  text = trim(text);
  if (has_hex_prefix(text)) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> parse_decimal(std::string_view text) {
  text = trim(text);
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t i = 0;
  while (i < text.size()) {
    while (i < text.size() && is_space(text[i])) ++i;
    const std::size_t begin = i;
    while (i < text.size() && !is_space(text[i])) ++i;
    if (i > begin) parts.push_back(text.substr(begin, i - begin));
  }
  return parts;
}

std::string counted(std::size_t n, std::string_view singular, std::string_view plural) {
  std::string text = std::to_string(n) + ' ';
  if (n == 1) return text.append(singular);
  if (!plural.empty()) return text.append(plural);
  return text.append(singular) + 's';
}

std::string listed(const std::vector<std::string>& items, std::size_t most) {
  std::string text;
  const bool cut = items.size() > most;
  const std::size_t shown = cut ? most - 1 : items.size();
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  if (cut) text += " and " + std::to_string(items.size() - shown) + " more";
  return text;
}

}  // namespace weft::formats
