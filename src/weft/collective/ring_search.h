// Rings through all GPUs of a server at one rate, as many as the links carry (channels.h).
#pragma once

#include <vector>

#include "weft/collective/server_ways.h"

namespace weft::collective {

struct FoundRing {
  std::vector<std::size_t> order;  // places in ServerWays::gpus
  int nic = -1;
};

struct FoundRings {
  std::vector<FoundRing> rings;
  Reach inter = Reach::loc;  // the farthest way to a NIC
  int possible = 0;          // not more than these exist; more than were found: the search was cut short
};

struct RingQuery {
  double gbyte_per_s = 0;       // of every link on the way, for each ring
  Reach farthest = Reach::nvl;  // ways beyond are not used between GPUs
  Reach inter = Reach::pix;     // nor, `across`, to and from NICs
  bool across = false;          // rings come in and leave by a NIC
  int most = 0;
};

// `steps` are used up, one for each GPU that is tried, and none is taken without.
[[nodiscard]] FoundRings search_rings(const ServerWays& ways, const RingQuery& query, int& steps);

}  // namespace weft::collective
