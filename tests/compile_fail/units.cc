// Sums that have no meaning: the compiler must refuse each line marked REFUSED, for the reason named (no such operator,
// no such conversion), and no other line (tests/compile_fail/check.py).
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

Bytes holder;

void refused() {
  static_cast<void>(kBytes + kDuration);            // REFUSED operator
  static_cast<void>(kBytes - kRate);                // REFUSED operator
  static_cast<void>(kBytes + 1);                    // REFUSED operator
  static_cast<void>(kRate * kRate);                 // REFUSED operator
  static_cast<void>(kBytes * kBytes);               // REFUSED operator
  static_cast<void>(kBytes * kFactor);              // REFUSED operator
  static_cast<void>(kDuration / kFactor);           // REFUSED operator
  static_cast<void>(kBytes * true);                 // REFUSED operator
  static_cast<void>(kRate * kDuration);             // REFUSED operator
  static_cast<void>(kDuration / kRate);             // REFUSED operator
  static_cast<void>(kRate / kBytes);                // REFUSED operator
  static_cast<void>(kBytes / kDuration);            // REFUSED operator
  static_cast<void>(8 / kRate);                     // REFUSED operator
  static_cast<void>(kInstant + kInstant);           // REFUSED operator
  static_cast<void>(kInstant * 2);                  // REFUSED operator
  static_cast<void>(kDuration - kInstant);          // REFUSED operator
  { [[maybe_unused]] Duration wrong = kInstant; }   // REFUSED conversion
  static_cast<void>(kBytes == kRate);               // REFUSED operator
  static_cast<void>(kBytes < kDuration);            // REFUSED operator
  static_cast<void>(kBytes == 1);                   // REFUSED operator
  { [[maybe_unused]] Bytes wrong = 1; }             // REFUSED conversion
  send(1);                                          // REFUSED conversion
  send(kRate);                                      // REFUSED conversion
  { [[maybe_unused]] long wrong = kBytes; }         // REFUSED conversion
  static_cast<void>(Bytes(1.5));                    // REFUSED conversion
  static_cast<void>(Bytes(true));                   // REFUSED conversion
  static_cast<void>(Bytes(kRate));                  // REFUSED conversion
  static_cast<void>(Instant(5));                    // REFUSED conversion
  holder = kRate;                                   // REFUSED operator
  holder += kDuration;                              // REFUSED operator
  static_cast<void>(kBytes / PsPerByte(kRate));     // REFUSED operator
  static_cast<void>(PsPerByte(kRate).time(kRate));  // REFUSED conversion
  { [[maybe_unused]] DeviceId wrong = LinkId(); }   // REFUSED conversion
  static_cast<void>(DeviceId() == LinkId());        // REFUSED operator
  { [[maybe_unused]] DeviceId wrong = 1U; }         // REFUSED conversion
}
