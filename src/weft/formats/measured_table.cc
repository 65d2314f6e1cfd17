#include "weft/formats/measured_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

constexpr std::size_t kMostRows = 100'000;
constexpr double kLargestSize = 9e15;  // bytes that a double still counts exactly

bool unknown(std::string_view value) { return value.empty() || value == "unknown" || value == "None"; }

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

struct Columns {
  std::optional<std::size_t> size, time, algbw, busbw;
};

class Reader {
 public:
  explicit Reader(const SourceText& file) : file_(file) { table_.file = file.name; }

  Result<MeasuredTable> read() {
    std::size_t begin = 0;
    while (begin < file_.text.size()) {
      const std::size_t end = std::min(file_.text.find('\n', begin), file_.text.size());
      ++line_;
      if (Result<void> done = take(trim_right(std::string_view(file_.text).substr(begin, end - begin))); !done)
        return fail(std::move(done.error()));
      begin = end + 1;
    }
    if (!header_) return fail(input_error("WEFT-FMT-0901", "no table in the file").with_expected(kHeader).at(here()));
    if (dropped_ > 0) table_.remarks.push_back(counted(dropped_, "row") + " without a size or a time left out");
    if (table_.rows.empty())
      return fail(input_error("WEFT-FMT-0902", "the table has no row with a size and a time").at(here()));
    return std::move(table_);
  }

 private:
  static constexpr const char* kHeader = "a line of column names: size_bytes, and time_us, algbw_GBps or busbw_GBps";

  static std::string_view trim_right(std::string_view text) {
    while (!text.empty() && (text.back() == '\r' || text.back() == '\n')) text.remove_suffix(1);
    return text;
  }

  SourcePosition here(int column = 1) const { return file_.position_at(std::max(1, line_), column); }

  Result<void> take(std::string_view line) {
    if (trim(line).empty()) return {};
    if (line.starts_with('#')) return header_ ? Result<void>{} : take_key(trim(line.substr(1)));
    return header_ ? take_row(line) : take_header(line);
  }

  Result<void> take_header(std::string_view line) {
    header_ = true;
    const std::vector<std::string_view> names = split(line, '\t');
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string_view name = trim(names[i]);
      if (name == "size_bytes") columns_.size = i;
      if (name == "time_us") columns_.time = i;
      if (name == "algbw_GBps") columns_.algbw = i;
      if (name == "busbw_GBps") columns_.busbw = i;
    }
    if (!columns_.size || (!columns_.time && !columns_.algbw && !columns_.busbw))
      return fail(
          input_error("WEFT-FMT-0901", "not the columns of a measured collective").with_expected(kHeader).at(here()));
    return {};
  }

  Result<void> take_row(std::string_view line) {
    const std::vector<std::string_view> cells = split(line, '\t');
    const auto cell = [&](std::optional<std::size_t> column) {
      return column && *column < cells.size() ? parse_number(trim(cells[*column])) : std::nullopt;
    };
    const std::optional<double> size = cell(columns_.size);
    if (!size || *size < 0 || *size > kLargestSize || *size != std::floor(*size)) {
      return fail(input_error("WEFT-FMT-0903", "not a size in bytes").with_expected("a whole number").at(here()));
    }
    if (table_.rows.size() == kMostRows)
      return fail(input_error("WEFT-FMT-0904", "more than " + std::to_string(kMostRows) + " rows").at(here()));
    const std::optional<double> time = time_of(*size, cell(columns_.time), cell(columns_.algbw), cell(columns_.busbw));
    if (*size == 0 || !time || *time <= 0) {
      ++dropped_;
      return {};
    }
    table_.rows.push_back({Bytes(static_cast<std::int64_t>(*size)), *time, line_});
    return {};
  }

  // Microseconds: printed, or from the bandwidths. GB/s are 1e3 bytes a microsecond.
  std::optional<double> time_of(double size, std::optional<double> time, std::optional<double> algbw,
                                std::optional<double> busbw) const {
    if (time) return time;
    const int ranks = table_.servers.value_or(0) * table_.gpus_per_server.value_or(0);
    const double factor = table_.operation && ranks > 1 ? collective::bus_factor(*table_.operation, ranks) : 0;
    const bool old = table_.old_semantics && factor > 0 && factor < 1;
    if (algbw && *algbw > 0) return size / (*algbw * 1e3) * (old ? factor : 1);
    if (busbw && *busbw > 0 && factor > 0) return size * factor / (*busbw * 1e3);
    return std::nullopt;
  }

  Result<void> take_key(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view key = trim(text.substr(0, colon));
    const std::string_view value = trim(text.substr(colon + 1));
    if (take_prose(key, value) || unknown(value)) return {};
    if (key == "server")
      table_.server = value;
    else if (key == "gpu")
      table_.gpu = value;
    else if (key == "date")
      table_.date = value;
    else if (key == "fabric")
      table_.fabric = value;
    else if (key == "dtype")
      table_.dtype = value;
    else if (key == "servers")
      return count(value, table_.servers);
    else if (key == "gpus_per_server")
      return count(value, table_.gpus_per_server);
    else if (key == "nics_per_server")
      return count(value, table_.nics_per_server);
    else if (key == "nic_gbps")
      table_.nic_gbps = parse_number(value);
    else if (key == "p2p")
      table_.p2p = value == "yes";
    else if (key == "gdr")
      table_.gdr = !value.starts_with("no");
    else if (key == "gdr")
      table_.gdr = !value.starts_with("no");
    else if (key == "semantics")
      table_.old_semantics = value == "old";
    else if (key == "healthy")
      table_.healthy = value == "yes" ? Health::yes : Health::no;
    else
      return take_word(key, value);
    return {};
  }

  bool take_prose(std::string_view key, std::string_view value) {
    std::string* text = key == "source"         ? &table_.source
                        : key == "interconnect" ? &table_.interconnect
                        : key == "healthy_note" ? &table_.healthy_note
                        : key == "cause"        ? &table_.cause
                        : key == "env"          ? &table_.env
                                                : nullptr;
    if (key == "note") table_.notes.emplace_back(value);
    if (text != nullptr) *text = value;
    return text != nullptr || key == "note";
  }

  // Keys whose value is one of a list.
  Result<void> take_word(std::string_view key, std::string_view value) {
    if (key == "library") {
      table_.library = collective::library_from(value);
    } else if (key == "collective") {
      table_.operation = collective::operation_from(value);
      if (!table_.operation) return bad_word(value, "an operation, such as all_reduce");
    } else if (key == "algorithm" && value != "auto") {
      table_.algorithm = collective::algorithm_from(value);
    } else if (key == "protocol" && value != "auto") {
      table_.protocol = collective::protocol_from(value);
    } else if (key == "launch") {
      const auto mode = collective::launch_mode_from(value);
      if (!mode) return bad_word(value, "process_per_gpu, thread_per_gpu, single_process, graph or unknown");
      table_.launch = *mode;
    } else if (key != "algorithm" && key != "protocol") {
      table_.remarks.push_back("key \"" + std::string(key) + "\" is not known");
    }
    return {};
  }

  Result<void> bad_word(std::string_view value, const char* expected) {
    return fail(input_error("WEFT-FMT-0905", "\"" + std::string(value) + "\" is not known here")
                    .with_expected(expected)
                    .at(here()));
  }

  Result<void> count(std::string_view value, std::optional<int>& target) {
    const std::optional<std::int64_t> number = parse_whole(value);
    if (!number || *number < 0 || *number > 1'000'000)
      return fail(input_error("WEFT-FMT-0906", "\"" + std::string(value) + "\" is not a count")
                      .with_expected("a whole number, or unknown")
                      .at(here()));
    target = static_cast<int>(*number);
    return {};
  }

  const SourceText& file_;
  MeasuredTable table_;
  Columns columns_;
  bool header_ = false;
  int line_ = 0;
  std::size_t dropped_ = 0;
};

}  // namespace

std::string_view base_name(const MeasuredTable& table) {
  const std::string_view file = table.file;
  return file.substr(file.find_last_of('/') + 1);
}

Result<MeasuredTable> read_measured_table(const SourceText& file) { return Reader(file).read(); }

}  // namespace weft::formats
