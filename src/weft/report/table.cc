#include "weft/report/table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "weft/base/check.h"
#include "weft/base/printable.h"
#include "weft/report/text.h"

namespace weft::report {
namespace {

constexpr int kGap = 2;
constexpr int kNarrowest = 12;    // a wrapped column is not squeezed below this
constexpr int kLongestWord = 28;  // longer words may be broken to keep the width

int columns(std::string_view text) { return static_cast<int>(display_width(text)); }

std::string_view code_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "\x1b[32m";
    case Tone::warn:
      return "\x1b[33m";
    case Tone::bad:
      return "\x1b[31m";
    case Tone::faint:
      return "\x1b[2m";
    case Tone::plain:
      break;
  }
  return "";
}

std::string bold(std::string_view text, bool colour) {
  return colour ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

// A table made ready: printable texts, the width that each column gets.
class Layout {
 public:
  Layout(const Table& table, TextStyle style) : table_(table), style_(style) {
    for (const auto& row : table.rows) {
      WEFT_CHECK(row.empty() || row.size() == table.columns.size(), "a table row has one cell a column");
    }
    measure();
    squeeze();
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    if (!table_.title.empty()) out += bold(printable(table_.title), style_.colour) + "\n\n";
    std::vector<Cell> titles;
    bool titled = false;
    for (const Column& column : table_.columns) {
      titles.emplace_back(column.title);
      titled = titled || !column.title.empty();
    }
    if (titled) {
      out += row_text(titles, true);
      out += rule();
    }
    for (const auto& row : table_.rows) out += row.empty() ? rule() : row_text(row, false);
    if (!table_.notes.empty()) out += '\n';
    for (const std::string& note : table_.notes) {
      bool first = true;
      for (const std::string& line : wrap(printable(note), style_.width - 2)) {
        out += (first ? "* " : "  ") + line + '\n';
        first = false;
      }
    }
    return out;
  }

 private:
  // What a column takes when nothing gives way, and what it can come down to: titles wrap, and so do text cells.
  void measure() {
    for (std::size_t i = 0; i < table_.columns.size(); ++i) {
      const Column& column = table_.columns[i];
      const std::string title = printable(column.title);
      int natural = columns(title);
      int least = widest_word(title);
      if (column.wrap) least = std::max(kNarrowest, std::min(kLongestWord, least));
      std::vector<int> cells;
      for (const auto& row : table_.rows) {
        const std::string cell = row.empty() ? "" : printable(row[i].text);
        cells.push_back(columns(cell));
        natural = std::max(natural, cells.back());
        least = std::max(least, column.wrap ? std::min(kLongestWord, widest_word(cell)) : cells.back());
      }
      cells_.push_back(std::move(cells));
      widths_.push_back(natural);
      least_.push_back(std::min(least, natural));
    }
  }

  [[nodiscard]] int total() const {
    int sum = widths_.empty() ? 0 : kGap * (static_cast<int>(widths_.size()) - 1);
    for (const int width : widths_) sum += width;
    return sum;
  }

  // Lines that all rows take together, as if text could be broken anywhere and into parts of lines: without steps, so
  // that taking one column of characters away always shows what it costs.
  [[nodiscard]] double height() const {
    double lines = 0;
    for (std::size_t r = 0; r < table_.rows.size(); ++r) {
      double tallest = 1;
      for (std::size_t i = 0; i < widths_.size(); ++i) {
        tallest = std::max(tallest, static_cast<double>(cells_[i][r]) / std::max(1, widths_[i]));
      }
      lines += tallest;
    }
    return lines;
  }

  // Takes one column of characters at a time from where it makes the table grow least; of equals, the widest gives.
  void squeeze() {
    for (int over = total() - style_.width; over > 0; --over) {
      std::size_t best = widths_.size();
      double best_height = 0;
      for (std::size_t i = 0; i < widths_.size(); ++i) {
        if (widths_[i] <= least_[i]) continue;
        --widths_[i];
        const double now = height();
        ++widths_[i];
        const bool first = best == widths_.size();
        if (!first && (now > best_height || (now == best_height && widths_[i] <= widths_[best]))) continue;
        best = i;
        best_height = now;
      }
      if (best == widths_.size()) return;
      --widths_[best];
    }
  }

  [[nodiscard]] std::string rule() const {
    std::string out;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      if (i > 0) out += std::string(kGap, ' ');
      out += std::string(static_cast<std::size_t>(widths_[i]), '-');
    }
    return toned(out, Tone::faint, style_.colour) + '\n';
  }

  [[nodiscard]] std::string row_text(const std::vector<Cell>& row, bool header) const {
    std::vector<std::vector<std::string>> cells;
    std::size_t height = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string cell = printable(row[i].text);
      const bool wraps = (header || table_.columns[i].wrap) && columns(cell) > widths_[i];
      cells.push_back(wraps ? wrap(cell, widths_[i]) : std::vector<std::string>{cell});
      height = std::max(height, cells.back().size());
    }
    std::string out;
    for (std::size_t line = 0; line < height; ++line) {
      std::string text;
      int pending = 0;  // spaces owed, so that no line ends in them
      for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) pending += kGap;
        const std::string piece = line < cells[i].size() ? cells[i][line] : "";
        const int space = widths_[i] - columns(piece);
        const bool right = table_.columns[i].align == Align::right;
        if (right) pending += space;
        if (!piece.empty()) {
          text += std::string(static_cast<std::size_t>(std::max(0, pending)), ' ');
          text += header ? bold(piece, style_.colour) : toned(piece, row[i].tone, style_.colour);
          pending = 0;
        }
        if (!right) pending += space;
      }
      out += text + '\n';
    }
    return out;
  }

  const Table& table_;
  TextStyle style_;
  std::vector<int> widths_;
  std::vector<int> least_;
  std::vector<std::vector<int>> cells_;  // widths, by column and row
};

nlohmann::ordered_json json_of(const Cell& cell) {
  struct Visitor {
    const Cell& cell;
    nlohmann::ordered_json operator()(std::monostate) const {
      return cell.text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(cell.text);
    }
    nlohmann::ordered_json operator()(bool value) const { return value; }
    nlohmann::ordered_json operator()(std::int64_t value) const { return value; }
    nlohmann::ordered_json operator()(double value) const { return value; }
    nlohmann::ordered_json operator()(const std::string& value) const { return value; }
  };
  return std::visit(Visitor{cell}, cell.value);
}

}  // namespace

std::string toned(std::string_view text, Tone tone, bool colour) {
  const std::string_view code = colour ? code_of(tone) : "";
  return code.empty() ? std::string(text) : std::string(code) + std::string(text) + "\x1b[0m";
}

std::string to_text(const Table& table, TextStyle style) { return Layout(table, style).text(); }

nlohmann::ordered_json to_json_rows(const Table& table) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : table.rows) {
    if (row.empty()) continue;
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!table.columns[i].key.empty()) object[table.columns[i].key] = json_of(row[i]);
    }
    rows.push_back(std::move(object));
  }
  return rows;
}

}  // namespace weft::report
