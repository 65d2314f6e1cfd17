// The calibration that a command predicts with: the builtin one, files of --calibration laid over it, and an overlay
// fitted to the logs of --measured, which is said.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "args.h"
#include "command.h"
#include "context.h"
#include "weft/catalog/calibration.h"
#include "weft/intake/measurement.h"
#include "weft/report/table.h"
#include "weft/validate/overlay.h"

namespace weft::cli {

// --calibration and --measured.
[[nodiscard]] std::vector<Option> with_calibration_options(std::vector<Option> own);
[[nodiscard]] Option calibration_option();

struct Calibrated {
  catalog::Calibration calibration;
  std::vector<intake::Measurement> measured;
  std::optional<validate::Overlay> overlay;
  std::vector<std::string> over;  // what was laid over the builtin sets: files, "fitted to 2 logs"
};

// What changed and how well it fits goes to stderr. `cluster`: what logs were measured on that do not say.
[[nodiscard]] Result<Calibrated> load_calibrated(const Args& args, const std::string& cluster, Context& context);
// --calibration alone.
[[nodiscard]] Result<catalog::Calibration> load_calibration(const Args& args, Context& context);

// What an overlay changes and how well it fits, for a person.
[[nodiscard]] std::string changes_text(const validate::Overlay& overlay, report::TextStyle style);
[[nodiscard]] nlohmann::ordered_json overlay_json(const validate::Overlay& overlay);

}  // namespace weft::cli
