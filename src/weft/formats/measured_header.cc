#include "weft/formats/measured_header.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

using collective::LaunchMode;
using collective::Operation;

constexpr int kMostOfAnything = 1'000'000;
constexpr double kFastestNic = 1e6;  // Gb/s
constexpr std::size_t kLongestText = 1000;
constexpr std::size_t kMostNotes = 50;

struct TextKey {
  std::string_view key;
  std::string MeasuredTable::*text;
};
constexpr auto kTexts = std::to_array<TextKey>({{"source", &MeasuredTable::source},
                                                {"date", &MeasuredTable::date},
                                                {"server", &MeasuredTable::server},
                                                {"gpu", &MeasuredTable::gpu},
                                                {"interconnect", &MeasuredTable::interconnect},
                                                {"kernel", &MeasuredTable::kernel},
                                                {"dtype", &MeasuredTable::dtype},
                                                {"healthy_note", &MeasuredTable::healthy_note},
                                                {"cause", &MeasuredTable::cause},
                                                {"env", &MeasuredTable::env}});

struct CountKey {
  std::string_view key;
  std::optional<int> MeasuredTable::*count;
  int least;
};
constexpr auto kCounts = std::to_array<CountKey>({{"servers", &MeasuredTable::servers, 1},
                                                  {"gpus_per_server", &MeasuredTable::gpus_per_server, 1},
                                                  {"nics_per_server", &MeasuredTable::nics_per_server, 0},
                                                  {"gpus_per_process", &MeasuredTable::gpus_per_process, 1}});

// Keys whose value is one of a list.
constexpr auto kWordKeys = std::to_array<std::string_view>(
    {"fabric", "p2p", "gdr", "library", "collective", "algorithm", "protocol", "launch", "semantics", "healthy"});
// Prose that nothing is computed from.
constexpr auto kProse = std::to_array<std::string_view>(
    {"library_note", "algorithm_note", "plugin", "command", "instance", "adaptive_routing"});

constexpr auto kFabrics = std::to_array<std::string_view>({"ib", "roce", "efa", "slingshot", "tcp", "tcpx", "none"});

template <class Keys>
auto find_key(const Keys& keys, std::string_view key) {
  return std::find_if(keys.begin(), keys.end(), [&](const auto& each) { return each.key == key; });
}

template <class Words>
bool has(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(Operation::send_recv); ++i)
    names.emplace_back(collective::name_of(static_cast<Operation>(i)));
  return names;
}

class Taker {
 public:
  Taker(std::string_view key, std::string_view value, MeasuredTable& table, RemarkList& remarks)
      : key_(key), value_(value), word_(lower(value)), table_(table), remarks_(remarks) {}

  Result<void> take() {
    if (const auto text = find_key(kTexts, key_); text != kTexts.end()) {
      if (!says_nothing(value_)) table_.*(text->text) = shortened();
      return {};
    }
    if (key_ == "note" || has(kProse, key_)) {
      if (value_.empty()) return {};
      if (table_.notes.size() < kMostNotes) {
        table_.notes.push_back(key_ == "note" ? shortened() : std::string(key_) + ": " + shortened());
      } else {
        remarks_.add("notes beyond " + std::to_string(kMostNotes) + " left out");
      }
      return {};
    }
    if (const auto count = find_key(kCounts, key_); count != kCounts.end()) return take_count(*count);
    if (key_ == "nic_gbps") return take_rate();
    if (key_ == "collective") return take_collective();
    if (!has(kWordKeys, key_)) {
      remarks_.add("keys that are not known", in_quotes(key_, 40));
    } else if (!says_nothing(value_) && !take_word()) {
      remarks_.add(std::string(key_) + " " + in_quotes(value_, 40) + " is not known: taken for unknown");
    }
    return {};
  }

 private:
  [[nodiscard]] std::string shortened() const {
    return printable(value_.substr(0, whole_characters(value_, kLongestText)));
  }

  Result<void> take_count(const CountKey& key) {
    if (says_nothing(value_)) return {};
    const std::optional<std::int64_t> number = parse_whole(value_);
    if (!number || *number < key.least || *number > kMostOfAnything)
      return fail(input_error("WEFT-FMT-0906", in_quotes(value_, 40) + " is no number of " +
                                                   std::string(key_.substr(0, key_.find("_per_"))))
                      .with_expected("a whole number from " + std::to_string(key.least) + ", or unknown")
                      .with_hint("what is true of several counts is a note: one file describes one group"));
    table_.*(key.count) = static_cast<int>(*number);
    return {};
  }

  Result<void> take_rate() {
    if (says_nothing(value_)) return {};
    const std::optional<double> rate = parse_decimal(value_);
    if (!rate || *rate <= 0 || *rate > kFastestNic)
      return fail(input_error("WEFT-FMT-0907", in_quotes(value_, 40) + " is no rate of a NIC")
                      .with_expected("Gb/s per direction and NIC as a number, such as 400, or unknown")
                      .with_hint("several NICs are counted in nics_per_server"));
    table_.nic_gbps = rate;
    return {};
  }

  Result<void> take_collective() {
    if (says_nothing(value_)) return {};
    table_.operation = collective::operation_from(word_);
    if (table_.operation) return {};
    const std::vector<std::string> names = operation_names();
    const std::string near = did_you_mean(word_, names);
    return fail(input_error("WEFT-FMT-0905", in_quotes(value_, 40) + " is no collective")
                    .with_expected(listed(names, names.size()))
                    .with_hint(near.empty() ? "one collective a file" : near));
  }

  // False: the word is not of the key's list.
  bool take_word() {
    if (key_ == "fabric") {
      if (has(kFabrics, word_)) table_.fabric = word_;
      return !table_.fabric.empty();
    }
    if (key_ == "p2p") return (table_.p2p = yes_or_no()).has_value();
    if (key_ == "gdr") return (table_.gdr = gpudirect()).has_value();
    if (key_ == "library") return (table_.library = collective::library_from(word_)).has_value();
    if (key_ == "algorithm")
      return word_ == "auto" || (table_.algorithm = collective::algorithm_from(word_)).has_value();
    if (key_ == "protocol") return word_ == "auto" || (table_.protocol = collective::protocol_from(word_)).has_value();
    if (key_ == "semantics") {
      table_.old_semantics = word_ == "old";
      return word_ == "old" || word_ == "new";
    }
    if (key_ == "healthy") {
      const std::optional<bool> healthy = yes_or_no();
      if (healthy) table_.healthy = *healthy ? Health::yes : Health::no;
      return healthy.has_value();
    }
    const std::optional<LaunchMode> mode = collective::launch_mode_from(word_);
    table_.launch = mode.value_or(LaunchMode::unknown);
    return mode.has_value();
  }

  [[nodiscard]] std::optional<bool> yes_or_no() const {
    if (word_ == "yes") return true;
    if (word_ == "no") return false;
    return std::nullopt;
  }

  // "yes", "no (host-staged)", or the transport as NCCL names it: "NET/IB/1/GDRDMA" has it, "NET/IB/1" has not.
  [[nodiscard]] std::optional<bool> gpudirect() const {
    if (word_ == "yes" || word_.starts_with("yes ")) return true;
    if (word_ == "no" || word_.starts_with("no ")) return false;
    if (word_.starts_with("net/")) return word_.find("/gdrdma") != std::string::npos;
    return std::nullopt;
  }

  std::string_view key_;
  std::string_view value_;
  std::string word_;
  MeasuredTable& table_;
  RemarkList& remarks_;
};

}  // namespace

bool says_nothing(std::string_view value) {
  return value.empty() || value == "unknown" || value == "None" || value == "NA" || value == "N/A" || value == "-" ||
         value == "not stated";
}

Result<void> take_header_key(std::string_view key, std::string_view value, MeasuredTable& table, RemarkList& remarks) {
  return Taker(key, value, table, remarks).take();
}

bool is_header_key(std::string_view key) {
  return find_key(kTexts, key) != kTexts.end() || find_key(kCounts, key) != kCounts.end() || has(kWordKeys, key) ||
         has(kProse, key) || key == "nic_gbps" || key == "note";
}

}  // namespace weft::formats
