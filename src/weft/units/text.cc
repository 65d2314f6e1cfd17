#include "weft/units/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include "weft/base/check.h"
#include "weft/base/printable.h"
#include "weft/base/suggest.h"

namespace weft {
namespace {

using detail::Wide;

struct Unit {
  std::string_view name;
  std::int64_t count;  // in bit/s, bytes, or picoseconds
};

constexpr std::int64_t kKi = 1024;
constexpr std::int64_t kMi = kKi * kKi;
constexpr std::int64_t kGi = kKi * kMi;
constexpr std::int64_t kTi = kKi * kGi;
constexpr std::int64_t kK = 1'000;
constexpr std::int64_t kM = 1'000'000;
constexpr std::int64_t kG = 1'000'000'000;
constexpr std::int64_t kT = 1'000'000'000'000;

// The first units of each table, largest first, are those that exact() and human() use.
constexpr auto kRateUnits = std::to_array<Unit>({
    {"Tb/s", kT},       {"Gb/s", kG},       {"Mb/s", kM},       {"kb/s", kK},       {"b/s", 1},       {"TB/s", 8 * kT},
    {"GB/s", 8 * kG},   {"MB/s", 8 * kM},   {"kB/s", 8 * kK},   {"B/s", 8},         {"Tbps", kT},     {"Gbps", kG},
    {"Mbps", kM},       {"kbps", kK},       {"bps", 1},         {"TBps", 8 * kT},   {"GBps", 8 * kG}, {"MBps", 8 * kM},
    {"kBps", 8 * kK},   {"Bps", 8},         {"Tib/s", kTi},     {"Gib/s", kGi},     {"Mib/s", kMi},   {"Kib/s", kKi},
    {"TiB/s", 8 * kTi}, {"GiB/s", 8 * kGi}, {"MiB/s", 8 * kMi}, {"KiB/s", 8 * kKi},
});
constexpr auto kByteUnits = std::to_array<Unit>({
    {"TiB", kTi},
    {"GiB", kGi},
    {"MiB", kMi},
    {"KiB", kKi},
    {"B", 1},
    {"TB", kT},
    {"GB", kG},
    {"MB", kM},
    {"kB", kK},
});
constexpr auto kMessageUnits = std::to_array<Unit>({
    {"TiB", kTi},
    {"GiB", kGi},
    {"MiB", kMi},
    {"KiB", kKi},
    {"B", 1},
    {"T", kTi},
    {"G", kGi},
    {"M", kMi},
    {"K", kKi},
    {"g", kGi},
    {"m", kMi},
    {"k", kKi},
    {"", 1},
});
constexpr auto kDurationUnits = std::to_array<Unit>({
    {"s", kT},
    {"ms", kG},
    {"us", kM},
    {"ns", kK},
    {"ps", 1},
    {"\xc2\xb5s", kM},
    {"\xce\xbcs", kM},
});

struct Decimal {
  Wide whole = 0;
  Wide fraction = 0;
  Wide fraction_unit = 1;  // 10^digits of the fraction
};

constexpr Wide kMostWhole = Wide{1} << 64;  // beyond every range; stops growing there
constexpr int kMostFractionDigits = 24;     // fraction * unit stays below 2^127; later digits cannot matter

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t'; }

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// Takes the number off the front of the text. No sign, no exponent: quantities here are never negative.
std::optional<Decimal> take_decimal(std::string_view& text) {
  Decimal number;
  bool any_digit = false;
  bool in_fraction = false;
  int fraction_digits = 0;
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text.front();
    if (c == '.' && !in_fraction) {
      in_fraction = true;
      continue;
    }
    if (!is_digit(c)) break;
    any_digit = true;
    if (!in_fraction) {
      number.whole = std::min(number.whole * 10 + (c - '0'), kMostWhole);
    } else if (++fraction_digits <= kMostFractionDigits) {
      number.fraction = number.fraction * 10 + (c - '0');
      number.fraction_unit *= 10;
    }
  }
  return any_digit ? std::optional(number) : std::nullopt;
}

// number * unit to the nearest integer; nothing when it does not fit.
std::optional<std::int64_t> scale(const Decimal& number, std::int64_t unit) {
  if (number.whole > detail::kMax / unit) return std::nullopt;
  const Wide part = (number.fraction * unit + number.fraction_unit / 2) / number.fraction_unit;
  const Wide value = number.whole * unit + part;
  if (value > detail::kMax) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

struct Dimension {
  std::string_view what;     // "rate"
  std::string_view example;  // "a rate such as 400Gb/s or 25GB/s"
  std::string_view usual;    // unit to suggest for a bare number
  std::string_view note;     // what tells units apart that differ only in case
  std::span<const Unit> units;
};

constexpr Dimension kRate{"rate", "a rate such as 400Gb/s or 25GB/s", "Gb/s", "b is bit, B is byte", kRateUnits};
constexpr Dimension kBytes{"size", "a size such as 64KiB or 80GB", "B", "k, M, G are decimal, Ki, Mi, Gi binary",
                           kByteUnits};
constexpr Dimension kMessage{"message size", "a message size such as 8, 64K, 1M or 8G (binary, as in nccl-tests)", "",
                             "", kMessageUnits};
constexpr Dimension kDuration{"time", "a time such as 5us, 1.5ms or 900ns", "us", "", kDurationUnits};

// Letters only, case and the binary "i" aside: "KB" may mean kB or KiB.
std::string letters(std::string_view unit) {
  std::string out = lower(unit);
  std::erase(out, 'i');
  return out;
}

// What was probably meant, best first: for "gb/s" the units that differ in case alone, for "KB" also those that differ
// in the "i", for "G" the two most usual that begin so.
std::vector<std::string_view> alike(const Dimension& dimension, std::string_view unit) {
  std::vector<std::string_view> found;
  const auto add = [&](std::size_t most, auto&& matches) {
    for (const Unit& known : dimension.units) {
      const bool listed = std::ranges::find(found, known.name) != found.end();
      if (!listed && found.size() < most && matches(known.name)) found.push_back(known.name);
    }
  };
  add(dimension.units.size(), [&](std::string_view name) { return lower(name) == lower(unit); });
  if (found.empty() || &dimension == &kBytes) {
    add(dimension.units.size(), [&](std::string_view name) { return letters(name) == letters(unit); });
  }
  if (found.empty()) {
    add(2, [&](std::string_view name) { return lower(name).starts_with(lower(unit)); });
  }
  return found;
}

Error unknown_unit(const Dimension& dimension, std::string_view shown, std::string_view unit) {
  Error error = input_error(
      "WEFT-UNIT-0002", in_quotes(shown) + ": " + in_quotes(unit) + " is not a unit of " + std::string(dimension.what));
  error.expected = dimension.example;
  if (lower(unit) == "gt/s") {
    error.hint = "GT/s counts transfers per lane; give the rate of the link, or a link by name (pcie5-x16)";
    return error;
  }
  const std::vector<std::string_view> candidates = alike(dimension, unit);
  if (candidates.empty()) {
    std::vector<std::string> names;
    for (const Unit& known : dimension.units) names.emplace_back(known.name);
    error.hint = did_you_mean(unit, names);
    return error;
  }
  error.hint = "did you mean " + std::string(candidates.front());
  for (std::size_t i = 1; i < candidates.size(); ++i) error.hint += " or " + std::string(candidates[i]);
  error.hint += '?';
  if (candidates.size() > 1 && !dimension.note.empty()) error.hint += " (" + std::string(dimension.note) + ")";
  return error;
}

// Reads `text`; `shown` is the whole of what the user wrote, for messages, and `suffix` what stood behind `text` in it.
Result<std::int64_t> parse(const Dimension& dimension, std::string_view shown, std::string_view text,
                           std::string_view suffix = {}) {
  text = trim(text);
  const std::string_view all = text;
  const std::string what(dimension.what);
  const std::string example(dimension.example);
  const std::optional<Decimal> number = take_decimal(text);
  if (!number)
    return fail(input_error("WEFT-UNIT-0001", in_quotes(shown) + " is not a " + what).with_expected(example));

  const std::string_view digits = all.substr(0, all.size() - text.size());
  const std::string_view unit = trim(text);
  const auto known = std::ranges::find(dimension.units, unit, &Unit::name);
  if (known != dimension.units.end()) {
    const std::optional<std::int64_t> count = scale(*number, known->count);
    if (count) return *count;
    return fail(input_error("WEFT-UNIT-0004", in_quotes(shown) + " is too large for a " + what).with_expected(example));
  }
  if (!unit.empty()) return fail(unknown_unit(dimension, shown, unit));
  Error error = input_error("WEFT-UNIT-0003", in_quotes(shown) + ": a " + what + " without a unit");
  error.expected = example;
  if (digits.size() <= 20) {
    error.hint = "did you mean " + std::string(digits) + std::string(dimension.usual) + std::string(suffix) + "?";
  }
  return fail(std::move(error));
}

// "bidir" or "bidirectional" off the end.
bool take_bidir(std::string_view& text) {
  for (const std::string_view word : {"bidirectional", "bidir"}) {
    if (text.ends_with(word)) {
      text.remove_suffix(word.size());
      return true;
    }
  }
  return false;
}

// "per direction" or "/dir" off the end: it says what a rate is anyway.
void take_per_direction(std::string_view& text) {
  for (const std::string_view word : {"per direction", "/dir"}) {
    if (text.ends_with(word)) {
      text.remove_suffix(word.size());
      return;
    }
  }
}

// "12.5" for 12'500 in thousands; nothing when it takes more than `most_places` decimals.
std::optional<std::string> as_decimal(std::int64_t count, std::int64_t unit, int most_places) {
  Wide numerator = count;
  for (int places = 0; places <= most_places; ++places, numerator *= 10) {
    if (numerator % unit != 0) continue;
    std::string digits = std::to_string(static_cast<std::int64_t>(count / unit));
    if (places == 0) return digits;
    std::string decimals(static_cast<std::size_t>(places), '0');
    Wide rest = numerator / unit;
    for (auto digit = decimals.rbegin(); digit != decimals.rend(); ++digit, rest /= 10) {
      *digit = static_cast<char>('0' + static_cast<int>(rest % 10));
    }
    return digits + '.' + decimals;
  }
  return std::nullopt;
}

// The shortest of the units in which the count is a decimal of at least one; the earlier of equals.
std::string exact_text(std::int64_t count, std::span<const Unit> units) {
  if (count < 0) return "-" + exact_text(-count, units);
  std::string best;
  for (const Unit& unit : units) {
    const std::optional<std::string> digits = count < unit.count ? std::nullopt : as_decimal(count, unit.count, 6);
    if (!digits) continue;
    std::string text = *digits + std::string(unit.name);
    if (best.empty() || text.size() < best.size()) best = std::move(text);
  }
  return best;
}

std::string scaled_text(double value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    const double in_unit = value / static_cast<double>(unit.count);
    // 0.99995 of a unit is 1.000 of it in four digits, not 1000 of the next.
    if (std::fabs(in_unit) >= 0.99995 || &unit == &units.back()) {
      return significant(in_unit) + ' ' + std::string(unit.name);
    }
  }
  return {};
}

}  // namespace

Result<ParsedRate> parse_rate_text(std::string_view whole) {
  std::string_view text = trim(whole);
  const bool bidir = take_bidir(text);
  if (!bidir) take_per_direction(text);
  return parse(kRate, whole, text, bidir ? " bidir" : "").map([bidir](std::int64_t bits) {
    return ParsedRate{Rate(bidir ? bits / 2 : bits), bidir};
  });
}

Result<Rate> parse_rate(std::string_view text) {
  return parse_rate_text(text).map([](ParsedRate parsed) { return parsed.rate; });
}
Result<Bytes> parse_bytes(std::string_view text) {
  return parse(kBytes, text, text).map([](std::int64_t n) { return Bytes(n); });
}
Result<Bytes> parse_message(std::string_view text) {
  return parse(kMessage, text, text).map([](std::int64_t n) { return Bytes(n); });
}
Result<Duration> parse_duration(std::string_view text) {
  return parse(kDuration, text, text).map([](std::int64_t n) { return Duration(n); });
}

std::string exact(Rate rate) {
  return rate.count() == 0 ? "0b/s" : exact_text(rate.count(), std::span(kRateUnits).first(5));
}
std::string exact(Bytes bytes) { return bytes.count() == 0 ? "0B" : exact_text(bytes.count(), kByteUnits); }
std::string exact(Duration duration) {
  return duration.count() == 0 ? "0s" : exact_text(duration.count(), std::span(kDurationUnits).first(5));
}

std::string significant(double value, int digits) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const int places = std::max(0, digits - 1 - magnitude);
  std::array<char, 800> buffer{};  // the widest doubles have 309 digits before the point or 324 zeros after it
  const std::to_chars_result end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed, places);
  WEFT_CHECK(end.ec == std::errc(), "a number that does not fit its buffer");
  std::string_view text(buffer.data(), end.ptr);
  if (text.find('.') != std::string_view::npos) {
    while (text.back() == '0') text.remove_suffix(1);
    if (text.back() == '.') text.remove_suffix(1);
  }
  return std::string(text);
}

std::string human_bits(Rate rate) {
  return scaled_text(static_cast<double>(rate.count()), std::span(kRateUnits).first(5));
}
std::string human_bytes(Rate rate) {
  return scaled_text(static_cast<double>(rate.count()), std::span(kRateUnits).subspan(5, 5));
}
std::string human_both(Rate rate) { return human_bytes(rate) + " per direction, " + human_bytes(rate * 2) + " bidir"; }
std::string human(Bytes bytes) {
  return scaled_text(static_cast<double>(bytes.count()), std::span(kByteUnits).first(5));
}
std::string human(Duration duration) {
  return scaled_text(static_cast<double>(duration.count()), std::span(kDurationUnits).first(5));
}

std::string percent(double share, int digits) { return significant(100 * share, digits) + " %"; }

}  // namespace weft
