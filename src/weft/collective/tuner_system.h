// What a tuner heeds of a group of GPUs, from the channels that were found for it and the CPUs that it stands on.
#pragma once

#include <span>

#include "weft/collective/channels.h"
#include "weft/collective/tuner.h"

namespace weft::collective {

// The CPUs are those of the first GPU's server; unknown ones count as neither Intel's nor AMD's.
[[nodiscard]] TunerSystem tuner_system(const Channels& channels, const fabric::Fabric& fabric,
                                       std::span<const fabric::DeviceId> gpus);

}  // namespace weft::collective
