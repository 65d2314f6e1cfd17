// Bytes, Duration, Instant, Rate: exact 64-bit integers that do not mix by accident.
//
//   Bytes     bytes
//   Duration  picoseconds (a span; up to 106 days)
//   Instant   picoseconds since the start of a run
//   Rate      bit/s, ALWAYS PER DIRECTION. A full-duplex cable is two directed links of this rate.
//
// What compiles is what has a meaning: Bytes / Rate -> Duration, rounded up, so that no transfer finishes early;
// Instant - Instant -> Duration; sums and integer multiples of one kind; division by an integer, rounded to zero.
// Everything else is a compile error, a floating-point count or factor included (tests/compile_fail). Ratios of one
// kind are double and dimensionless. Results past the range saturate.
//
// *raw* (signalling), *line* (after encoding) and *goodput* (after headers and credits) rates are different figures
// and never share a variable or a field; the name says which it is.
#pragma once

#include <compare>
#include <concepts>
#include <cstdint>
#include <limits>

#include "weft/base/check.h"

namespace weft {

namespace detail {
__extension__ typedef __int128 Wide;  // exact products of two counts; GCC and Clang both have it
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t clamp_to_64(Wide value) {
  if (value > kMax) return kMax;
  if (value < -static_cast<Wide>(kMax)) return -kMax;
  return static_cast<std::int64_t>(value);
}
constexpr Wide ceil_div(Wide a, Wide b) { return a / b + (a % b > 0 ? 1 : 0); }  // b > 0

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;
}  // namespace detail

// One dimension: sums, differences, integer multiples, comparison, dimensionless ratio.
template <class Self>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(detail::Integer auto count) : count_(detail::clamp_to_64(count)) {}
  [[nodiscard]] constexpr std::int64_t count() const { return count_; }

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Self operator+(Self a, Self b) {
    return Self(detail::clamp_to_64(static_cast<detail::Wide>(a.count()) + b.count()));
  }
  friend constexpr Self operator-(Self a, Self b) {
    return Self(detail::clamp_to_64(static_cast<detail::Wide>(a.count()) - b.count()));
  }
  friend constexpr Self operator*(Self a, detail::Integer auto n) {
    return Self(detail::clamp_to_64(static_cast<detail::Wide>(a.count()) * n));
  }
  friend constexpr Self operator*(detail::Integer auto n, Self a) { return a * n; }
  friend constexpr Self operator/(Self a, detail::Integer auto n) {
    WEFT_CHECK(n != 0, "a quantity divided by zero");
    return Self(detail::clamp_to_64(static_cast<detail::Wide>(a.count()) / n));
  }
  friend constexpr double operator/(Self a, Self b) {
    return static_cast<double>(a.count()) / static_cast<double>(b.count());
  }
  constexpr Self& operator+=(Self other) {
    auto& self = static_cast<Self&>(*this);
    return self = self + other;
  }
  constexpr Self& operator-=(Self other) {
    auto& self = static_cast<Self&>(*this);
    return self = self - other;
  }

 private:
  std::int64_t count_ = 0;
};

class Bytes : public Quantity<Bytes> {
 public:
  using Quantity::Quantity;
};

class Duration : public Quantity<Duration> {
 public:
  using Quantity::Quantity;
  static constexpr Duration picoseconds(std::int64_t n) { return Duration(n); }
  static constexpr Duration nanoseconds(std::int64_t n) { return Duration(n) * 1'000; }
  static constexpr Duration microseconds(std::int64_t n) { return Duration(n) * 1'000'000; }
  // From a model's floating-point microseconds, to the nearest picosecond; saturates, and not-a-number is the longest.
  static Duration from_us(double us);
  [[nodiscard]] constexpr double us() const { return static_cast<double>(count()) / 1e6; }
  [[nodiscard]] constexpr double seconds() const { return static_cast<double>(count()) / 1e12; }
};

class Rate : public Quantity<Rate> {
 public:
  using Quantity::Quantity;
  static constexpr Rate bits_per_s(std::int64_t n) { return Rate(n); }
  static constexpr Rate gbit_per_s(std::int64_t n) { return Rate(n) * 1'000'000'000; }
  static constexpr Rate gbyte_per_s(std::int64_t n) { return Rate(n) * 8'000'000'000; }
  static Rate from_gbyte_per_s(double rate);
  [[nodiscard]] constexpr double gbytes() const { return static_cast<double>(count()) / 8e9; }
  [[nodiscard]] constexpr double gbits() const { return static_cast<double>(count()) / 1e9; }
  // A named efficiency (0..1, or above for in-switch reduction) applied, to the nearest bit/s.
  [[nodiscard]] Rate scaled(double factor) const;
};

class Instant {
 public:
  constexpr Instant() = default;
  constexpr explicit Instant(Duration since_start) : since_start_(since_start) {}
  [[nodiscard]] constexpr Duration since_start() const { return since_start_; }
  friend constexpr auto operator<=>(Instant, Instant) = default;
  friend constexpr Duration operator-(Instant a, Instant b) { return a.since_start_ - b.since_start_; }
  friend constexpr Instant operator+(Instant a, Duration d) { return Instant(a.since_start_ + d); }
  constexpr Instant& operator+=(Duration d) { return *this = *this + d; }

 private:
  Duration since_start_;
};

// Time to send: 8e12 * bytes / (bit/s) picoseconds, rounded up. A rate of zero never finishes: the longest Duration.
constexpr Duration operator/(Bytes bytes, Rate rate) {
  if (rate.count() <= 0) return Duration(detail::kMax);
  const detail::Wide bits = static_cast<detail::Wide>(bytes.count()) * 8;
  return Duration(detail::clamp_to_64(detail::ceil_div(bits * 1'000'000'000'000, rate.count())));
}

// Mean rate of a transfer, rounded down; zero for an empty span.
constexpr Rate mean_rate(Bytes bytes, Duration span) {
  if (span.count() <= 0) return Rate(0);
  const detail::Wide bits = static_cast<detail::Wide>(bytes.count()) * 8;
  return Rate(detail::clamp_to_64(bits * 1'000'000'000'000 / span.count()));
}

// A rate as picoseconds per byte in 32.32 fixed point, for loops that must not divide: one multiply and a shift.
// Rounded up, so it is never faster than Bytes / Rate, and at most 1 ps + bytes * 2^-32 ps slower. A rate of zero, and
// one too slow for the format (below 3.8 kbit/s: no link of ours), never finishes: the longest Duration.
class PsPerByte {
 public:
  constexpr PsPerByte() = default;
  constexpr explicit PsPerByte(Rate rate)
      : fixed_(rate.count() <= 0 ? kNever
                                 : detail::clamp_to_64(detail::ceil_div(
                                       static_cast<detail::Wide>(8'000'000'000'000) << 32, rate.count()))) {}
  [[nodiscard]] constexpr Duration time(Bytes bytes) const {
    if (fixed_ == kNever) return Duration(detail::kMax);
    const detail::Wide scaled = static_cast<detail::Wide>(fixed_) * bytes.count();
    return Duration(detail::clamp_to_64((scaled + ((detail::Wide{1} << 32) - 1)) >> 32));
  }

 private:
  static constexpr std::int64_t kNever = detail::kMax;
  std::int64_t fixed_ = kNever;
};

}  // namespace weft
