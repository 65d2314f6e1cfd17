#include "weft/plan/checklist_facts.h"

#include <algorithm>

#include "weft/fabric/server.h"

namespace weft::plan {
namespace {

using collective::Group;
using fabric::GroupShape;

std::optional<Duration> tensor_time(const Evaluator& evaluator, const Candidate& candidate, const Group& shape) {
  if (shape.ranks < 2 || !shape.connected) return std::nullopt;
  const Result<Duration> time = evaluator.tensor_time(candidate, shape);
  return time ? std::optional(*time) : std::nullopt;
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

// What loss would cost, of everything that crosses servers.
void add_loss(rules::Placement& facts) {
  double lossy_us = 0;
  const auto add = [&](const GroupShape& shape, Duration time) {
    if (shape.servers < 2 || !shape.connected) return;
    facts.network_time += time;
    lossy_us += time.us() / lossy_share(shape);
  };
  add(facts.tp, facts.tp_time);
  add(facts.pp, facts.pp_time);
  add(facts.ep, facts.ep_time);
  if (facts.network_time.count() > 0) facts.lossy_time = Duration::from_us(lossy_us);
}

}  // namespace

rules::Placement checklist_facts(const catalog::Catalog& catalog, const Setting& setting, const Evaluator& evaluator,
                                 Placements& placements, const std::vector<Candidate>& candidates) {
  const Candidate& best = candidates.front();
  const Spread& spread = best.spread;
  const int tp = spread.parallelism.tp;
  const auto widest = [&](llm::Axis axis) -> const Group& { return placements.groups(axis, spread).widest(); };
  rules::Placement facts;
  facts.servers = placements.servers();
  facts.tp_size = tp;
  facts.pp_size = spread.parallelism.pp;
  facts.dp_size = spread.units;
  facts.ep_size = spread.parallelism.ep;
  facts.step = best.step();
  for (const AxisCost& axis : best.axes) {
    if (axis.axis == llm::Axis::tp) facts.tp_time = axis.time;
    if (axis.axis == llm::Axis::pp) facts.pp_time = axis.time;
    if (axis.axis == llm::Axis::ep) facts.ep_time = axis.time;
  }
  if (tp > 1) facts.tp = widest(llm::Axis::tp);
  if (facts.pp_size > 1) facts.pp = widest(llm::Axis::pp);
  if (facts.dp_size > 1) facts.dp = widest(llm::Axis::dp);
  if (facts.ep_size > 1) facts.ep = widest(llm::Axis::ep);

  if (tp > 1) {
    const Group out = placements.spread_out(tp);
    if (out.ranks == tp && out.servers > 1) {
      facts.tp_across_time = tensor_time(evaluator, best, out);
      facts.tp_across_roce_time = tensor_time(evaluator, best, as_roce(out));
    }
    if (const std::optional<Group> inside = inside_domain(catalog, setting.gpu, tp))
      facts.tp_inside_time = tensor_time(evaluator, best, *inside);
  }
  add_loss(facts);
  if (facts.tp.scope > fabric::Scope::nvlink_domain) {
    for (const Candidate& candidate : candidates) {
      const bool keeps =
          candidate.spread.parallelism.tp == 1 ||
          placements.groups(llm::Axis::tp, candidate.spread).widest().scope == fabric::Scope::nvlink_domain;
      if (candidate.fits && keeps && (!facts.best_step_inside || candidate.step() < *facts.best_step_inside))
        facts.best_step_inside = candidate.step();
    }
  }
  return facts;
}

}  // namespace weft::plan
