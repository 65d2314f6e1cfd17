#include "weft/report/text.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace weft::report {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr auto kZeroWidth = std::to_array<Range>({
    {0x0300, 0x036f},
    {0x0483, 0x0489},
    {0x0591, 0x05bd},
    {0x0610, 0x061a},
    {0x064b, 0x065f},
    {0x093c, 0x093c},
    {0x0941, 0x0948},
    {0x0e34, 0x0e3a},
    {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff},
    {0x200b, 0x200d},
    {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f},
    {0xfe20, 0xfe2f},
});
constexpr auto kDoubleWidth = std::to_array<Range>({
    {0x1100, 0x115f},
    {0x2329, 0x232a},
    {0x2e80, 0x303e},
    {0x3041, 0x33ff},
    {0x3400, 0x4dbf},
    {0x4e00, 0x9fff},
    {0xa000, 0xa4cf},
    {0xa960, 0xa97f},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x1f300, 0x1f64f},
    {0x1f680, 0x1f6ff},
    {0x1f900, 0x1f9ff},
    {0x20000, 0x2fffd},
    {0x30000, 0x3fffd},
});
// Marks that turn the direction of what follows: "evil\u202etxt" shows as something else than it is.
constexpr auto kDirection =
    std::to_array<Range>({{0x061c, 0x061c}, {0x200e, 0x200f}, {0x202a, 0x202e}, {0x2066, 0x2069}});

template <std::size_t N>
bool lies_in(char32_t c, const std::array<Range, N>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [c](Range r) { return c >= r.first && c <= r.last; });
}

int width_of(char32_t c) {
  if (c < 0x300) return 1;
  if (lies_in(c, kZeroWidth)) return 0;
  return lies_in(c, kDoubleWidth) ? 2 : 1;
}

bool acts_on_terminal(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || lies_in(c, kDirection);
}

std::string escaped(CodePoint c) {
  std::array<char, 16> buffer{};
  const bool byte = !c.valid || c.value < 0x80;
  std::snprintf(buffer.data(), buffer.size(), byte ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(c.value));
  return buffer.data();
}

constexpr bool is_continuation(unsigned char c) { return (c & 0xc0U) == 0x80U; }

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const CodePoint broken{lead, 1, false};
  const std::size_t bytes = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead >= 0xf5 || text.size() < bytes) return broken;
  char32_t value = lead & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(byte(i))) return broken;
    value = (value << 6) | (byte(i) & 0x3fU);
  }
  const bool overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  const bool surrogate = value >= 0xd800 && value < 0xe000;
  if (overlong || surrogate || value > 0x10ffff) return broken;
  return {value, bytes, true};
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    width += c.valid ? width_of(c.value) : 1;
    text.remove_prefix(c.bytes);
  }
  return width;
}

std::string printable(std::string_view text, bool keep_newlines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    const bool keep = c.valid && (!acts_on_terminal(c.value) || (keep_newlines && c.value == '\n'));
    if (keep) {
      out += text.substr(0, c.bytes);
    } else {
      out += escaped(c);
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

std::vector<std::string> wrap(std::string_view text, int width) {
  width = std::max(width, 2);  // the widest single character
  std::vector<std::string> lines;
  std::string line;
  int line_width = 0;
  const auto flush = [&] {
    lines.push_back(std::move(line));
    line.clear();
    line_width = 0;
  };
  const auto append = [&](std::string_view piece, int piece_width) {
    line += piece;
    line_width += piece_width;
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    int word_width = display_width(word);
    if (!line.empty() && line_width + 1 + word_width > width) flush();
    if (!line.empty()) append(" ", 1);
    while (word_width > width) {
      std::size_t bytes = 0;
      int taken = 0;
      while (true) {
        const CodePoint c = first_code_point(word.substr(bytes));
        const int w = c.valid ? width_of(c.value) : 1;
        if (taken + w > width) break;
        taken += w;
        bytes += c.bytes;
      }
      append(word.substr(0, bytes), taken);
      flush();
      word.remove_prefix(bytes);
      word_width -= taken;
    }
    append(word, word_width);
  }
  if (!line.empty() || lines.empty()) flush();
  return lines;
}

int widest_word(std::string_view text) {
  int widest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    widest = std::max(widest, display_width(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return widest;
}

std::string pad_right(std::string_view text, int width) {
  return std::string(text) + std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
}

std::string pad_left(std::string_view text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ') + std::string(text);
}

std::string counted(std::size_t n, std::string_view noun) {
  std::string text = std::to_string(n) + ' ' + std::string(noun);
  if (n == 1) return text;
  return text + (noun.ends_with("ch") || noun.ends_with('s') ? "es" : "s");
}

}  // namespace weft::report
