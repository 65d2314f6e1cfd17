#include "weft/plan/kernel_constants.h"

#include <string>

#include "weft/llm/precision.h"

namespace weft::plan {
namespace {

constexpr double kMicro = 1e-6;

// The numbers of one architecture in one set; remembers the first that is missing.
class Row {
 public:
  Row(const catalog::CalibrationSet& set, const std::string& architecture, std::string_view probe)
      : set_(set), row_(set.has(architecture + "." + std::string(probe)) ? architecture : "other") {}

  double operator()(std::string_view key) { return take(row_ + "." + std::string(key)); }
  double plain(std::string_view key) { return take(std::string(key)); }
  [[nodiscard]] const Result<void>& done() const { return done_; }

 private:
  double take(const std::string& key) {
    Result<double> number = set_.number(key);
    if (number) return *number;
    if (done_) done_ = fail(std::move(number.error()));
    return 0;
  }

  const catalog::CalibrationSet& set_;
  std::string row_;
  Result<void> done_;
};

}  // namespace

Result<llm::KernelTimes> kernel_times(const catalog::Calibration& calibration, const catalog::GpuPart& gpu,
                                      const catalog::ModelShape& shape) {
  const Result<const catalog::CalibrationSet*> roofline = calibration.set("roofline");
  if (!roofline) return fail(Error(roofline.error()));
  const Result<const catalog::CalibrationSet*> step = calibration.set("serving-step");
  if (!step) return fail(Error(step.error()));
  llm::KernelTimes times(gpu, shape);
  Row shares(**roofline, gpu.architecture, "memory");
  times.plain = {shares("memory"), shares("compute")};
  // Weights of a byte or less run on other kernels, which reach less of the peaks.
  times.quantised = times.plain;
  if (llm::element_bits(shape.weights) <= 8) times.quantised = {shares("narrow_memory"), shares("narrow_compute")};
  if (!shares.done()) return fail(Error(shares.done().error()));
  Row small(**step, gpu.architecture, "attention_memory");
  times.attention_memory = small("attention_memory");
  times.attention_compute = small("attention_compute");
  times.vector_memory = small("vector_memory");
  times.kernel_s = small.plain("kernel_us") * kMicro;
  times.launch_s = small.plain("launch_us") * kMicro;
  times.step_s = small.plain("step_us") * kMicro;
  if (!small.done()) return fail(Error(small.done().error()));
  return times;
}

}  // namespace weft::plan
