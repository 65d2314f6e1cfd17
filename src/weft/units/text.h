// Units as people write them.
//
//   parse_rate      "400Gb/s" "25 GB/s" "900GB/s bidir" (halved)    b = bit, B = byte; k M G T decimal, Ki Mi Gi Ti
//   binary parse_bytes     "64KiB" "1.5GB" "512B"                          a unit is required parse_message   "8" "64K"
//   "1M" "8G" "1MiB"                      as nccl-tests: bare = bytes, K M G binary parse_duration  "5us" "1.5 ms"
//   "900ns" "20ps" "2s"              µs is accepted
//
// Case matters (b is not B, M is not m); a bare number where a unit belongs, a wrong case and an unknown unit are
// errors with a suggestion. Numbers are read as exact decimals (24 decimals of them), then rounded once to the nearest
// count; no sign, no exponent. "bidir" gives both directions together and is halved; "/dir" and "per direction" say
// what is meant anyway.
//
// exact(x) is a short text that reads back to x: the shortest of its units. human(x) rounds to 4 significant digits, in
// the unit that the field uses there: network rates in Gb/s, NVLink and busbw in GB/s, sizes in binary units.
//
// Errors: WEFT-UNIT-0001 not a number, -0002 unknown unit, -0003 no unit, -0004 too large.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/error.h"
#include "weft/units/units.h"

namespace weft {

struct ParsedRate {
  Rate rate;               // per direction
  bool was_bidir = false;  // the text gave both directions together
};

// Errors carry no position: the caller knows where the text stood (Error::at).
Result<ParsedRate> parse_rate_text(std::string_view text);
Result<Rate> parse_rate(std::string_view text);
Result<Bytes> parse_bytes(std::string_view text);
Result<Bytes> parse_message(std::string_view text);
Result<Duration> parse_duration(std::string_view text);

[[nodiscard]] std::string exact(Rate rate);
[[nodiscard]] std::string exact(Bytes bytes);
[[nodiscard]] std::string exact(Duration duration);

[[nodiscard]] std::string human_bits(Rate rate);   // "400 Gb/s"
[[nodiscard]] std::string human_bytes(Rate rate);  // "370.8 GB/s"
[[nodiscard]] std::string human_both(Rate rate);   // "450 GB/s per direction, 900 GB/s bidir"
[[nodiscard]] std::string human(Bytes bytes);      // "128 MiB"
[[nodiscard]] std::string human(Duration duration);

// At least 4 significant digits, no exponent, no trailing zeros: 370.8, 0.6, 12345. The same in every locale.
[[nodiscard]] std::string significant(double value, int digits = 4);
// 0.0123 -> "1.23 %"
[[nodiscard]] std::string percent(double share, int digits = 3);

}  // namespace weft
