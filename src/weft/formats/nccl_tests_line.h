// One line of an nccl-tests log taken apart, whatever a launcher put in front of it.
//
// Rows are found by their shape, not their place: a size, a count and a data type next to each other. So prefixes of
// mpirun, srun, kubectl, timestamps and "run(), common.cu:967," need no list. The three kinds of tag that tell one
// process's output from another's are kept: "[1,0]<stdout>:", "0:" and "node0:". Columns differ by age:
//
//   size count type [redop] [root]  time algbw busbw [#wrong | error]  [time algbw busbw [#wrong | error]]
//
// The header says whether there is a root; without one the number of figures does.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats {

// A line without colours and repeated tags. Both views live as long as the scrubber's last call.
struct ScrubbedLine {
  std::string_view tag;   // "[1,0]", "0:", "node0:", or ""
  std::string_view text;  // the rest
};

class LineScrubber {
 public:
  ScrubbedLine scrub(std::string_view line);

 private:
  std::string buffer_;
};

struct LogColumns {
  bool root = false;
  bool redop = false;
};
// The line of column names ("size count type redop root time algbw busbw …").
[[nodiscard]] std::optional<LogColumns> columns_line(const std::vector<std::string_view>& words);

struct LogRow {
  double size = 0;
  std::string_view dtype;
  std::string_view redop;  // "" = no such column, or blank
  std::optional<int> root;
  bool timed = false;  // the figures are on the line, too
  std::optional<double> time_us, algbw, busbw;
  bool wrong = false;  // results were found wrong
};
[[nodiscard]] std::optional<LogRow> data_row(const std::vector<std::string_view>& words,
                                             const std::optional<LogColumns>& columns);
// The figures alone, of a row whose beginning stood on an earlier line.
[[nodiscard]] bool take_figures(const std::vector<std::string_view>& words, LogRow& row);

struct LogDevice {
  int rank = 0;
  int group = 0;
  std::int64_t pid = 0;
  std::string host;  // "" = not printed
  int device = 0;
  std::string gpu;
};
[[nodiscard]] std::optional<LogDevice> device_line(std::string_view text);

struct LogParameters {
  int threads = 1;
  int gpus = 1;  // of a thread
  int graph = 0;
};
[[nodiscard]] std::optional<LogParameters> parameter_line(const std::vector<std::string_view>& words);

// "all_reduce" of a word that ends in "all_reduce_perf"; "" when the text names no test.
[[nodiscard]] std::string_view test_name(std::string_view text);

}  // namespace weft::formats
