// The shares of a GPU's peaks that kernels reach, from the calibration set "roofline", by architecture and weight
// format.
#pragma once

#include "weft/base/error.h"
#include "weft/catalog/calibration.h"
#include "weft/catalog/model_shape.h"
#include "weft/catalog/parts.h"
#include "weft/llm/step_time.h"

namespace weft::plan {

Result<llm::RooflineEfficiency> roofline_efficiency(const catalog::Calibration& calibration,
                                                    const catalog::GpuPart& gpu, catalog::NumberFormat weights);

}  // namespace weft::plan
