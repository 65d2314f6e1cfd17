#include "weft/plan/placement.h"

#include <algorithm>

namespace weft::plan {
collective::Group Placements::group_of(std::span<const fabric::DeviceId> gpus) {
  return collective::group_of(shapes_.of(gpus), fabric_, gpus, conditions_, profiles_);
}

void Placements::add(std::vector<collective::Group>& groups, std::span<const fabric::DeviceId> gpus) {
  // Channels are searched for shapes that are new only: there are many groups and few shapes.
  const fabric::GroupShape shape = shapes_.of(gpus);
  const auto same = [&](const collective::Group& group) {
    return static_cast<const fabric::GroupShape&>(group) == shape;
  };
  if (std::none_of(groups.begin(), groups.end(), same))
    groups.push_back(collective::group_of(shape, fabric_, gpus, conditions_, profiles_));
}

const std::vector<collective::Group>& Placements::tensor_groups(int tp) {
  const auto [found, added] = tensor_.try_emplace(tp);
  if (!added) return found->second;
  const auto gpus = fabric_.gpus();
  const auto size = static_cast<std::size_t>(tp);
  for (std::size_t first = 0; first + size <= gpus.size(); first += size) add(found->second, gpus.subspan(first, size));
  return found->second;
}

const std::vector<collective::Group>& Placements::pipeline_pairs(int tp, int pp) {
  const auto [found, added] = pipeline_.try_emplace({tp, pp});
  if (!added) return found->second;
  const auto gpus = fabric_.gpus();
  const auto stage = static_cast<std::size_t>(tp);
  const std::size_t replica = stage * static_cast<std::size_t>(pp);
  // The tp ranks of a stage send side by side; the first stands for them.
  for (std::size_t first = 0; first + replica <= gpus.size(); first += replica) {
    for (std::size_t s = 0; s + 1 < static_cast<std::size_t>(pp); ++s) {
      const std::vector<fabric::DeviceId> pair = {gpus[first + s * stage], gpus[first + (s + 1) * stage]};
      add(found->second, pair);
    }
  }
  return found->second;
}

collective::Group Placements::replicas(int tp_times_pp) {
  const auto [found, added] = replicas_.try_emplace(tp_times_pp);
  if (!added) return found->second;
  std::vector<fabric::DeviceId> group;
  const auto gpus = fabric_.gpus();
  for (std::size_t first = 0; first < gpus.size(); first += static_cast<std::size_t>(tp_times_pp))
    group.push_back(gpus[first]);
  return found->second = group_of(group);
}

collective::Group Placements::spread(int ranks) {
  std::vector<fabric::DeviceId> group;
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
  return group_of(group);
}

}  // namespace weft::plan
