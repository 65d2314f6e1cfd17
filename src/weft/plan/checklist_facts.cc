#include "weft/plan/checklist_facts.h"

#include <algorithm>

#include "weft/fabric/server.h"

namespace weft::plan {
namespace {

using collective::Group;
using fabric::GroupShape;

const Group& widest(const std::vector<Group>& shapes) {
  return *std::max_element(shapes.begin(), shapes.end(),
                           [](const Group& a, const Group& b) { return a.scope < b.scope; });
}

std::optional<Duration> tensor_time(const Setting& setting, const std::vector<llm::Exchange>& exchanges,
                                    const Group& shape) {
  if (shape.ranks < 2 || !shape.connected) return std::nullopt;
  const Result<ExchangeCost> cost = exchange_time(setting, exchanges, llm::Axis::tp, {shape});
  return cost ? std::optional(cost->time) : std::nullopt;
}

// The same number of ranks inside one switched domain of the GPU's own links, where the GPU has such links.
std::optional<Group> inside_domain(const catalog::Catalog& catalog, const catalog::GpuPart& gpu, int ranks) {
  if (gpu.gpu_link.empty() || gpu.gpu_links == 0) return std::nullopt;
  const Result<fabric::Technology> link = fabric::technology_of(catalog, gpu.gpu_link);
  if (!link) return std::nullopt;
  Group shape;
  shape.ranks = shape.most_ranks_per_server = shape.fewest_ranks_per_server = ranks;
  shape.servers = shape.domains = 1;
  shape.scope = fabric::Scope::nvlink_domain;
  shape.inside = link->link_class;
  shape.inside_link = link->id;
  shape.inside_rate = link->goodput * gpu.gpu_links;
  shape.all_to_all = true;
  return shape;
}

// The group's network at the same rate, as RoCE.
Group as_roce(Group shape) {
  shape.between = catalog::LinkClass::roce;
  shape.between_link = "roce at the same rate";
  return shape;
}

// Go-back-N with one packet in 256 lost at random: 255 / (256 + W) of the goodput, W packets in flight
// (physics of RoCE NICs without selective repeat; Guo et al., SIGCOMM 2016, measured the deterministic case).
double lossy_share(const GroupShape& shape) {
  constexpr double kPacketBytes = 4096;
  constexpr double kLostIn = 256;
  const double round_trip_s = 2 * std::max(shape.network_latency.seconds(), 1e-6);
  const double window = round_trip_s * static_cast<double>(shape.nic_rate_per_rank.count()) / 8 / kPacketBytes;
  return (kLostIn - 1) / (kLostIn + window);
}

}  // namespace

rules::Placement checklist_facts(const catalog::Catalog& catalog, const Setting& setting, Placements& placements,
                                 const fabric::Fabric& fabric, const std::vector<Candidate>& candidates) {
  const Candidate& best = candidates.front();
  rules::Placement facts;
  facts.servers = static_cast<int>(fabric.servers().size());
  facts.tp_size = best.tp;
  facts.pp_size = best.pp;
  facts.dp_size = best.dp;
  facts.step = best.tpot;
  for (const AxisCost& axis : best.axes) {
    if (axis.axis == llm::Axis::tp) facts.tp_time = axis.time;
    if (axis.axis == llm::Axis::pp) facts.pp_time = axis.time;
  }
  if (best.tp > 1) facts.tp = widest(placements.tensor_groups(best.tp));
  if (best.pp > 1) facts.pp = widest(placements.pipeline_pairs(best.tp, best.pp));
  if (best.dp > 1) facts.dp = placements.replicas(best.tp * best.pp);

  llm::Parallelism parallelism;
  parallelism.tp = best.tp;
  parallelism.pp = best.pp;
  const std::int64_t batch = micro_batch(setting.request.workload, best.pp, best.dp);
  const std::vector<llm::Exchange> exchanges = llm::exchanges_of_step(setting.request.model, parallelism, batch, batch);
  if (best.tp > 1) {
    const Group spread = placements.spread(best.tp);
    if (spread.ranks == best.tp && spread.servers > 1) {
      facts.tp_across_time = tensor_time(setting, exchanges, spread);
      facts.tp_across_roce_time = tensor_time(setting, exchanges, as_roce(spread));
    }
    if (const std::optional<Group> inside = inside_domain(catalog, setting.gpu, best.tp))
      facts.tp_inside_time = tensor_time(setting, exchanges, *inside);
  }
  const GroupShape& outer = facts.pp.servers > 1 ? facts.pp : facts.tp;
  if (outer.servers > 1 && outer.connected) {
    facts.network_time = facts.pp.servers > 1 ? facts.pp_time : facts.tp_time;
    facts.lossy_time = Duration::from_us(facts.network_time.us() / lossy_share(outer));
  }
  if (facts.tp.scope > fabric::Scope::nvlink_domain) {
    for (const Candidate& candidate : candidates) {
      const bool keeps =
          candidate.tp == 1 || widest(placements.tensor_groups(candidate.tp)).scope == fabric::Scope::nvlink_domain;
      if (candidate.fits && keeps && (!facts.best_step_inside || candidate.tpot < *facts.best_step_inside))
        facts.best_step_inside = candidate.tpot;
    }
  }
  return facts;
}

}  // namespace weft::plan
