// The ways between the GPUs of one server, and to its NICs, as a library counts them: for the search of channels.
//
// A way is a few links, each with a capacity in the library's nominal GB/s (channel_rules.h) and respecting conditions;
// GPUs that reach each other through all NVSwitches at once have one link into them. Capacities are shared: a way that
// is used takes from all ways over the same link.
#pragma once

#include <vector>

#include "weft/collective/channel_graph.h"
#include "weft/collective/channel_rules.h"
#include "weft/fabric/condition.h"
#include "weft/fabric/graph.h"

namespace weft::collective {

struct Way {
  std::vector<int> links;  // into ServerWays::capacity
  Reach reach = Reach::loc;
  bool there = false;
};

struct ServerWays {
  std::vector<fabric::DeviceId> gpus;  // by rank
  std::vector<fabric::DeviceId> nics;  // cabled, near members of the group first
  std::vector<int> gpu_of_nic;         // nearest member, by place in `gpus`
  std::vector<double> capacity;
  std::vector<Way> between;  // gpu x gpu
  std::vector<Way> out;      // nic x gpu: from the GPU to the network
  std::vector<Way> in;       // nic x gpu
  int capability = 0;        // the lowest

  [[nodiscard]] const Way& way(std::size_t from, std::size_t to) const { return between[from * gpus.size() + to]; }
  [[nodiscard]] const Way& to_network(std::size_t nic, std::size_t gpu) const { return out[nic * gpus.size() + gpu]; }
  [[nodiscard]] const Way& from_network(std::size_t nic, std::size_t gpu) const { return in[nic * gpus.size() + gpu]; }
  // The narrowest link of a way.
  [[nodiscard]] double width(const Way& way) const;
};

// `gpus` of one server or one NVLink domain; `across`: the group has others, so NICs count.
[[nodiscard]] ServerWays ways_of(const fabric::Fabric& fabric, const std::vector<fabric::DeviceId>& gpus, bool across,
                                 const fabric::Conditions& conditions, const ChannelRules& rules);

}  // namespace weft::collective
