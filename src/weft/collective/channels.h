// The channels of a group of GPUs: what a collective library's search over the links finds.
//
// A channel is a ring through all GPUs of a server, with so many GB/s of every link on its way for itself; between
// servers it comes in by a NIC at the GPU next to it and leaves by the same NIC. The search is NCCL's in outline
// (src/graph/search.cc): for each rate that it knows, from the highest, as many rings as the links carry, found by
// depth-first search with backtracking; nearer kinds of ways before farther ones; of all, what carries most. Trees run
// along the same rings. Switches that reduce (NVLS) give each GPU a share of all others' links. From the links that are
// there, never from the name of a server.
//
// Each server is searched for itself, those of one part that no condition singles out once; of what they found all take
// the fewest channels, the lowest rates and the farthest ways (src/init.cc). The search is bounded: `cut_short` says
// that a better answer may exist. Not modelled: NCCL's special cases of CPU vendors' peer-to-peer rates (they are the
// fabric's), several NICs a ring (crossNic), and user-given graphs.
#pragma once

#include <span>
#include <vector>

#include "weft/collective/channel_graph.h"
#include "weft/collective/channel_rules.h"
#include "weft/fabric/condition.h"
#include "weft/fabric/graph.h"

namespace weft::collective {

struct RingChannel {
  std::vector<fabric::DeviceId> gpus;  // in the order of the ring, on the server that limits the group
  fabric::DeviceId nic;                // none() on one server
};

struct Channels {
  ChannelGraphs graphs{};
  std::vector<RingChannel> rings;  // as found, before they are split in two (graphs count after)
  int servers = 0;                 // an NVLink domain that holds all counts as one
  int searched = 0;                // of these; the others are copies
  int capability = 0;              // the lowest of the GPUs
  int nvls_blocks = 0;             // blocks of threads that in-switch reduction runs
  bool nvswitch = false;
  bool cut_short = false;
};

// `gpus` in rank order, at least one. Channels are 0 where something does not connect.
[[nodiscard]] Channels find_channels(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus,
                                     const fabric::Conditions& conditions, const ChannelRules& rules);

}  // namespace weft::collective
