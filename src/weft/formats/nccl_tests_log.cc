#include "weft/formats/nccl_tests_log.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "weft/formats/fields.h"
#include "weft/formats/measured_header.h"
#include "weft/formats/nccl_tests_facts.h"
#include "weft/formats/nccl_tests_line.h"
#include "weft/formats/nccl_tests_run.h"

namespace weft::formats {
namespace {

constexpr std::size_t kMostStreams = 1024;
constexpr std::size_t kMostTables = 1000;
constexpr std::size_t kLookAt = std::size_t{1} << 20;

struct Other {
  std::string_view sign;
  std::string_view name;
};
constexpr auto kOthers = std::to_array<Other>({
    {"P2P=Disabled Bandwidth Matrix", "p2pBandwidthLatencyTest, which copies between two GPUs at a time"},
    {"P2P=Enabled Bandwidth", "p2pBandwidthLatencyTest, which copies between two GPUs at a time"},
    {"P2P Connectivity Matrix", "p2pBandwidthLatencyTest, which copies between two GPUs at a time"},
    {"memcpy CE GPU(row)", "nvbandwidth, which copies between two GPUs at a time"},
    {"memcpy SM GPU(row)", "nvbandwidth, which copies between two GPUs at a time"},
    {"nvbandwidth", "nvbandwidth, which copies between two GPUs at a time"},
    {"# OSU ", "the OSU micro-benchmarks, which measure MPI"},
    {"RDMA_Write", "perftest, which measures one adapter"},
    {"RDMA_Read", "perftest, which measures one adapter"},
    {"#bytes", "perftest, which measures one adapter"},
    {"algo throughput:", "a PyTorch script, whose sizes and steps are not printed"},
    {"Peer-to-Peer Bandwidth", "a peer-to-peer test, which copies between two GPUs at a time"},
});

// What one process prints, as far as tags tell processes apart.
struct Stream {
  NcclTestsRun run;
  std::optional<LogRow> cut;  // the beginning of a row whose figures are to come
  int cut_line = 0;
};

class LogReader {
 public:
  explicit LogReader(const SourceText& file) : file_(file) {}

  Result<std::vector<MeasuredTable>> read() {
    const std::string_view text = file_.text;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      ++line_;
      if (!take(text.substr(begin, end - begin)))
        return fail(input_error("WEFT-FMT-1003", "more rows than can be kept")
                        .with_expected("runs of up to " + std::to_string(kMostRows) + " rows")
                        .with_hint("split the log")
                        .at(file_.position(begin)));
      begin = end + 1;
    }
    for (auto& [tag, stream] : streams_) finish(stream);
    std::stable_sort(read_.begin(), read_.end(),
                     [](const OfRun& a, const OfRun& b) { return a.table.rows[0].line < b.table.rows[0].line; });
    std::vector<MeasuredTable> tables = joined_runs();
    if (tables.empty()) return fail(nothing_read());
    for (std::size_t i = 0; i < tables.size(); ++i) {
      tables[i].file = file_.name + (i == 0 ? "" : "#" + std::to_string(i + 1));
      if (left_out_ > 0) tables[i].remarks.push_back(counted(left_out_, "run") + " of this log left out");
    }
    return tables;
  }

 private:
  [[nodiscard]] Error nothing_read() const {
    if (saw_columns_) {
      return input_error("WEFT-FMT-1002", "nccl-tests printed its columns and no row with a size and a time")
          .with_expected("a row a message size")
          .with_hint("the run may have failed: look for NCCL WARN")
          .at(file_.position_at(columns_line_, 1));
    }
    const std::string_view other = other_benchmark(file_.text);
    const std::string what = other.empty() ? std::string() : ": this is output of " + std::string(other);
    return input_error("WEFT-FMT-1001", "no table of nccl-tests in the file" + what)
        .with_expected("output of all_reduce_perf or another test of nccl-tests or rccl-tests")
        .with_hint("its columns begin with size, count and type; give the whole log, with \"Using devices\"")
        .at(file_.position(0));
  }

  Stream& stream_of(std::string_view tag) {
    auto at = streams_.find(tag);
    if (at == streams_.end()) {
      if (streams_.size() >= kMostStreams) tag = {};
      at = streams_.try_emplace(std::string(tag)).first;
    }
    return at->second;
  }

  // False when there is too much.
  bool take(std::string_view raw) {
    const ScrubbedLine line = scrubber_.scrub(raw);
    const std::string_view text = trim(line.text);
    if (text.empty()) return true;
    facts_.take(raw);
    if (const std::string_view test = test_name(text); !test.empty()) test_ = test;
    const std::vector<std::string_view> parts = words(text.substr(0, 1024));
    const bool comment = text.find('#') != std::string_view::npos;
    if (comment && take_comment(line.tag, text, parts)) return true;
    Stream& stream = stream_of(line.tag);
    if (std::optional<LogRow> row = data_row(parts, stream.run.columns())) return take_row(stream, *row);
    if (stream.cut && take_figures(parts, *stream.cut)) {
      const LogRow row = *std::exchange(stream.cut, std::nullopt);
      return keep(stream, row, stream.cut_line);
    }
    return true;
  }

  bool take_comment(std::string_view tag, std::string_view text, const std::vector<std::string_view>& parts) {
    if (const auto parameters = parameter_line(parts)) {
      Stream& stream = stream_of(tag);
      if (stream.run.has_rows()) begin_next(stream);
      stream.run.take_parameters(*parameters);
      return true;
    }
    if (auto device = device_line(text)) {
      Stream& stream = stream_of(tag);
      if (stream.run.has_rows()) begin_next(stream);
      stream.run.take_device(std::move(*device));
      return true;
    }
    if (const auto columns = columns_line(parts)) {
      Stream& stream = stream_of(tag);
      if (stream.run.has_rows()) begin_next(stream);
      stream.run.take_columns(*columns, test_);
      if (!std::exchange(saw_columns_, true)) columns_line_ = line_;
      return true;
    }
    if (const std::size_t at = text.find("Out of bounds values"); at != std::string_view::npos) {
      stream_of(tag).run.take_out_of_bounds(after_colon(text.substr(at)));
      return true;
    }
    if (const std::size_t at = text.find("Avg bus bandwidth"); at != std::string_view::npos) {
      Stream& stream = stream_of(tag);
      stream.run.take_average(after_colon(text.substr(at)));
      if (stream.run.has_rows() && !stream.run.ended()) {
        stream.run.end(facts_);
        facts_.begin_next_run();
      }
      return true;
    }
    return take_key(text);
  }

  // A line that the log's owner wrote: "# server: hgx-h100-8".
  bool take_key(std::string_view text) {
    if (!text.starts_with('#')) return false;
    const std::string_view line = trim(text.substr(1));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || !is_header_key(line.substr(0, colon))) return false;
    const std::string_view key = line.substr(0, colon);
    if (const Result<void> taken = take_header_key(key, trim(line.substr(colon + 1)), header_, header_remarks_); !taken)
      header_remarks_.add("line " + std::to_string(line_) + ": " + taken.error().message);
    return true;
  }

  static std::string_view after_colon(std::string_view text) {
    const std::size_t colon = text.find(':');
    return colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
  }

  bool take_row(Stream& stream, LogRow row) {
    if (stream.cut && !keep(stream, *stream.cut, stream.cut_line)) return false;
    stream.cut.reset();
    if (row.timed) return keep(stream, row, line_);
    // The words of the line do not outlive it.
    row.dtype = intern(row.dtype);
    row.redop = intern(row.redop);
    stream.cut = row;
    stream.cut_line = line_;
    return true;
  }

  bool keep(Stream& stream, const LogRow& row, int line) { return stream.run.take_row(row, line); }

  // Data types and reductions are few.
  std::string_view intern(std::string_view word) { return *interned_.emplace(word).first; }

  void begin_next(Stream& stream) {
    NcclTestsRun next = stream.run.next();
    finish(stream);
    stream.run = std::move(next);
  }

  void finish(Stream& stream) {
    if (stream.cut && !keep(stream, *stream.cut, stream.cut_line)) ++left_out_;
    stream.cut.reset();
    if (!stream.run.has_rows()) return;
    ++runs_;
    if (read_.size() >= kMostTables) {
      ++left_out_;
      return;
    }
    MeasuredTable header = header_;
    header.remarks = header_remarks_.texts();
    for (MeasuredTable& table : stream.run.tables(facts_, header)) read_.push_back({std::move(table), runs_});
    if (!stream.run.ended()) facts_.begin_next_run();
  }

  static bool same_setup(const MeasuredTable& a, const MeasuredTable& b) {
    return a.operation == b.operation && a.dtype == b.dtype && a.servers == b.servers &&
           a.gpus_per_server == b.gpus_per_server && a.gpu == b.gpu && a.launch == b.launch && a.library == b.library &&
           a.env == b.env && a.healthy == b.healthy && a.fabric == b.fabric;
  }

  // A loop around the test, one size a run.
  std::vector<MeasuredTable> joined_runs() {
    std::vector<MeasuredTable> joined;
    std::size_t runs = 1;
    std::size_t last_run = 0;
    const auto close = [&] {
      if (runs > 1) joined.back().remarks.push_back(std::to_string(runs) + " runs of growing size taken as one table");
      runs = 1;
    };
    for (auto& [table, run] : read_) {
      if (!joined.empty() && run != last_run && table.rows.size() == 1 && joined.back().rows.size() == runs &&
          table.rows[0].size > joined.back().rows.back().size && same_setup(joined.back(), table)) {
        joined.back().rows.push_back(table.rows[0]);
        ++runs;
      } else {
        close();
        joined.push_back(std::move(table));
      }
      last_run = run;
    }
    close();
    return joined;
  }

  const SourceText& file_;
  LineScrubber scrubber_;
  NcclFacts facts_;
  std::string test_;  // the last one named
  MeasuredTable header_;
  RemarkList header_remarks_;
  std::map<std::string, Stream, std::less<>> streams_;
  std::set<std::string, std::less<>> interned_;
  struct OfRun {
    MeasuredTable table;
    std::size_t run = 0;
  };
  std::vector<OfRun> read_;
  std::size_t runs_ = 0;
  std::size_t left_out_ = 0;
  bool saw_columns_ = false;
  int columns_line_ = 0;
  int line_ = 0;
};

}  // namespace

Result<std::vector<MeasuredTable>> read_nccl_tests_log(const SourceText& file) { return LogReader(file).read(); }

bool looks_like_nccl_tests_log(std::string_view text) {
  text = text.substr(0, kLookAt);
  LineScrubber scrubber;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    // Cheap first: both have one of these words.
    if (line.find("algbw") != std::string_view::npos || line.find("float") != std::string_view::npos ||
        line.find("half") != std::string_view::npos || line.find("int") != std::string_view::npos ||
        line.find("double") != std::string_view::npos || line.find("fp8") != std::string_view::npos) {
      const std::vector<std::string_view> parts = words(scrubber.scrub(line).text.substr(0, 1024));
      if (columns_line(parts)) return true;
      const std::optional<LogRow> row = data_row(parts, std::nullopt);
      if (row && row->timed) return true;
    }
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return false;
}

std::string_view other_benchmark(std::string_view text) {
  text = text.substr(0, kLookAt);
  for (const Other& other : kOthers) {
    if (text.find(other.sign) != std::string_view::npos) return other.name;
  }
  return {};
}

}  // namespace weft::formats
