// The channels of one server's members (or of one NVLink domain's), for channels.h: what each rank finds for itself
// before all agree on the least.
#pragma once

#include <vector>

#include "weft/collective/channels.h"

namespace weft::collective {

struct ServerChannels {
  ChannelGraphs graphs{};
  std::vector<RingChannel> rings;  // as found, before they are split in two
  int capability = 0;              // the lowest of the GPUs
  bool cut_short = false;

  // GB/s of all rings together: the server with the least limits the group.
  [[nodiscard]] double total() const {
    const ChannelGraph& ring = graph_of(graphs, GraphPattern::ring);
    return ring.channels * ring.bw_inter;
  }
};

// `gpus` of one server or one NVLink domain, at least one; `across`: the group has others, so rings come in and leave
// by NICs.
[[nodiscard]] ServerChannels search_server(const fabric::Fabric& fabric, const std::vector<fabric::DeviceId>& gpus,
                                           bool across, const fabric::Conditions& conditions,
                                           const ChannelRules& rules);

}  // namespace weft::collective
