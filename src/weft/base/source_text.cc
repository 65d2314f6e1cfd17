#include "weft/base/source_text.h"

#include <algorithm>

namespace weft {
namespace {

constexpr std::size_t kQuoteWidth = 100;

SourcePosition quote(const SourceText& source, std::size_t line_begin, int line, std::size_t column0) {
  const std::string_view text = source.text;
  std::size_t line_end = text.find('\n', line_begin);
  if (line_end == std::string_view::npos) line_end = text.size();
  const std::string_view whole = text.substr(line_begin, line_end - line_begin);

  const std::size_t cut = column0 > kQuoteWidth / 2 && whole.size() > kQuoteWidth ? column0 - kQuoteWidth / 2 : 0;
  SourcePosition where;
  where.file = source.name;
  where.line = line;
  where.column = static_cast<int>(column0) + 1;
  where.line_text = std::string(whole.substr(std::min(cut, whole.size()), kQuoteWidth));
  for (char& c : where.line_text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  where.caret = static_cast<int>(column0 - cut) + 1;
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
