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
  bool cut_short = false;
};

// `farthest`: ways beyond are not used between GPUs; `across`: rings come in and leave by a NIC.
[[nodiscard]] FoundRings search_rings(const ServerWays& ways, double gbyte_per_s, Reach farthest, bool across,
                                      int most);

}  // namespace weft::collective
