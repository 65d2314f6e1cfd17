// A group of GPUs as a collective library sees it: what it crosses, and what the library would choose over it.
#pragma once

#include <memory>
#include <span>

#include "weft/collective/profile.h"
#include "weft/fabric/group.h"

namespace weft::collective {

struct Group : fabric::GroupShape {
  // nullptr: a library whose choices are not known (RCCL, MCCL), one GPU, or nothing that connects them.
  std::shared_ptr<const TunerTable> tuner;
};

// `shape` must be that of these GPUs.
[[nodiscard]] Group group_of(fabric::GroupShape shape, const fabric::Fabric& fabric,
                             std::span<const fabric::DeviceId> gpus, const fabric::Conditions& conditions,
                             const Profiles& profiles);
[[nodiscard]] Group group_of(const fabric::Fabric& fabric, std::span<const fabric::DeviceId> gpus,
                             const fabric::Conditions& conditions, const Profiles& profiles);

}  // namespace weft::collective
