#include "weft/formats/nccl_tests_line.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

constexpr std::size_t kLongestLine = 4096;  // rows have some 150 bytes
constexpr std::size_t kLongestTag = 80;
constexpr std::size_t kLongestRanks = 24;  // "[1,1023"
constexpr std::size_t kFigures = 3;        // time, algbw, busbw
constexpr int kMostRanks = 1'000'000;
constexpr double kLargestRow = 9e15;

constexpr auto kTypes = std::to_array<std::string_view>(
    {"int8", "char", "uint8", "int32", "int", "uint32", "int64", "uint64", "half", "float16", "float", "float32",
     "double", "float64", "bfloat16", "fp8_e4m3", "fp8_e5m2", "f8e4m3", "f8e5m2"});
constexpr auto kReductions =
    std::to_array<std::string_view>({"sum", "prod", "max", "min", "avg", "mulsum", "none", "all"});

template <class Words>
bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_name(char c) { return is_digit(c) || is_letter(c) || c == '.' || c == '-' || c == '_'; }

// "[1,12]<stdout>:" at the front: its length, else 0.
std::size_t rank_tag(std::string_view text) {
  if (!text.starts_with('[')) return 0;
  const std::size_t close = text.find(']');
  if (close > kLongestRanks) return 0;  // none at all, too
  const std::string_view inside = text.substr(1, close - 1);
  if (inside.empty() || inside.find_first_not_of("0123456789,") != std::string_view::npos) return 0;
  for (const std::string_view stream : {"<stdout>:", "<stderr>:"}) {
    if (text.substr(close + 1).starts_with(stream)) return close + 1 + stream.size();
  }
  return 0;
}

// "0: " or "node0: " at the front: the length of the name with its colon, else 0. "node0:1539:1539 [0] NCCL INFO" and
// "12:00:01" are none.
std::size_t name_tag(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && end < kLongestTag && is_name(text[end])) ++end;
  const bool tag = end > 0 && end < text.size() && text[end] == ':' && end + 1 < text.size() && is_space(text[end + 1]);
  return tag ? end + 1 : 0;
}

bool is_figure(std::string_view word) { return word == "N/A" || parse_decimal(word).has_value(); }

std::optional<double> figure(std::string_view word) { return word == "N/A" ? std::nullopt : parse_decimal(word); }

// Whether the first figure is a root: without a header, only by how many follow.
bool begins_with_root(const std::vector<std::string_view>& words, std::size_t at) {
  std::size_t count = 0;
  while (at + count < words.size() && is_figure(words[at + count])) ++count;
  return words[at] == "-1" || ((count == 5 || count == 7 || count == 9) && parse_whole(words[at]));
}

// The root is the last that is printed before the run: other output may stick to it ("-1node0:7:8").
std::optional<std::int64_t> leading_whole(std::string_view word) {
  const std::size_t end = word.find_first_not_of("0123456789", word.starts_with('-') ? 1 : 0);
  if (end != std::string_view::npos && word[end] == '.') return std::nullopt;
  return parse_whole(word.substr(0, end));
}

std::optional<std::int64_t> number_after(const std::vector<std::string_view>& words, std::string_view name) {
  const auto at = std::find(words.begin(), words.end(), name);
  if (at == words.end() || at + 1 == words.end()) return std::nullopt;
  return parse_whole(*(at + 1));
}

int small(std::optional<std::int64_t> value, int fallback) {
  return value && *value >= 0 && *value <= kMostRanks ? static_cast<int>(*value) : fallback;
}

}  // namespace

ScrubbedLine LineScrubber::scrub(std::string_view line) {
  line = line.substr(0, kLongestLine);
  if (line.find('\x1b') != std::string_view::npos || line.find("]<std") != std::string_view::npos) {
    buffer_.clear();
    std::string_view first;
    std::size_t kept_tag = 0;
    for (std::size_t i = 0; i < line.size();) {
      if (const std::size_t length = rank_tag(line.substr(i)); length > 0) {
        if (kept_tag == 0 && trim(buffer_).empty()) {
          first = line.substr(i, line.find(']', i) - i + 1);
          buffer_.assign(first);
          kept_tag = first.size();
        } else {
          buffer_ += ' ';
        }
        i += length;
      } else if (line[i] == '\x1b') {  // ESC [ … letter
        ++i;
        while (i < line.size() && !is_letter(line[i])) ++i;
        if (i < line.size()) ++i;
      } else {
        buffer_ += line[i++];
      }
    }
    const std::string_view clean = buffer_;
    if (kept_tag > 0) return {clean.substr(0, kept_tag), clean.substr(kept_tag)};
    line = clean;
  }
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {{}, {}};
  const std::string_view rest = line.substr(begin);
  const std::size_t tag = name_tag(rest);
  return {rest.substr(0, tag), tag > 0 ? rest.substr(tag) : line};
}

std::optional<LogColumns> columns_line(const std::vector<std::string_view>& words) {
  const auto time = std::find(words.begin(), words.end(), "time");
  if (time == words.end() || !has(words, "size") || !has(words, "type") || !has(words, "algbw")) return std::nullopt;
  return LogColumns{std::find(words.begin(), time, "root") != time, std::find(words.begin(), time, "redop") != time};
}

std::optional<LogRow> data_row(const std::vector<std::string_view>& words, const std::optional<LogColumns>& columns) {
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (!has(kTypes, words[i])) continue;
    std::string_view size_word = words[i - 2];
    if (const std::size_t colon = size_word.rfind(':'); colon != std::string_view::npos)
      size_word.remove_prefix(colon + 1);
    const std::optional<std::int64_t> size = parse_whole(size_word);
    const std::optional<std::int64_t> count = parse_whole(words[i - 1]);
    if (!size || !count || *size < 0 || *count < 0 || static_cast<double>(*size) > kLargestRow) continue;
    LogRow row;
    row.size = static_cast<double>(*size);
    row.dtype = words[i];
    std::size_t next = i + 1;
    if (next < words.size() && has(kReductions, words[next])) row.redop = words[next++];
    if (next < words.size() && (columns ? columns->root : begins_with_root(words, next))) {
      if (const std::optional<std::int64_t> root = leading_whole(words[next]);
          root && *root >= -1 && *root < kMostRanks) {
        row.root = static_cast<int>(*root);
        ++next;
      }
    }
    static_cast<void>(take_figures({words.begin() + static_cast<std::ptrdiff_t>(next), words.end()}, row));
    return row;
  }
  return std::nullopt;
}

bool take_figures(const std::vector<std::string_view>& words, LogRow& row) {
  if (words.size() < kFigures || !is_figure(words[0]) || !is_figure(words[1]) || !is_figure(words[2])) return false;
  row.timed = true;
  row.time_us = figure(words[0]);
  row.algbw = figure(words[1]);
  row.busbw = figure(words[2]);
  // "error" of old versions is the largest deviation; "#wrong" counts.
  if (words.size() > kFigures) {
    const std::optional<std::int64_t> wrong = parse_whole(words[kFigures]);
    row.wrong = wrong && *wrong > 0;
  }
  return true;
}

std::optional<LogDevice> device_line(std::string_view text) {
  const std::size_t at = text.find("Rank");
  if (at == std::string_view::npos || text.find("device", at) == std::string_view::npos) return std::nullopt;
  const std::size_t open = text.find('[', at);
  const std::size_t close = open == std::string_view::npos ? open : text.find(']', open);
  if (close == std::string_view::npos) return std::nullopt;
  const std::vector<std::string_view> parts = words(text.substr(at, open - at));
  const std::optional<std::int64_t> rank = number_after(parts, "Rank");
  const std::optional<std::int64_t> device = number_after(parts, "device");
  if (!rank || !device || *rank < 0 || *rank >= kMostRanks) return std::nullopt;
  LogDevice found;
  found.rank = static_cast<int>(*rank);
  found.group = small(number_after(parts, "Group"), 0);
  found.pid = number_after(parts, "Pid").value_or(0);
  found.device = small(device, 0);
  const auto on = std::find(parts.begin(), parts.end(), "on");
  if (on != parts.end() && on + 1 != parts.end() && *(on + 1) != "device")
    found.host = std::string((on + 1)->substr(0, kLongestTag));
  found.gpu = std::string(trim(text.substr(close + 1, 200)));
  return found;
}

std::optional<LogParameters> parameter_line(const std::vector<std::string_view>& words) {
  const std::optional<std::int64_t> threads = number_after(words, "nThread");
  const std::optional<std::int64_t> gpus = number_after(words, "nGpus");
  if (!threads || !gpus) return std::nullopt;
  return LogParameters{std::max(1, small(threads, 1)), std::max(1, small(gpus, 1)),
                       small(number_after(words, "graph:"), 0)};
}

std::string_view test_name(std::string_view text) {
  constexpr std::string_view kSuffix = "_perf";
  std::string_view found;
  for (std::size_t at = text.find(kSuffix); at != std::string_view::npos; at = text.find(kSuffix, at + 1)) {
    const std::size_t end = at + kSuffix.size();
    if (end < text.size() && is_name(text[end]) && text[end] != '.') continue;
    std::size_t begin = at;
    while (begin > 0 && ((text[begin - 1] >= 'a' && text[begin - 1] <= 'z') || text[begin - 1] == '_')) --begin;
    if (begin < at) found = text.substr(begin, at - begin);
  }
  return found;
}

}  // namespace weft::formats
