#include "weft/units/text.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <vector>

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

// In each table the first units are those that exact() tries, largest first within a family.
constexpr auto kRateUnits = std::to_array<Unit>({
    {"Tb/s", kT},      {"Gb/s", kG},      {"Mb/s", kM},      {"kb/s", kK},      {"b/s", 1},         {"TB/s", 8 * kT},
    {"GB/s", 8 * kG},  {"MB/s", 8 * kM},  {"kB/s", 8 * kK},  {"B/s", 8},        {"Tbps", kT},       {"Gbps", kG},
    {"Mbps", kM},      {"kbps", kK},      {"bps", 1},        {"TBps", 8 * kT},  {"GBps", 8 * kG},   {"MBps", 8 * kM},
    {"kBps", 8 * kK},  {"Bps", 8},        {"Tib/s", kTi},    {"Gib/s", kGi},    {"Mib/s", kMi},     {"Kib/s", kKi},
    {"TiB/s", 8 * kTi}, {"GiB/s", 8 * kGi}, {"MiB/s", 8 * kMi}, {"KiB/s", 8 * kKi},
});
constexpr auto kByteUnits = std::to_array<Unit>({
    {"TiB", kTi}, {"GiB", kGi}, {"MiB", kMi}, {"KiB", kKi}, {"B", 1}, {"TB", kT}, {"GB", kG}, {"MB", kM}, {"kB", kK},
});
constexpr auto kMessageUnits = std::to_array<Unit>({
    {"TiB", kTi}, {"GiB", kGi}, {"MiB", kMi}, {"KiB", kKi}, {"B", 1}, {"T", kTi}, {"G", kGi}, {"M", kMi}, {"K", kKi},
    {"g", kGi},   {"m", kMi},   {"k", kKi},   {"", 1},
});
constexpr auto kDurationUnits = std::to_array<Unit>({
    {"s", kT}, {"ms", kG}, {"us", kM}, {"ns", kK}, {"ps", 1}, {"\xc2\xb5s", kM}, {"\xce\xbcs", kM},
});

struct Decimal {
  Wide digits = 0;
  int fraction_digits = 0;
};

constexpr int kMostDigits = 24;  // digits * unit stays below 2^127

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
  int digits = 0;
  bool in_fraction = false;
  while (!text.empty() && (is_digit(text.front()) || (text.front() == '.' && !in_fraction))) {
    if (text.front() == '.') {
      in_fraction = true;
    } else {
      if (++digits > kMostDigits) return std::nullopt;
      number.digits = number.digits * 10 + (text.front() - '0');
      if (in_fraction) ++number.fraction_digits;
    }
    text.remove_prefix(1);
  }
  if (digits == 0) return std::nullopt;
  return number;
}

std::optional<std::int64_t> scale(Decimal number, std::int64_t unit) {
  // The divisor is at most 10^24; split so that digits * unit cannot pass 2^127.
  Wide divisor = 1;
  for (int i = 0; i < number.fraction_digits; ++i) divisor *= 10;
  const Wide whole = number.digits / divisor;
  const Wide rest = number.digits % divisor;
  if (whole > detail::kMax / unit) return std::nullopt;
  // rest < 10^24 < 2^80 and unit < 2^44: the product fits.
  const Wide value = whole * unit + (rest * unit + divisor / 2) / divisor;
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
  std::string_view example;  // "400Gb/s or 25GB/s"
  std::string_view usual;    // unit to suggest for a bare number
  std::span<const Unit> units;
};

constexpr Dimension kRate{"rate", "a rate such as 400Gb/s or 25GB/s", "Gb/s", kRateUnits};
constexpr Dimension kBytes{"size", "a size such as 64KiB or 80GB", "B", kByteUnits};
constexpr Dimension kMessage{"message size", "a message size such as 8, 64K, 1M or 8G (binary, as in nccl-tests)", "", kMessageUnits};
constexpr Dimension kDuration{"time", "a time such as 5us, 1.5ms or 900ns", "us", kDurationUnits};

Error unknown_unit(const Dimension& dimension, std::string_view whole, std::string_view unit) {
  Error error = input_error("WEFT-UNIT-0002", "\"" + std::string(whole) + "\": \"" + std::string(unit) + "\" is not a unit of " +
                                                  std::string(dimension.what));
  error.expected = dimension.example;
  if (lower(unit) == "gt/s") {
    error.hint = "GT/s counts transfers per lane; give the rate of the link, or a link by name (pcie5-x16)";
    return error;
  }
  std::vector<std::string> same_letters;
  std::vector<std::string> names;
  for (const Unit& known : dimension.units) {
    if (lower(known.name) == lower(unit)) same_letters.emplace_back(known.name);
    names.emplace_back(known.name);
  }
  if (same_letters.empty()) {
    error.hint = did_you_mean(unit, names);
  } else {
    error.hint = "did you mean " + same_letters.front();
    for (std::size_t i = 1; i < same_letters.size(); ++i) error.hint += " or " + same_letters[i];
    error.hint += "? (b is bit, B is byte; case matters)";
  }
  return error;
}

Result<std::int64_t> parse(const Dimension& dimension, std::string_view whole) {
  std::string_view text = trim(whole);
  const std::optional<Decimal> number = take_decimal(text);
  if (!number) {
    return fail(input_error("WEFT-UNIT-0001", "\"" + std::string(whole.substr(0, 64)) + "\" is not a " + std::string(dimension.what))
                    .with_expected(std::string(dimension.example)));
  }
  const std::string_view unit = trim(text);
  for (const Unit& known : dimension.units) {
    if (known.name != unit) continue;
    const std::optional<std::int64_t> count = scale(*number, known.count);
    if (!count) {
      return fail(input_error("WEFT-UNIT-0004", "\"" + std::string(whole) + "\" is too large for a " + std::string(dimension.what)));
    }
    return *count;
  }
  if (unit.empty()) {
    const std::string digits(trim(whole));
    return fail(input_error("WEFT-UNIT-0003", "\"" + digits + "\": a " + std::string(dimension.what) + " without a unit")
                    .with_expected(std::string(dimension.example))
                    .with_hint("did you mean " + digits + std::string(dimension.usual) + "?"));
  }
  return fail(unknown_unit(dimension, whole, unit.substr(0, 64)));
}

// Takes "bidir" (or "bidirectional", or "/dir", which changes nothing) off the end.
bool take_bidir(std::string_view& text) {
  for (const std::string_view word : {std::string_view("bidirectional"), std::string_view("bidir")}) {
    if (text.ends_with(word)) {
      text.remove_suffix(word.size());
      return true;
    }
  }
  return false;
}

void take_per_direction(std::string_view& text) {
  for (const std::string_view word : {std::string_view("per direction"), std::string_view("/dir")}) {
    if (text.ends_with(word)) {
      text.remove_suffix(word.size());
      return;
    }
  }
}

// "12.5" from 125 tenths; needs count * 10^places divisible by the unit.
std::optional<std::string> as_decimal(std::int64_t count, std::int64_t unit, int most_places) {
  Wide numerator = count;
  for (int places = 0; places <= most_places; ++places, numerator *= 10) {
    if (numerator % unit != 0) continue;
    std::string digits;
    for (Wide value = numerator / unit; value > 0 || static_cast<int>(digits.size()) <= places; value /= 10) {
      digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    }
    if (places > 0) digits.insert(digits.size() - static_cast<std::size_t>(places), ".");
    return digits;
  }
  return std::nullopt;
}

// The largest of the first `families` units in which the count is a short decimal of at least one.
std::string exact_text(std::int64_t count, std::span<const Unit> units) {
  if (count < 0) return "-" + exact_text(-count, units);
  std::string best;
  for (const Unit& unit : units) {
    if (count < unit.count) continue;
    const std::optional<std::string> digits = as_decimal(count, unit.count, 6);
    if (!digits) continue;
    std::string text = *digits + std::string(unit.name);
    if (best.empty() || text.size() < best.size()) best = std::move(text);
  }
  return best.empty() ? "0" + std::string(units.back().name) : best;
}

std::string scaled_text(double value, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    const double in_unit = value / static_cast<double>(unit.count);
    if (in_unit >= 0.99995 || &unit == &units.back()) return significant(in_unit) + ' ' + std::string(unit.name);
  }
  return {};
}

}  // namespace

Result<ParsedRate> parse_rate_text(std::string_view whole) {
  std::string_view text = trim(whole);
  const bool bidir = take_bidir(text);
  if (!bidir) take_per_direction(text);
  Result<std::int64_t> bits = parse(kRate, text);
  if (!bits) return fail(std::move(bits.error()));
  return ParsedRate{Rate(bidir ? *bits / 2 : *bits), bidir};
}

Result<Rate> parse_rate(std::string_view text) {
  return parse_rate_text(text).map([](ParsedRate parsed) { return parsed.rate; });
}
Result<Bytes> parse_bytes(std::string_view text) {
  return parse(kBytes, text).map([](std::int64_t n) { return Bytes(n); });
}
Result<Bytes> parse_message(std::string_view text) {
  return parse(kMessage, text).map([](std::int64_t n) { return Bytes(n); });
}
Result<Duration> parse_duration(std::string_view text) {
  return parse(kDuration, text).map([](std::int64_t n) { return Duration(n); });
}

std::string exact(Rate rate) { return exact_text(rate.count(), std::span(kRateUnits).first(5)); }
std::string exact(Bytes bytes) { return exact_text(bytes.count(), std::span(kByteUnits).first(5)); }
std::string exact(Duration duration) { return exact_text(duration.count(), std::span(kDurationUnits).first(5)); }

std::string significant(double value, int digits) {
  if (!std::isfinite(value)) return value > 0 ? "inf" : std::isnan(value) ? "nan" : "-inf";
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const int places = std::max(0, digits - 1 - magnitude);
  std::array<char, 400> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", places, value);
  std::string text(buffer.data());
  if (text.find('.') != std::string::npos) {
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
  }
  return text;
}

std::string human_bits(Rate rate) {
  return scaled_text(static_cast<double>(rate.count()), std::span(kRateUnits).first(5));
}
std::string human_bytes(Rate rate) {
  return scaled_text(static_cast<double>(rate.count()), std::span(kRateUnits).subspan(5, 5));
}
std::string human_both(Rate rate) {
  return human_bytes(rate) + " per direction, " + human_bytes(rate * 2) + " bidir";
}
std::string human(Bytes bytes) { return scaled_text(static_cast<double>(bytes.count()), std::span(kByteUnits).first(5)); }
std::string human(Duration duration) {
  return scaled_text(static_cast<double>(duration.count()), std::span(kDurationUnits).first(5));
}

}  // namespace weft
