#include "weft/formats/measured_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>

#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

using collective::Operation;

constexpr double kBytesPerMicrosecond = 1e3;  // of one GB/s
constexpr double kAgreement = 0.03;
constexpr double kHalfOfLastDigit = 0.0051;  // nccl-tests prints two decimals

// bus_factor where the table says enough, else 0.
double factor_of(const MeasuredTable& table) {
  const double ranks = static_cast<double>(table.servers.value_or(0)) * table.gpus_per_server.value_or(0);
  if (!table.operation || ranks < 2 || ranks > 1e9) return 0;
  return collective::bus_factor(*table.operation, static_cast<int>(ranks));
}

bool holds_factor(const MeasuredTable& table) {
  return table.old_semantics &&
         (table.operation == Operation::all_gather || table.operation == Operation::reduce_scatter);
}

class Finisher {
 public:
  explicit Finisher(const MeasuredTable& table)
      : factor_(factor_of(table)), algbw_factor_(holds_factor(table) ? factor_ : 1) {}

  [[nodiscard]] std::optional<double> derived(const RowFigures& row) const {
    if (row.algbw && *row.algbw > 0 && algbw_factor_ > 0)
      return row.size * algbw_factor_ / (*row.algbw * kBytesPerMicrosecond);
    if (row.busbw && *row.busbw > 0 && factor_ > 0) return row.size * factor_ / (*row.busbw * kBytesPerMicrosecond);
    return std::nullopt;
  }

  // What size and time make of the bandwidths; nothing where they cannot be held against them.
  [[nodiscard]] std::optional<double> algbw_of(const RowFigures& row) const {
    return row.algbw ? bandwidth(row, algbw_factor_) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> busbw_of(const RowFigures& row) const {
    return row.busbw ? bandwidth(row, factor_) : std::nullopt;
  }

 private:
  static std::optional<double> bandwidth(const RowFigures& row, double factor) {
    if (!row.time_us || *row.time_us <= 0 || factor <= 0) return std::nullopt;
    return row.size * factor / (*row.time_us * kBytesPerMicrosecond);
  }

  double factor_;
  double algbw_factor_;
};

std::string in_gbytes(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f GB/s", value);
  return text.data();
}

// Rows whose printed bandwidth is not what size and time make of it.
class Contradictions {
 public:
  void check(const RowFigures& row, std::optional<double> computed, std::optional<double> printed) {
    if (!computed || !printed || *printed <= 0) return;
    if (std::abs(*computed - *printed) <= kAgreement * *printed + kHalfOfLastDigit) return;
    if (rows_++ == 0)
      first_ = " (first: line " + std::to_string(row.line) + ", " + in_gbytes(*computed) + " against " +
               in_gbytes(*printed) + ")";
  }
  void remark(RemarkList& remarks, std::string_view what, std::string_view why) const {
    if (rows_ == 0) return;
    remarks.add(counted(rows_, "row") + " where " + std::string(what) + first_ + ": " + std::string(why));
  }

 private:
  std::size_t rows_ = 0;
  std::string first_;
};

}  // namespace

bool RowBook::take(const RowFigures& row) {
  if (rows_.size() >= kMostRows) return false;
  rows_.push_back(row);
  return true;
}

void RowBook::sort_by_size() {
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const RowFigures& a, const RowFigures& b) { return a.size < b.size; });
}

void RowBook::finish(MeasuredTable& table, RemarkList& remarks) const {
  const Finisher finisher(table);
  std::size_t empty_messages = 0;
  std::size_t without_time = unreadable_;
  std::size_t derived = 0;
  std::size_t backwards = 0;
  Contradictions algbw;
  Contradictions busbw;
  table.rows.clear();
  table.rows.reserve(rows_.size());
  for (const RowFigures& row : rows_) {
    if (row.size < 1) {
      ++empty_messages;
      continue;
    }
    const bool timed = row.time_us && *row.time_us > 0;
    const std::optional<double> time = timed ? row.time_us : finisher.derived(row);
    if (!time || !std::isfinite(*time) || *time <= 0) {
      ++without_time;
      continue;
    }
    if (!timed) ++derived;
    algbw.check(row, finisher.algbw_of(row), row.algbw);
    busbw.check(row, finisher.busbw_of(row), row.busbw);
    const Bytes size(static_cast<std::int64_t>(row.size));
    if (!table.rows.empty() && size <= table.rows.back().size) ++backwards;
    table.rows.push_back({size, *time, row.line});
  }
  if (empty_messages > 0) remarks.add(counted(empty_messages, "row") + " of no bytes left out");
  if (without_time > 0) remarks.add(counted(without_time, "row") + " without a time or a bandwidth left out");
  if (derived > 0) remarks.add(counted(derived, "row") + " without a time: derived from the bandwidth");
  if (backwards > 0) remarks.add(counted(backwards, "row") + " no larger than the one before");
  algbw.remark(remarks, "size / time is not the algbw printed", "sizes of another kind, or another semantics");
  busbw.remark(remarks, "the busbw printed is another", "another number of ranks, or sizes of another kind");
}

}  // namespace weft::formats
