// How well tables are predicted that the fit has not seen.
//
// For each source of the scored tables, all calibration sets that its tables have a part in are fitted anew without
// them, from neutral starts, and its tables are predicted with the result. The errors of all files together, beside
// those of a fit to everything, tell physics from memory.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "weft/validate/fit.h"
#include "weft/validate/score.h"

namespace weft::validate {

struct LeaveOutResult {
  std::vector<FileScore> with;     // fitted to everything
  std::vector<FileScore> without;  // each file without its own source
  int sources = 0;
};

// `scored`: whose files are predicted; `also`: further tables to fit on (never left out).
Result<LeaveOutResult> leave_out_sources(const catalog::Calibration& calibration,
                                         std::span<const intake::Measurement> scored,
                                         std::span<const intake::Measurement> also,
                                         const std::function<void(int done, int all)>& progress = {});

}  // namespace weft::validate
