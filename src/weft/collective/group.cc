#include "weft/collective/group.h"

#include "weft/collective/tuner_system.h"

namespace weft::collective {

Group group_of(fabric::GroupShape shape, const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus,
               const fabric::Conditions& conditions, const Profiles& profiles) {
  Group group{std::move(shape), nullptr};
  if (!profiles.tuner || gpus.size() < 2 || !group.connected) return group;
  const Channels channels = find_channels(fabric, gpus, conditions, profiles.channel_rules);
  if (graph_of(channels.graphs, GraphPattern::ring).channels > 0)
    group.tuner = std::make_shared<const TunerTable>(*profiles.tuner, tuner_system(channels, fabric, gpus));
  return group;
}

Group group_of(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus,
               const fabric::Conditions& conditions, const Profiles& profiles) {
  return group_of(fabric::shape_of(fabric, gpus, conditions), fabric, gpus, conditions, profiles);
}

}  // namespace weft::collective
