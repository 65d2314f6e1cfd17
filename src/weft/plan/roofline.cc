#include "weft/plan/roofline.h"

#include "weft/llm/precision.h"

namespace weft::plan {

// Weights of a byte or less run on other kernels, which reach less of the peaks.
Result<llm::RooflineEfficiency> roofline_efficiency(const catalog::Calibration& calibration,
                                                    const catalog::GpuPart& gpu, catalog::NumberFormat weights) {
  Result<const catalog::CalibrationSet*> set = calibration.set("roofline");
  if (!set) return fail(std::move(set.error()));
  const std::string row = (*set)->has(gpu.architecture + ".memory") ? gpu.architecture : "other";
  const std::string kind = llm::element_bits(weights) <= 8 ? "narrow_" : "";
  Result<double> memory = (*set)->number(row + "." + kind + "memory");
  Result<double> compute = (*set)->number(row + "." + kind + "compute");
  if (!memory) return fail(std::move(memory.error()));
  if (!compute) return fail(std::move(compute.error()));
  return llm::RooflineEfficiency{*memory, *compute};
}

}  // namespace weft::plan
