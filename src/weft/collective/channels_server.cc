#include "weft/collective/channels_server.h"

#include <algorithm>
#include <set>

#include "weft/collective/ring_search.h"
#include "weft/collective/server_ways.h"

namespace weft::collective {
namespace {

using fabric::Conditions;
using fabric::DeviceId;
using fabric::Fabric;

// Steps of all searches of one server together: well below a tenth of a second.
constexpr int kMostSteps = 200'000;
// NCCL_MAX_DIRECT_ARITY + 1 of github.com/NVIDIA/nccl, src/include/device.h.
constexpr int kMostDirectHeads = 8;
constexpr std::size_t kFewestForNvls = 3;
constexpr double kRounding = 1.01;  // NVLS may take what the rings do, a little rounded
constexpr double kTie = 1e-9;

struct Best {
  FoundRings rings;
  double speed = 0;
  Reach intra = Reach::loc;
  double possible = 0;  // no search can have missed more than this

  [[nodiscard]] bool cut_short() const { return possible > total() * (1 + kTie); }
  [[nodiscard]] double total() const { return speed * static_cast<double>(rings.rings.size()); }
};

// How far NICs are, nearest first; one nominal kind on one server.
std::vector<Reach> inter_kinds(const ServerWays& ways, bool across) {
  if (!across) return {Reach::net};
  std::set<Reach> kinds;
  for (const std::vector<Way>* side : {&ways.in, &ways.out}) {
    for (const Way& way : *side) {
      if (way.there) kinds.insert(way.reach);
    }
  }
  return {kinds.begin(), kinds.end()};
}

// The best at one kind of way between GPUs: from the highest rate down, as long as a lower one may still be worth it,
// and NICs that are near before those that are far.
void search_at(const ServerWays& ways, Reach farthest, bool across, const ChannelRules& rules, int& steps, Best& best) {
  const std::size_t generation = speed_generation(ways.capability);
  const std::vector<Reach> kinds = inter_kinds(ways, across);
  for (const double speed : across ? rules.inter_speeds[generation] : rules.intra_speeds[generation]) {
    if (best.speed > 0 && speed <= rules.least_share_of_best * best.speed) break;
    for (const Reach inter : kinds) {
      FoundRings found = search_rings(ways, {speed, farthest, inter, across, rules.most_channels}, steps);
      best.possible = std::max(best.possible, speed * found.possible);
      if (speed * static_cast<double>(found.rings.size()) <= best.total()) continue;
      best.rings = std::move(found);
      best.speed = speed;
      best.intra = farthest;
    }
  }
}

Best search(const ServerWays& ways, bool across, const ChannelRules& rules) {
  Best best;
  std::set<Reach> kinds;
  for (const Way& way : ways.between) {
    if (way.there) kinds.insert(way.reach);
  }
  if (ways.gpus.size() == 1) kinds.insert(Reach::loc);
  int steps = kMostSteps;
  for (const Reach farthest : kinds) {
    search_at(ways, farthest, across, rules, steps, best);
    if (best.speed > 0) break;
  }
  return best;
}

// What the links towards the others carry, of the GPU that has least.
double least_of_a_gpu(const ServerWays& ways) {
  double least = 0;
  for (std::size_t gpu = 0; gpu < ways.gpus.size(); ++gpu) {
    std::set<int> first;
    for (std::size_t to = 0; to < ways.gpus.size(); ++to) {
      if (to != gpu && ways.way(gpu, to).there) first.insert(ways.way(gpu, to).links.front());
    }
    double here = 0;
    for (const int link : first) here += ways.capacity[static_cast<std::size_t>(link)];
    least = gpu == 0 ? here : std::min(least, here);
  }
  return least;
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
ChannelGraph nvls_graph(const ServerWays& ways, const Best& best, bool across, const ChannelRules& rules) {
  const int heads = std::min(static_cast<int>(ways.gpus.size()), rules.most_channels);
  const double per_gpu = least_of_a_gpu(ways);
  const std::size_t generation = speed_generation(ways.capability);
  for (const double speed : across ? rules.inter_speeds[generation] : rules.intra_speeds[generation]) {
    if (heads * speed > per_gpu || (across && heads * speed > best.total() * kRounding)) continue;
    return {heads, speed, speed, Reach::nvl, best.rings.inter, false};
  }
  return {};
}

ChannelGraphs graphs_of(const ServerWays& ways, const Best& best, bool across, bool nvls, const ChannelRules& rules) {
  ChannelGraphs graphs{};
  if (best.speed == 0) return graphs;
  const auto at = [&](GraphPattern pattern) -> ChannelGraph& { return graphs[static_cast<std::size_t>(pattern)]; };
  const Reach inter = across ? best.rings.inter : best.intra;
  ChannelGraph ring{static_cast<int>(best.rings.rings.size()), best.speed, best.speed, best.intra, inter, false};
  split(ring, ways.capability, rules);
  at(GraphPattern::ring) = at(GraphPattern::tree) = ring;
  if (across) {
    const int heads = static_cast<int>(std::min(ways.nics.size(), ways.gpus.size()));
    at(GraphPattern::collnet_chain) = ring;
    at(GraphPattern::collnet_direct) = {
        std::min(heads, kMostDirectHeads), best.speed, best.speed, best.intra, inter, false};
  }
  if (nvls && ways.gpus.size() >= kFewestForNvls) {
    at(GraphPattern::nvls) = nvls_graph(ways, best, across, rules);
    if (across) at(GraphPattern::nvls_tree) = at(GraphPattern::nvls);
  }
  return graphs;
}

}  // namespace

ServerChannels search_server(const Fabric& fabric, const std::vector<DeviceId>& gpus, bool across,
                             const Conditions& conditions, const ChannelRules& rules) {
  const ServerWays ways = ways_of(fabric, gpus, across, conditions, rules);
  const Best best = search(ways, across, rules);
  ServerChannels found;
  found.capability = ways.capability;
  found.cut_short = best.cut_short();
  found.graphs = graphs_of(ways, best, across, fabric.server_of(gpus.front()).nvls, rules);
  for (const FoundRing& ring : best.rings.rings) {
    RingChannel channel{{}, ring.nic < 0 ? DeviceId::none() : ways.nics[static_cast<std::size_t>(ring.nic)]};
    for (const std::size_t place : ring.order) channel.gpus.push_back(ways.gpus[place]);
    found.rings.push_back(std::move(channel));
  }
  return found;
}

}  // namespace weft::collective
