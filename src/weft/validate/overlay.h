// A user's own logs turned into an overlay: what is different about this cluster, as few factors.
//
// Logs of one cluster say little about a curve's shape but much about its level. So the overlay holds, for each
// calibration set that prices the logs, a factor on its latencies and one on its rates (scale.latency, scale.rate), and
// one on what launching costs on the host. A factor that the rows cannot tell from one stays one: each is pulled there.
// Factors that do not lower the median error are none.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "weft/catalog/calibration.h"
#include "weft/intake/measurement.h"

namespace weft::validate {

struct OverlayChange {
  std::string set;
  std::string key;
  double before = 1;
  double after = 1;
};

struct Overlay {
  std::vector<catalog::CalibrationSet> sets;  // only what changed, to be laid over the builtin ones
  std::vector<OverlayChange> changes;
  std::vector<std::string> files;  // that were used
  int rows = 0;
  double median_before = 0;  // of |predicted - measured| / measured over rows
  double median_after = 0;
};

// Error: no log can be predicted.
Result<Overlay> fit_overlay(const catalog::Calibration& calibration, std::span<const intake::Measurement> measurements);

[[nodiscard]] std::string to_toml(const Overlay& overlay);

// The calibration with the overlay on it.
[[nodiscard]] catalog::Calibration laid_over(catalog::Calibration calibration, const Overlay& overlay);

}  // namespace weft::validate
