#include "weft/base/source_text.h"

#include <algorithm>

#include "weft/base/printable.h"

namespace weft {
namespace {

constexpr std::size_t kQuoteBytes = 100;
constexpr std::string_view kCut = "…";

SourcePosition quote(const SourceText& source, std::size_t line_begin, int line, std::size_t column0) {
  const std::string_view text = source.text;
  const std::size_t line_end = std::min(text.find('\n', line_begin), text.size());
  std::string_view whole = text.substr(line_begin, line_end - line_begin);
  if (whole.ends_with('\r')) whole.remove_suffix(1);

  SourcePosition where;
  where.file = source.name;
  where.line = line;
  where.column = static_cast<int>(column0) + 1;

  const std::size_t place = std::min(column0, whole.size());
  const bool is_long = whole.size() > kQuoteBytes;
  const std::size_t from = is_long && place > kQuoteBytes / 2 ? whole_characters(whole, place - kQuoteBytes / 2) : 0;
  const std::string_view shown = whole.substr(from, whole_characters(whole.substr(from), kQuoteBytes));
  const std::string before = (from > 0 ? std::string(kCut) : "") + printable(whole.substr(from, place - from));
  where.line_text = (from > 0 ? std::string(kCut) : "") + printable(shown);
  if (from + shown.size() < whole.size()) where.line_text += kCut;
  where.caret = static_cast<int>(display_width(before)) + 1;
  return where;
}

}  // namespace

SourcePosition SourceText::position(std::size_t offset) const {
  offset = std::min(offset, text.size());
  const std::string_view before = std::string_view(text).substr(0, offset);
  const int line = 1 + static_cast<int>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t newline = before.rfind('\n');
  const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
  return quote(*this, line_begin, line, offset - line_begin);
}

SourcePosition SourceText::position_at(int line, int column) const {
  std::size_t line_begin = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t newline = text.find('\n', line_begin);
    if (newline == std::string::npos) break;
    line_begin = newline + 1;
  }
  return quote(*this, line_begin, line, static_cast<std::size_t>(std::max(column, 1) - 1));
}

}  // namespace weft
