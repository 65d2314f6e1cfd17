// What a form says of one way to do a collective, in microseconds, before it becomes a Cost.
#pragma once

#include <optional>

#include "weft/collective/curve.h"
#include "weft/collective/profile.h"
#include "weft/fabric/group.h"

namespace weft::engine::closed {

struct Estimate {
  double launch_us = 0;
  double latency_us = 0;
  double transfer_us = 0;
  double fill_us = 0;
  collective::Algorithm algorithm = collective::Algorithm::ring;
  collective::Stage stage = collective::Stage::simple;
  const std::string* set = nullptr;  // calibration set of the line
  std::string_view form;             // "all_reduce", "tree": the table in it
  std::string_view kernel;           // "multimem": a serving engine's, not the library's; `form` is then the link
  bool forced_ring = false;          // by the steps of a ring that is forced to Simple
  [[nodiscard]] double total_us() const { return launch_us + latency_us + transfer_us + fill_us; }
};

inline void offer(std::optional<Estimate>& best, const Estimate& estimate) {
  if (!best || estimate.total_us() < best->total_us()) best = estimate;
}

// May this call use that algorithm?
inline bool allows(const collective::Call& call, collective::Algorithm algorithm) {
  return !call.algorithm || *call.algorithm == algorithm;
}
// Is it left to the library, or asked for, to move data by Simple? In-switch reduction knows no other protocol.
inline bool simple_allowed(const collective::Call& call) {
  return !call.protocol || *call.protocol == collective::Protocol::simple;
}
// What is left of a line's rate under the call's protocol: all of it for a line of that protocol. A protocol that is
// forced keeps on where the library would leave it: over all channels, less its flags. None: not this line.
inline std::optional<double> share_under(const collective::Call& call, collective::Stage stage) {
  // LL over all channels is as fast as LL128 over few: the two lines are one, whichever of them is taken.
  const bool low = collective::protocol_of(stage) != collective::Protocol::simple;
  if (!call.protocol && call.chosen && low != (call.chosen->protocol != collective::Protocol::simple))
    return std::nullopt;
  if (!call.protocol || *call.protocol == collective::protocol_of(stage)) return 1.0;
  if (stage == collective::Stage::simple || stage == collective::Stage::simple_far)
    return collective::protocol_share(*call.protocol);
  return std::nullopt;
}

inline double bytes_per_us(Rate rate) { return static_cast<double>(rate.count()) / 8e6; }

}  // namespace weft::engine::closed
