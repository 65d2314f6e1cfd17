// Sums that have no meaning. Each line behind a CASE must be refused by the compiler; all the rest must compile.
// After the name of a case comes what its first error says (GCC's and Clang's words).
#include "weft/units/units.h"

#include "weft/base/strong_id.h"

using weft::Bytes;
using weft::Duration;
using weft::Instant;
using weft::PsPerByte;
using weft::Rate;

struct DeviceTag;
struct LinkTag;
using DeviceId = weft::StrongId<DeviceTag>;
using LinkId = weft::StrongId<LinkTag>;

constexpr Bytes kBytes(1);
constexpr Duration kDuration(1);
constexpr Instant kInstant(kDuration);
constexpr Rate kRate(1);
constexpr double kFactor = 1.5;

void send(Bytes);

void control() {
  send(kBytes + kBytes);
  static_cast<void>(kBytes / kRate + kDuration);
  static_cast<void>(kInstant + kDuration - kInstant);
  static_cast<void>(kRate * 2 / 2);
  static_cast<void>(kBytes / kBytes * kFactor);
  static_cast<void>(PsPerByte(kRate).time(kBytes) < kDuration);
}

void refused() {
#ifdef CASE_bytes_plus_duration
  // CASE bytes_plus_duration: no match for .operator\+|invalid operands
  static_cast<void>(kBytes + kDuration);
#endif
#ifdef CASE_bytes_minus_rate
  // CASE bytes_minus_rate: no match for .operator-|invalid operands
  static_cast<void>(kBytes - kRate);
#endif
#ifdef CASE_bytes_plus_int
  // CASE bytes_plus_int: no match for .operator\+|invalid operands
  static_cast<void>(kBytes + 1);
#endif
#ifdef CASE_rate_times_rate
  // CASE rate_times_rate: no match for .operator\*|invalid operands
  static_cast<void>(kRate * kRate);
#endif
#ifdef CASE_bytes_times_bytes
  // CASE bytes_times_bytes: no match for .operator\*|invalid operands
  static_cast<void>(kBytes * kBytes);
#endif
#ifdef CASE_bytes_times_double
  // CASE bytes_times_double: no match for .operator\*|invalid operands
  static_cast<void>(kBytes * kFactor);
#endif
#ifdef CASE_duration_over_double
  // CASE duration_over_double: no match for .operator/|invalid operands
  static_cast<void>(kDuration / kFactor);
#endif
#ifdef CASE_bytes_times_bool
  // CASE bytes_times_bool: no match for .operator\*|invalid operands
  static_cast<void>(kBytes * true);
#endif
#ifdef CASE_rate_times_duration
  // CASE rate_times_duration: no match for .operator\*|invalid operands
  static_cast<void>(kRate * kDuration);
#endif
#ifdef CASE_duration_over_rate
  // CASE duration_over_rate: no match for .operator/|invalid operands
  static_cast<void>(kDuration / kRate);
#endif
#ifdef CASE_rate_over_bytes
  // CASE rate_over_bytes: no match for .operator/|invalid operands
  static_cast<void>(kRate / kBytes);
#endif
#ifdef CASE_bytes_over_duration
  // CASE bytes_over_duration: no match for .operator/|invalid operands
  static_cast<void>(kBytes / kDuration);
#endif
#ifdef CASE_int_over_rate
  // CASE int_over_rate: no match for .operator/|invalid operands
  static_cast<void>(8 / kRate);
#endif
#ifdef CASE_instant_plus_instant
  // CASE instant_plus_instant: no match for .operator\+|invalid operands
  static_cast<void>(kInstant + kInstant);
#endif
#ifdef CASE_instant_times_int
  // CASE instant_times_int: no match for .operator\*|invalid operands
  static_cast<void>(kInstant * 2);
#endif
#ifdef CASE_duration_minus_instant
  // CASE duration_minus_instant: no match for .operator-|invalid operands
  static_cast<void>(kDuration - kInstant);
#endif
#ifdef CASE_instant_as_duration
  // CASE instant_as_duration: could not convert|cannot convert|no viable conversion|no matching
  // (function|constructor|conversion)|conversion from|no known conversion
  Duration wrong = kInstant;
#endif
#ifdef CASE_bytes_equal_rate
  // CASE bytes_equal_rate: no match for .operator==|invalid operands
  static_cast<void>(kBytes == kRate);
#endif
#ifdef CASE_bytes_less_duration
  // CASE bytes_less_duration: no match for .operator<|invalid operands
  static_cast<void>(kBytes < kDuration);
#endif
#ifdef CASE_bytes_equal_int
  // CASE bytes_equal_int: no match for .operator==|invalid operands
  static_cast<void>(kBytes == 1);
#endif
#ifdef CASE_int_as_bytes
  // CASE int_as_bytes: could not convert|cannot convert|no viable conversion|no matching
  // (function|constructor|conversion)|conversion from|no known conversion
  Bytes wrong = 1;
#endif
#ifdef CASE_int_passed_as_bytes
  // CASE int_passed_as_bytes: could not convert|cannot convert|no viable conversion|no matching
  // (function|constructor|conversion)|conversion from|no known conversion
  send(1);
#endif
#ifdef CASE_rate_passed_as_bytes
  // CASE rate_passed_as_bytes: could not convert|cannot convert|no viable conversion|no matching
  // (function|constructor|conversion)|conversion from|no known conversion
  send(kRate);
#endif
#ifdef CASE_bytes_as_int
  // CASE bytes_as_int: could not convert|cannot convert|no viable conversion|no matching
  // (function|constructor|conversion)|conversion from|no known conversion
  long wrong = kBytes;
#endif
#ifdef CASE_bytes_of_double
  // CASE bytes_of_double: no matching (function|constructor|conversion)
  static_cast<void>(Bytes(1.5));
#endif
#ifdef CASE_bytes_of_bool
  // CASE bytes_of_bool: no matching (function|constructor|conversion)
  static_cast<void>(Bytes(true));
#endif
#ifdef CASE_bytes_of_rate
  // CASE bytes_of_rate: no matching (function|constructor|conversion)
  static_cast<void>(Bytes(kRate));
#endif
#ifdef CASE_instant_of_int
  // CASE instant_of_int: no matching (function|constructor|conversion)
  static_cast<void>(Instant(5));
#endif
#ifdef CASE_bytes_assigned_rate
  // CASE bytes_assigned_rate: no match for .operator=|no viable overloaded|no known conversion
  Bytes wrong;
  wrong = kRate;
#endif
#ifdef CASE_bytes_added_duration
  // CASE bytes_added_duration: no match for .operator\+=|invalid operands|no viable (overloaded|conversion)|no known
  // conversion
  Bytes wrong;
  wrong += kDuration;
#endif
#ifdef CASE_rate_over_ps_per_byte
  // CASE rate_over_ps_per_byte: no match for .operator/|invalid operands
  static_cast<void>(kBytes / PsPerByte(kRate));
#endif
#ifdef CASE_time_of_rate
  // CASE time_of_rate: could not convert|cannot convert|no viable conversion|no matching
  // (function|constructor|conversion)|conversion from|no known conversion
  static_cast<void>(PsPerByte(kRate).time(kRate));
#endif
#ifdef CASE_other_kind_of_id
  // CASE other_kind_of_id: could not convert|cannot convert|no viable conversion|no matching
  // (function|constructor|conversion)|conversion from|no known conversion
  DeviceId wrong = LinkId();
#endif
#ifdef CASE_compare_ids_of_two_kinds
  // CASE compare_ids_of_two_kinds: no match for .operator==|invalid operands
  static_cast<void>(DeviceId() == LinkId());
#endif
#ifdef CASE_int_as_id
  // CASE int_as_id: could not convert|cannot convert|no viable conversion|no matching
  // (function|constructor|conversion)|conversion from|no known conversion
  DeviceId wrong = 1U;
#endif
}
