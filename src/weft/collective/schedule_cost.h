// What a schedule costs on an ideal network, where every rank has one full-duplex port and nobody waits for another:
//
//   t = steps x alpha + path_share x S / B
//
// with alpha the latency of a step and B the rate of a port per direction. Switches that reduce or multicast have a
// port for every rank. S counts as in operation.h.
#pragma once

#include "weft/collective/schedule.h"

namespace weft::collective {

struct ScheduleCost {
  int steps = 0;              // one after another
  double sent_share = 0;      // the most that one rank sends, as a share of S
  double received_share = 0;  // the most that one rank receives
  double path_share = 0;      // of each step the longest, sent or received, added up
};
[[nodiscard]] ScheduleCost cost_of(const Schedule& schedule);

}  // namespace weft::collective
