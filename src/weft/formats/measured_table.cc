#include "weft/formats/measured_table.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"
#include "weft/formats/measured_header.h"
#include "weft/formats/measured_rows.h"
#include "weft/formats/remarks.h"

namespace weft::formats {
namespace {

constexpr std::size_t kMostColumns = 256;
constexpr const char* kColumnsExpected = "a line of column names: size_bytes, and time_us, algbw_GBps or busbw_GBps";
constexpr const char* kHint =
    "`# key: value` lines stand above the columns, tabs between the cells; a raw nccl-tests log can be given as it is";

struct Columns {
  std::optional<std::size_t> size, time, algbw, busbw;
  [[nodiscard]] bool usable() const { return size && (time || algbw || busbw); }
};

Columns columns_of(std::string_view line) {
  Columns columns;
  std::size_t i = 0;
  while (i < kMostColumns) {
    const std::size_t tab = line.find('\t');
    const std::string_view name = trim(line.substr(0, tab));
    if (name == "size_bytes") columns.size = i;
    if (name == "time_us") columns.time = i;
    if (name == "algbw_GBps") columns.algbw = i;
    if (name == "busbw_GBps") columns.busbw = i;
    if (tab == std::string_view::npos) break;
    line.remove_prefix(tab + 1);
    ++i;
  }
  return columns;
}

class Reader {
 public:
  explicit Reader(const SourceText& file) : file_(file) { table_.file = file.name; }

  Result<MeasuredTable> read() {
    const std::string_view text = file_.text;
    begin_ = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    while (begin_ < text.size()) {
      const std::size_t end = std::min(text.find('\n', begin_), text.size());
      ++line_;
      if (Result<void> done = take(text.substr(begin_, end - begin_)); !done) return fail(std::move(done.error()));
      begin_ = end + 1;
    }
    if (!columns_.usable())
      return fail(input_error("WEFT-FMT-0901", "no table in the file")
                      .with_expected(kColumnsExpected)
                      .with_hint(kHint)
                      .at(at_end()));
    rows_.finish(table_, remarks_);
    if (table_.rows.empty())
      return fail(input_error("WEFT-FMT-0902", "the table has no row with a size and a time")
                      .with_expected("a row a message size")
                      .with_hint("a time is derived from algbw_GBps, and from busbw_GBps where servers, "
                                 "gpus_per_server and collective are known")
                      .at(at_end()));
    table_.remarks = remarks_.texts();
    return std::move(table_);
  }

 private:
  [[nodiscard]] SourcePosition at_end() const { return file_.position(file_.text.empty() ? 0 : file_.text.size() - 1); }
  [[nodiscard]] SourcePosition at(std::string_view part) const {
    return file_.position(static_cast<std::size_t>(part.data() - file_.text.data()));
  }

  Result<void> take(std::string_view line) {
    const std::string_view plain = trim(line);
    if (plain.empty()) return {};
    if (plain.front() == '#') return columns_.usable() ? Result<void>{} : take_key(trim(plain.substr(1)));
    return columns_.usable() ? take_row(line) : take_columns(line);
  }

  Result<void> take_key(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view value = trim(text.substr(colon + 1));
    Result<void> taken = take_header_key(trim(text.substr(0, colon)), value, table_, remarks_);
    if (!taken) return fail(std::move(taken.error()).at(at(value)));
    return {};
  }

  Result<void> take_columns(std::string_view line) {
    columns_ = columns_of(line);
    if (columns_.usable()) return {};
    return fail(input_error("WEFT-FMT-0901", "not the columns of a measured collective")
                    .with_expected(kColumnsExpected)
                    .with_hint(kHint)
                    .at(at(line)));
  }

  Result<void> take_row(std::string_view line) {
    cells_.clear();
    for (std::string_view rest = line; cells_.size() < kMostColumns;) {
      const std::size_t tab = rest.find('\t');
      cells_.push_back(trim(rest.substr(0, tab)));
      if (tab == std::string_view::npos) break;
      rest.remove_prefix(tab + 1);
    }
    Result<std::optional<double>> size = number(columns_.size);
    Result<std::optional<double>> time = number(columns_.time);
    Result<std::optional<double>> algbw = number(columns_.algbw);
    Result<std::optional<double>> busbw = number(columns_.busbw);
    for (Result<std::optional<double>>* each : {&size, &time, &algbw, &busbw}) {
      if (!*each) return fail(std::move(each->error()));
    }
    if (!*size) {
      rows_.drop_unreadable();
      return {};
    }
    if (**size < 0 || **size > kLargestSize || **size != std::floor(**size))
      return fail(input_error("WEFT-FMT-0903", in_quotes(cells_[*columns_.size], 40) + " is no size in bytes")
                      .with_expected("a whole number of bytes; the total over all ranks for all-gather, "
                                     "reduce-scatter and all-to-all")
                      .with_hint("as nccl-tests prints sizes, without units")
                      .at(at(cells_[*columns_.size])));
    if (!rows_.take({**size, *time, *algbw, *busbw, line_}))
      return fail(input_error("WEFT-FMT-0904", "more than " + std::to_string(kMostRows) + " rows")
                      .with_expected("one collective, a row a message size")
                      .with_hint("split the file: one table each")
                      .at(at(line)));
    return {};
  }

  // Nothing when the row has no such cell or the cell says nothing.
  Result<std::optional<double>> number(std::optional<std::size_t> column) const {
    if (!column || *column >= cells_.size() || says_nothing(cells_[*column])) return std::nullopt;
    const std::string_view cell = cells_[*column];
    if (const std::optional<double> value = parse_decimal(cell)) return value;
    return fail(input_error("WEFT-FMT-0903", in_quotes(cell, 40) + " is no number")
                    .with_expected("a decimal number, N/A or nothing between tabs")
                    .with_hint("cells are separated by tabs, not blanks; a decimal point, no thousands separators")
                    .at(at(cell)));
  }

  const SourceText& file_;
  MeasuredTable table_;
  RemarkList remarks_;
  RowBook rows_;
  Columns columns_;
  std::vector<std::string_view> cells_;
  std::size_t begin_ = 0;
  int line_ = 0;
};

}  // namespace

std::string_view base_name(const MeasuredTable& table) {
  const std::string_view file = table.file;
  return file.substr(file.find_last_of('/') + 1);
}

Result<MeasuredTable> read_measured_table(const SourceText& file) { return Reader(file).read(); }

bool looks_like_measured_table(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.find("size_bytes") != std::string_view::npos && !trim(line).starts_with('#') && columns_of(line).usable())
      return true;
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace weft::formats
