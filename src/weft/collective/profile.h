// What a communication library costs beside the wire, for every engine: curves inside servers (curve.h), hops and lines
// between them (network_profile.h), what launching takes on the host, and the kernels of a serving engine (kernels.h).
// Chosen for one library and version; constants come from catalog::Calibration, nothing is fitted here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/calibration.h"
#include "weft/catalog/parts.h"
#include "weft/collective/call.h"
#include "weft/collective/channel_rules.h"
#include "weft/collective/curve.h"
#include "weft/collective/kernels.h"
#include "weft/collective/network_profile.h"
#include "weft/collective/tuner.h"
#include "weft/units/units.h"

namespace weft::collective {

// Host time for each GPU that one process drives; a collective takes the longer of this and the GPU's part.
struct LaunchCosts {
  double per_gpu_us = 0;
  double all_to_all_factor = 1;
  double graph_saves_us = 0;  // of the GPU's part, when a captured graph runs
  double scale = 1;
  // `gpus`: driven by one process.
  [[nodiscard]] double host_us(Operation operation, LaunchMode mode, int gpus) const;
};

struct Profiles {
  Library library;
  std::vector<InsideProfile> inside;  // those of older versions first
  std::vector<NetworkProfile> networks;
  BetweenProfile between;
  LaunchCosts launch;
  KernelProfile kernels;
  // How the library chooses; none: not known, and the fastest line counts.
  std::optional<Tuner> tuner;
  ChannelRules channel_rules;

  // The curve for a link, and the set that it is from. When a technology has no curve of this kind, one of a sister
  // operation stands in (`kind` of the answer says which); none() only for a calibration without any.
  struct Found {
    const Curve* curve = nullptr;
    const InsideProfile* profile = nullptr;
    CurveKind kind = CurveKind::all_reduce;
  };
  [[nodiscard]] Found curve(std::string_view link, catalog::LinkClass link_class, bool through_host,
                            CurveKind kind) const;
  [[nodiscard]] const NetworkProfile& network(catalog::LinkClass link_class) const;
};

// Takes one set's numbers anew: for a fit that changes few of them many times. Sets that profiles do not hold are
// ignored.
Result<void> refresh(Profiles& profiles, const catalog::CalibrationSet& set);

Result<Profiles> load_profiles(const catalog::Calibration& calibration, const Library& library = kDefaultLibrary,
                               const ServingEngine& engine = kDefaultEngine);

}  // namespace weft::collective
