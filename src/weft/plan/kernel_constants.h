// How long kernels take on a GPU, from the calibration: shares of the roofline (set "roofline"), and what small
// kernels, launches and the engine's own work take (set "serving-step").
#pragma once

#include "weft/base/error.h"
#include "weft/catalog/calibration.h"
#include "weft/llm/kernel_times.h"

namespace weft::plan {

// GPU architectures without a row of their own take the row "other".
Result<llm::KernelTimes> kernel_times(const catalog::Calibration& calibration, const catalog::GpuPart& gpu,
                                      const catalog::ModelShape& shape);

}  // namespace weft::plan
