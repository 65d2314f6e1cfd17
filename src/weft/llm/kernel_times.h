// How long one kernel takes on a GPU: a roofline over the GPU's peaks, with the shares that kernels reach of them and
// the least that any kernel takes.
//
//   a matrix     kernel + max(weights / (memory rate x share), 2 rows n k / (peak x share))
//   attention    kernel + max(cache read / (memory rate x share), FLOPs / (16-bit peak x share))
//   the rest     kernel + bytes moved / (memory rate x share)          norms, rotary, activations, routing, sampling
//
// `kernel` is what the GPU takes for the smallest one in a captured graph; launched one by one, a pass also needs
// `launch` a kernel on the host and takes the longer of the two. Shares of one and times of zero are the bare roofline.
#pragma once

#include <cstdint>
#include <string>

#include "weft/catalog/model_shape.h"
#include "weft/catalog/parts.h"

namespace weft::llm {

struct RooflineEfficiency {
  double memory = 1.0;   // of the memory rate that reading weights reaches
  double compute = 1.0;  // of the peak that matrix multiplication reaches
};

// Dense TFLOP/s at which matrices with weights in `format` are multiplied, and why that figure.
struct MatrixRate {
  double tflops = 0;
  std::string why;  // "fp8 tensor cores", "no fp8 units: widened to 16 bits"
};
[[nodiscard]] MatrixRate matrix_rate(const catalog::GpuPart& gpu, catalog::NumberFormat format);

class KernelTimes {
 public:
  // The bare roofline.
  KernelTimes(const catalog::GpuPart& gpu, const catalog::ModelShape& shape);

  RooflineEfficiency plain;      // matrices in the compute format
  RooflineEfficiency quantised;  // matrices in the weight format
  double attention_memory = 1;
  double attention_compute = 1;
  double vector_memory = 1;
  double kernel_s = 0;
  double launch_s = 0;
  double step_s = 0;  // the engine's own work on the host for each pass, that nothing hides

  // One multiplication of `rows` x k by k x n. Fractions of a row or column stand for means.
  [[nodiscard]] double matrix(bool is_quantised, double rows, double n, double k) const;
  [[nodiscard]] double matrix_bytes(bool is_quantised, double n, double k) const;
  [[nodiscard]] double attention(double bytes, double flops) const;
  [[nodiscard]] double vectors(double bytes) const { return kernel_s + move(bytes); }
  [[nodiscard]] double move(double bytes) const { return bytes / (memory_ * vector_memory); }

 private:
  double memory_;  // bytes/s
  double plain_peak_;
  double quantised_peak_;
  double plain_bytes_;  // a number
  double quantised_bytes_;
};

}  // namespace weft::llm
