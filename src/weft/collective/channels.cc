#include "weft/collective/channels.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "weft/collective/ring_search.h"
#include "weft/collective/server_ways.h"
#include "weft/fabric/copies.h"

namespace weft::collective {
namespace {

using fabric::Conditions;
using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;

// What the search found on one server.
struct ServerChannels {
  FoundRings rings;
  double speed = 0;
  Reach intra = Reach::loc;
  double per_gpu = 0;  // what a GPU's links towards the others carry, GB/s
  [[nodiscard]] double total() const { return speed * static_cast<double>(rings.rings.size()); }
};

double links_of_gpu(const ServerWays& ways, std::size_t gpu) {
  std::set<int> first;
  for (std::size_t to = 0; to < ways.gpus.size(); ++to) {
    if (to != gpu && ways.way(gpu, to).there) first.insert(ways.way(gpu, to).links.front());
  }
  double total = 0;
  for (const int link : first) total += ways.capacity[static_cast<std::size_t>(link)];
  return total;
}

// The best at one kind of way: from the highest rate down, as long as a lower one may still be worth it.
void search_at(const ServerWays& ways, Reach farthest, bool across, const ChannelRules& rules, ServerChannels& best) {
  const std::size_t generation = speed_generation(ways.capability);
  for (const double speed : across ? rules.inter_speeds[generation] : rules.intra_speeds[generation]) {
    if (best.speed > 0 && speed <= rules.least_share_of_best * best.speed) break;
    FoundRings found = search_rings(ways, speed, farthest, across, rules.most_channels);
    if (speed * static_cast<double>(found.rings.size()) <= best.total()) continue;
    best.rings = std::move(found);
    best.speed = speed;
    best.intra = farthest;
  }
}

ServerChannels search_server(const ServerWays& ways, bool across, const ChannelRules& rules) {
  ServerChannels best;
  std::set<Reach> kinds;
  for (const Way& way : ways.between) {
    if (way.there) kinds.insert(way.reach);
  }
  if (ways.gpus.size() == 1) kinds.insert(Reach::loc);
  for (const Reach farthest : kinds) {
    search_at(ways, farthest, across, rules, best);
    if (best.speed > 0) break;
  }
  for (std::size_t gpu = 0; gpu < ways.gpus.size(); ++gpu) {
    const double here = links_of_gpu(ways, gpu);
    best.per_gpu = gpu == 0 ? here : std::min(best.per_gpu, here);
  }
  return best;
}

// Fast channels are split in two, so that more thread blocks share the work.
void split(ChannelGraph& graph, int capability, const ChannelRules& rules) {
  if (graph.channels == 0 || graph.bw_intra < rules.split_from) return;
  if (capability > 80 && graph.bw_intra < rules.split_from_hopper && graph.channels > rules.few) return;
  const int channels = std::min(2 * graph.channels, rules.most_channels);
  const int parts = (channels + graph.channels - 1) / graph.channels;
  graph.channels = channels;
  graph.bw_intra /= parts;
  graph.bw_inter /= parts;
}

// Every GPU is head of a channel that takes its rate of all others' links.
ChannelGraph nvls_graph(const ServerChannels& server, std::size_t gpus, bool across, int capability,
                        const ChannelRules& rules) {
  ChannelGraph graph;
  const int heads = std::min(static_cast<int>(gpus), rules.most_channels);
  const std::size_t generation = speed_generation(capability);
  for (const double speed : across ? rules.inter_speeds[generation] : rules.intra_speeds[generation]) {
    if (heads * speed > server.per_gpu || (across && speed * heads > server.total() * 1.01)) continue;
    graph = {heads, speed, speed, Reach::nvl, server.rings.inter, false};
    break;
  }
  return graph;
}

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

bool has_nvswitch(const Fabric& fabric, DeviceId gpu) {
  const auto links = fabric.links_from(gpu);
  return std::any_of(links.begin(), links.end(),
                     [&](fabric::LinkId id) { return fabric.device(fabric.link(id).to).kind == DeviceKind::nvswitch; });
}

void fill_graphs(Channels& channels, const ServerChannels& worst, std::size_t gpus_a_server, std::size_t nics,
                 bool across, bool nvls, const ChannelRules& rules) {
  ChannelGraph ring{static_cast<int>(worst.rings.rings.size()), worst.speed, worst.speed, worst.intra,
                    across ? worst.rings.inter : worst.intra,   false};
  split(ring, channels.capability, rules);
  const auto at = [&](GraphPattern pattern) -> ChannelGraph& {
    return channels.graphs[static_cast<std::size_t>(pattern)];
  };
  at(GraphPattern::ring) = at(GraphPattern::tree) = ring;
  if (across) {
    at(GraphPattern::collnet_chain) = ring;
    at(GraphPattern::collnet_direct) = {static_cast<int>(nics), worst.speed, worst.speed, worst.intra,
                                        worst.rings.inter,      false};
  }
  constexpr std::size_t kFewestForNvls = 3;
  if (!nvls || gpus_a_server < kFewestForNvls) return;
  at(GraphPattern::nvls) = nvls_graph(worst, gpus_a_server, across, channels.capability, rules);
  if (across) at(GraphPattern::nvls_tree) = at(GraphPattern::nvls);
  channels.nvls_blocks =
      channels.capability >= 100 ? (across ? rules.nvls_blackwell_servers : rules.nvls_blackwell) : rules.nvls_hopper;
}

}  // namespace

Channels find_channels(const Fabric& fabric, std::span<const DeviceId> gpus, const Conditions& conditions,
                       const ChannelRules& rules) {
  Channels channels;
  const std::vector<std::vector<DeviceId>> servers = by_server(fabric, gpus);
  const bool across = servers.size() > 1;
  if (!across && gpus.size() < 2) return channels;
  channels.servers = static_cast<int>(servers.size());
  std::vector<const std::vector<DeviceId>*> searched;  // one of each kind
  ServerChannels worst;
  std::size_t worst_gpus = 0;
  std::size_t worst_nics = 0;
  bool nvls = true;
  channels.nvswitch = true;
  for (const std::vector<DeviceId>& members : servers) {
    nvls = nvls && fabric.server_of(members.front()).nvls;
    channels.nvswitch = channels.nvswitch && has_nvswitch(fabric, members.front());
    if (conditions.empty() && std::any_of(searched.begin(), searched.end(), [&](const auto* known) {
          return fabric::are_copies(fabric, *known, members);
        }))
      continue;
    searched.push_back(&members);
    const ServerWays ways = ways_of(fabric, members, across, conditions, rules);
    ServerChannels found = search_server(ways, across, rules);
    channels.cut_short = channels.cut_short || found.rings.cut_short;
    channels.capability = searched.size() == 1 ? ways.capability : std::min(channels.capability, ways.capability);
    if (searched.size() > 1 && found.total() >= worst.total()) continue;
    channels.rings.clear();
    for (const FoundRing& ring : found.rings.rings) {
      RingChannel channel{{}, ring.nic < 0 ? DeviceId::none() : ways.nics[static_cast<std::size_t>(ring.nic)]};
      for (const std::size_t place : ring.order) channel.gpus.push_back(ways.gpus[place]);
      channels.rings.push_back(std::move(channel));
    }
    worst = std::move(found);
    worst_gpus = members.size();
    worst_nics = ways.nics.size();
  }
  fill_graphs(channels, worst, worst_gpus, worst_nics, across, nvls, rules);
  return channels;
}

}  // namespace weft::collective
