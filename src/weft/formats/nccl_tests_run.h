// One invocation of a test of nccl-tests while its output is read: parameters, devices, rows; and what it becomes.
//
// A run gives a table for each data type, reduction and root that it went through. The collective is the test's name
// where the log gives one that its rows allow; else what rows alone prove, and it is said:
//
//   reduction, no root     all-reduce when busbw = 2(n-1)/n algbw, reduce-scatter when it is (n-1)/n algbw
//   reduction and a root   reduce
//   a root                 broadcast
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/measured_rows.h"
#include "weft/formats/measured_table.h"
#include "weft/formats/nccl_tests_facts.h"
#include "weft/formats/nccl_tests_group.h"
#include "weft/formats/nccl_tests_line.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

class NcclTestsRun {
 public:
  // Parameters and devices of the run before serve a run that prints none of its own.
  [[nodiscard]] NcclTestsRun next();

  void take_parameters(const LogParameters& parameters);
  void take_device(LogDevice device);
  void take_columns(const LogColumns& columns, std::string_view test);
  // False when there are more rows, or kinds of rows, than can be kept.
  [[nodiscard]] bool take_row(const LogRow& row, int line);
  void take_out_of_bounds(std::string_view value);
  void take_average(std::string_view value);
  void end(const NcclFacts& facts);  // the last line of the run was seen

  [[nodiscard]] bool has_rows() const { return !books_.empty(); }
  [[nodiscard]] bool ended() const { return facts_.has_value(); }
  [[nodiscard]] const std::optional<LogColumns>& columns() const { return columns_; }

  // `facts` unless end() had better. `header`: keys that the log's owner wrote on top.
  [[nodiscard]] std::vector<MeasuredTable> tables(const NcclFacts& facts, const MeasuredTable& header);

 private:
  struct Kind {
    std::string dtype;
    std::string redop;
    std::optional<int> root;
    auto operator<=>(const Kind&) const = default;
  };
  struct Book {
    RowBook rows;
    bool interleaved = false;
    std::size_t wrong = 0;
  };

  void close_group();
  void describe(MeasuredTable& table, RemarkList& remarks) const;
  void name_operation(MeasuredTable& table, const Kind& kind, const RowBook& rows, RemarkList& remarks) const;
  void judge_results(MeasuredTable& table, const Book& book) const;
  [[nodiscard]] MeasuredTable table_of(const Kind& kind, const Book& book, const NcclFacts& facts,
                                       const MeasuredTable& header) const;

  std::optional<LogParameters> parameters_;
  std::shared_ptr<LogDevices> devices_;      // being read; none once the group is known
  std::shared_ptr<const GroupOfLog> group_;  // of this run or, while it prints none, of the one before
  bool own_devices_ = false;
  std::optional<LogColumns> columns_;
  std::string test_;
  std::map<Kind, Book> books_;
  std::size_t rows_ = 0;
  std::string out_of_bounds_;
  std::string average_;
  std::optional<NcclFacts> facts_;
};

}  // namespace weft::formats
