#include "weft/base/printable.h"

#include <algorithm>
#include <array>
#include <span>

namespace weft {
namespace {

struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }
bool is_continuation(unsigned byte) { return (byte & 0xC0U) == 0x80U; }

// The character at the front of a text that is not empty; one invalid byte when it is no UTF-8 (Unicode 15, table 3-7).
Character take(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(byte_at(text, i))) return {};
    code = code << 6U | (byte_at(text, i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return {};
  return {code, length, true};
}

struct Range {
  char32_t first;
  char32_t last;
};

bool within(char32_t code, std::span<const Range> ranges) {
  return std::ranges::any_of(ranges, [code](Range range) { return code >= range.first && code <= range.last; });
}

// U+202A.. and U+2066.. reorder what follows, U+200E/F mark a direction; U+2028/9 end a line.
constexpr std::array<Range, 4> kTurning{{{0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}, {0xFEFF, 0xFEFF}}};

// The blocks of Unicode's East Asian Width W and F that occur in running text.
constexpr std::array<Range, 9> kWide{{{0x1100, 0x115F},
                                      {0x2E80, 0xA4CF},
                                      {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE4F},
                                      {0xFF00, 0xFF60},
                                      {0xFFE0, 0xFFE6},
                                      {0x1F300, 0x1FAFF},
                                      {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 4> kCombining{{{0x0300, 0x036F}, {0x200B, 0x200D}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};

bool is_control(char32_t code) { return code < 0x20 || (code >= 0x7F && code <= 0x9F); }

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character character = take(text);
    if (!character.valid || within(character.code, kTurning)) {
      out += '?';
    } else if (is_control(character.code)) {
      out += ' ';
    } else {
      out += text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return out;
}

std::string in_quotes(std::string_view text, std::size_t most) {
  const std::size_t kept = whole_characters(text, most);
  return '"' + printable(text.substr(0, kept)) + (kept < text.size() ? "…\"" : "\"");
}

std::size_t whole_characters(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text.size();
  // Back to a character's first byte, but no further than one character is long: the text may be anything.
  for (std::size_t back = 0; back < 4 && back <= most; ++back) {
    if (!is_continuation(byte_at(text, most - back))) return most - back;
  }
  return most;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = take(text);
    if (!within(character.code, kCombining)) width += within(character.code, kWide) ? 2 : 1;
    text.remove_prefix(character.bytes);
  }
  return width;
}

}  // namespace weft
