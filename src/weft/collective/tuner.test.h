// Versions and systems that tests ask a tuner about.
#pragma once

#include <array>
#include <string_view>

#include "weft/collective/tuner.h"

namespace weft::collective {

inline constexpr std::array<std::string_view, 5> kVersions = {"nccl-2.10.3", "nccl-2.18.3", "nccl-2.21.5",
                                                              "nccl-2.27.7", "nccl-2.30.7"};

inline Tuner tuner(std::string_view library) {
  static const catalog::Calibration calibration = catalog::Calibration::builtin().value();
  return Tuner::of(calibration, *library_from(library)).value();
}

// Eight GPUs a server behind NVSwitches, a NIC each.
inline TunerSystem servers(int count, int capability = 90) {
  TunerSystem system;
  system.servers = count;
  system.ranks = 8 * count;
  system.capability = capability;
  system.nvswitch = true;
  const bool hopper = capability >= 90;
  const ChannelGraph ring{hopper ? 16 : 24, hopper ? 20.6 : 10, hopper ? 20.6 : 10, Reach::nvl, Reach::pix, false};
  system.graphs = {ring,
                   ring,
                   ring,
                   ring,
                   hopper ? ChannelGraph{8, 45, 45, Reach::nvl, Reach::pix, false} : ChannelGraph{},
                   hopper ? ChannelGraph{8, 45, 45, Reach::nvl, Reach::pix, false} : ChannelGraph{}};
  system.nvls = hopper;
  return system;
}

}  // namespace weft::collective
