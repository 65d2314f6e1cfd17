#include "weft/report/text.h"

#include <algorithm>

#include "weft/base/printable.h"

namespace weft::report {
namespace {

int columns(std::string_view text) { return static_cast<int>(display_width(text)); }

}  // namespace

std::size_t first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return std::min(bytes, text.size());
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
    int word_width = columns(word);
    if (!line.empty() && line_width + 1 + word_width > width) flush();
    if (!line.empty()) append(" ", 1);
    while (word_width > width) {
      std::size_t bytes = 0;
      int taken = 0;
      while (true) {
        const std::size_t next = first_character(word.substr(bytes));
        const int w = columns(word.substr(bytes, next));
        if (taken + w > width) break;
        taken += w;
        bytes += next;
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
    widest = std::max(widest, columns(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return widest;
}

std::string pad_right(std::string_view text, int width) {
  return std::string(text) + std::string(static_cast<std::size_t>(std::max(0, width - columns(text))), ' ');
}

std::string pad_left(std::string_view text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - columns(text))), ' ') + std::string(text);
}

std::string counted(std::size_t n, std::string_view noun) {
  std::string text = std::to_string(n) + ' ' + std::string(noun);
  if (n == 1) return text;
  return text + (noun.ends_with("ch") || noun.ends_with('s') ? "es" : "s");
}

}  // namespace weft::report
