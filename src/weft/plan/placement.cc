#include "weft/plan/placement.h"

#include <algorithm>

namespace weft::plan {

using collective::Group;
using fabric::DeviceId;

const Group& GroupSet::widest() const {
  return *std::max_element(shapes.begin(), shapes.end(),
                           [](const Group& a, const Group& b) { return a.scope < b.scope; });
}

Placements::Placements(const fabric::Fabric& fabric, const fabric::Conditions& conditions,
                       const collective::Profiles& profiles)
    : fabric_(fabric),
      conditions_(conditions),
      profiles_(profiles),
      shapes_(fabric, conditions),
      order_(fabric.gpus().begin(), fabric.gpus().end()) {
  struct Place {
    std::uint32_t rack;
    std::uint32_t leaf;
    std::uint32_t server;
    std::uint32_t domain;
    auto operator<=>(const Place&) const = default;
  };
  // A server is on the leaf of its first GPU: on rails each of its GPUs has another.
  std::vector<std::uint32_t> leaf(fabric.servers().size(), fabric::Fabric::kNoDomain);
  std::vector<bool> known(fabric.servers().size(), false);
  for (const DeviceId gpu : order_) {
    const std::uint32_t server = fabric.device(gpu).server;
    if (known[server]) continue;
    known[server] = true;
    const DeviceId nic = nic_of(gpu);
    const DeviceId first = nic.valid() ? fabric.leaf_of(nic) : DeviceId::none();
    if (first.valid()) leaf[server] = fabric.device(first).index;
  }
  const auto place = [&](DeviceId gpu) {
    const std::uint32_t server = fabric.device(gpu).server;
    return Place{fabric.rack_of(gpu), leaf[server], server, fabric.nvlink_domain(gpu)};
  };
  std::stable_sort(order_.begin(), order_.end(), [&](DeviceId a, DeviceId b) { return place(a) < place(b); });
}

void Placements::add(GroupSet& set, std::span<const DeviceId> gpus) {
  // Channels are searched for shapes that are new only: there are many groups and few shapes.
  const fabric::GroupShape shape = shapes_.of(gpus);
  const auto same = [&](const Group& group) { return static_cast<const fabric::GroupShape&>(group) == shape; };
  if (std::none_of(set.shapes.begin(), set.shapes.end(), same))
    set.shapes.push_back(collective::group_of(shape, fabric_, gpus, conditions_, profiles_));
}

const GroupSet& Placements::strided(int stride, int count, Which which) {
  const auto [found, added] = sets_.try_emplace({stride, count, which});
  GroupSet& set = found->second;
  if (!added) return set;
  set.id = static_cast<int>(sets_.size()) - 1;
  const auto step = static_cast<std::size_t>(stride);
  const auto ranks = static_cast<std::size_t>(count);
  const std::size_t block = step * ranks;
  const std::size_t offsets = which == Which::all ? step : 1;
  std::vector<DeviceId> gpus(ranks);
  for (std::size_t first = 0; first + block <= order_.size(); first += block) {
    for (std::size_t offset = 0; offset < offsets; ++offset) {
      for (std::size_t i = 0; i < ranks; ++i) gpus[i] = order_[first + offset + i * step];
      if (which != Which::neighbours) {
        add(set, gpus);
        continue;
      }
      for (std::size_t i = 0; i + 1 < ranks; ++i) add(set, std::span(gpus).subspan(i, 2));
    }
  }
  return set;
}

const GroupSet& Placements::groups(llm::Axis axis, const Spread& spread) {
  const llm::Parallelism& parallelism = spread.parallelism;
  switch (axis) {
    case llm::Axis::tp:
      return strided(1, parallelism.tp, Which::all);
    case llm::Axis::ep:
      return strided(1, parallelism.expert_gpus(), Which::all);
    case llm::Axis::cp:
      return strided(parallelism.expert_gpus(), parallelism.cp, Which::all);
    case llm::Axis::pp:
      return strided(parallelism.stage_gpus(), parallelism.pp, Which::neighbours);
    case llm::Axis::dp:
      break;
  }
  // Copies exchange nothing: the first rank of each shows what they would cross.
  return strided(parallelism.gpus(), spread.units, Which::first);
}

Group Placements::spread_out(int ranks) {
  std::vector<DeviceId> group;
  const auto servers = fabric_.servers();
  if (servers.size() < 2) return {};
  for (std::uint32_t local = 0; static_cast<int>(group.size()) < ranks; ++local) {
    const std::size_t before = group.size();
    for (std::uint32_t s = 0; s < servers.size() && static_cast<int>(group.size()) < ranks; ++s) {
      if (local < servers[s].gpus) group.push_back(fabric_.gpu(s, local));
    }
    if (group.size() == before) break;
  }
  std::sort(group.begin(), group.end());
  return collective::group_of(shapes_.of(group), fabric_, group, conditions_, profiles_);
}

}  // namespace weft::plan
