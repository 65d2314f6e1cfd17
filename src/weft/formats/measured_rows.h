// The rows of a measured collective while a file is read, and what becomes of them: a time for each, or left out.
//
// Time where the file has none, in GB/s = 1e3 bytes a microsecond:
//   t = S / algbw                            t = S (n-1)/n / algbw in early nccl-tests' all-gather and reduce-scatter
//   t = S bus_factor / busbw                 (both semantics: busbw never changed)
// Where time and bandwidths are both printed they must agree within 3 % and the rounding of the print: a table whose
// algbw does not has sizes of another kind (per rank, elements) or other semantics, one whose busbw does not has
// another number of ranks; both are remarked.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "weft/base/error.h"
#include "weft/formats/measured_table.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

struct RowFigures {
  double size = 0;  // bytes, whole
  std::optional<double> time_us;
  std::optional<double> algbw;  // GB/s, as printed
  std::optional<double> busbw;
  int line = 0;
};

inline constexpr std::size_t kMostRows = 100'000;
inline constexpr double kLargestSize = 9e15;  // bytes that a double still counts exactly

class RowBook {
 public:
  // False when the book is full.
  [[nodiscard]] bool take(const RowFigures& row);
  void drop_unreadable() { ++unreadable_; }  // a row that holds no figures at all
  void sort_by_size();                       // rows of the same size stay in their order
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  [[nodiscard]] const std::vector<RowFigures>& figures() const { return rows_; }

  // Into table.rows, with remarks of what was left out and what contradicts itself. Needs the table's operation,
  // number of ranks and semantics.
  void finish(MeasuredTable& table, RemarkList& remarks) const;

 private:
  std::vector<RowFigures> rows_;
  std::size_t unreadable_ = 0;
};

}  // namespace weft::formats
