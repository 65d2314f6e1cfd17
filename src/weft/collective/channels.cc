#include "weft/collective/channels.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "weft/collective/channels_server.h"
#include "weft/fabric/copies.h"

namespace weft::collective {
namespace {

using fabric::Conditions;
using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;

// GPUs by server in the order in which servers appear, or all together when one NVLink domain holds them.
std::vector<std::vector<DeviceId>> by_server(const Fabric& fabric, std::span<const DeviceId> gpus) {
  const std::uint32_t domain = fabric.nvlink_domain(gpus.front());
  if (domain != Fabric::kNoDomain &&
      std::all_of(gpus.begin(), gpus.end(), [&](DeviceId gpu) { return fabric.nvlink_domain(gpu) == domain; }))
    return {{gpus.begin(), gpus.end()}};
  std::vector<std::vector<DeviceId>> servers;
  std::unordered_map<std::uint32_t, std::size_t> place;
  std::uint32_t last = fabric::Device::kNoServer;
  std::size_t at = 0;
  for (const DeviceId gpu : gpus) {
    // Ranks of a server mostly stand together.
    if (const std::uint32_t server = fabric.device(gpu).server; server != last) {
      last = server;
      at = place.try_emplace(server, servers.size()).first->second;
      if (at == servers.size()) servers.emplace_back();
    }
    servers[at].push_back(gpu);
  }
  return servers;
}

// Servers that a condition speaks of, and so are no longer copies of the others. One of the whole fabric holds in all
// of them alike and singles out none.
class SingledOut {
 public:
  SingledOut(const Fabric& fabric, const Conditions& conditions) : fabric_(fabric) {
    for (const fabric::Condition& condition : conditions.list()) add(condition.target);
  }
  [[nodiscard]] bool any(const std::vector<DeviceId>& gpus) const {
    return !servers_.empty() && std::any_of(gpus.begin(), gpus.end(), [&](DeviceId gpu) {
      return servers_.contains(fabric_.device(gpu).server);
    });
  }

 private:
  void add(const fabric::Target& target) {
    using Scope = fabric::Target::Scope;
    if (target.scope == Scope::server) servers_.insert(target.server);
    if (target.scope == Scope::device) {
      servers_.insert(fabric_.device(target.device).server);
      // A switch of the network is a matter of all servers that are cabled to it.
      for (const fabric::LinkId id : fabric_.links_from(target.device))
        servers_.insert(fabric_.device(fabric_.link(id).to).server);
    }
    if (target.scope == Scope::cable) add_cable(target.cable);
  }
  void add_cable(fabric::CableId cable) {
    for (std::size_t i = 0; i < fabric_.link_count(); ++i) {
      const fabric::Link& link = fabric_.link(fabric::LinkId(static_cast<std::uint32_t>(i)));
      if (link.cable != cable) continue;
      servers_.insert(fabric_.device(link.from).server);
      servers_.insert(fabric_.device(link.to).server);
    }
  }

  const Fabric& fabric_;
  std::unordered_set<std::uint32_t> servers_;
};

bool has_nvswitch(const Fabric& fabric, DeviceId gpu) {
  const auto links = fabric.links_from(gpu);
  return std::any_of(links.begin(), links.end(),
                     [&](fabric::LinkId id) { return fabric.device(fabric.link(id).to).kind == DeviceKind::nvswitch; });
}

// What both can do: ranks agree on the fewest channels, the lowest rates and the farthest ways of all.
void agree(ChannelGraph& all, const ChannelGraph& one) {
  if (all.channels == 0 || one.channels == 0) {
    all = {};
    return;
  }
  all.channels = std::min(all.channels, one.channels);
  all.bw_intra = std::min(all.bw_intra, one.bw_intra);
  all.bw_inter = std::min(all.bw_inter, one.bw_inter);
  all.intra = std::max(all.intra, one.intra);
  all.inter = std::max(all.inter, one.inter);
  all.cross_nic = all.cross_nic || one.cross_nic;
}

int blocks_of_nvls(const Channels& channels, bool across, const ChannelRules& rules) {
  if (graph_of(channels.graphs, GraphPattern::nvls).channels == 0) return 0;
  if (speed_generation(channels.capability) < 2) return rules.nvls_hopper;
  return across ? rules.nvls_blackwell_servers : rules.nvls_blackwell;
}

}  // namespace

Channels find_channels(const Fabric& fabric, std::span<const DeviceId> gpus, const Conditions& conditions,
                       const ChannelRules& rules) {
  Channels channels;
  if (gpus.empty()) return channels;
  const std::vector<std::vector<DeviceId>> servers = by_server(fabric, gpus);
  const bool across = servers.size() > 1;
  if (!across && gpus.size() < 2) return channels;
  const SingledOut singled_out(fabric, conditions);
  std::vector<const std::vector<DeviceId>*> known;  // one of each kind that no condition singles out
  double least = 0;
  channels.servers = static_cast<int>(servers.size());
  channels.nvswitch = true;
  for (const std::vector<DeviceId>& members : servers) {
    const bool like_others = !singled_out.any(members);
    if (like_others && std::any_of(known.begin(), known.end(),
                                   [&](const auto* other) { return fabric::are_copies(fabric, *other, members); }))
      continue;
    if (like_others) known.push_back(&members);
    ServerChannels found = search_server(fabric, members, across, conditions, rules);
    const bool first = channels.searched++ == 0;
    channels.cut_short = channels.cut_short || found.cut_short;
    channels.nvswitch = channels.nvswitch && has_nvswitch(fabric, members.front());
    channels.capability = first ? found.capability : std::min(channels.capability, found.capability);
    for (std::size_t pattern = 0; pattern < kGraphPatterns; ++pattern) {
      if (first) channels.graphs[pattern] = found.graphs[pattern];
      agree(channels.graphs[pattern], found.graphs[pattern]);
    }
    if (!first && found.total() >= least) continue;
    least = found.total();
    channels.rings = std::move(found.rings);
  }
  channels.nvls_blocks = blocks_of_nvls(channels, across, rules);
  return channels;
}

}  // namespace weft::collective
