#include "weft/llm/kernel_times.h"

#include <algorithm>

#include "weft/llm/precision.h"

namespace weft::llm {

using catalog::GpuPart;
using catalog::ModelShape;
using catalog::NumberFormat;

namespace {

// A rate of zero never finishes.
double seconds(double amount, double rate) { return amount == 0 ? 0.0 : amount / rate; }

}  // namespace

MatrixRate matrix_rate(const GpuPart& gpu, NumberFormat format) {
  switch (format) {
    case NumberFormat::fp32:
      return {gpu.fp16_tflops / 2, "fp32 as TF32, half the 16-bit rate"};
    case NumberFormat::bf16:
    case NumberFormat::fp16:
      return {gpu.fp16_tflops, "16-bit tensor cores"};
    case NumberFormat::fp8:
      if (gpu.fp8_tflops > 0) return {gpu.fp8_tflops, "fp8 tensor cores"};
      return {gpu.fp16_tflops, "no fp8 units: weights are widened to 16 bits"};
    case NumberFormat::int8:
    case NumberFormat::int4:
      return {gpu.fp16_tflops, "integer weights are widened to 16 bits, as in GPTQ, AWQ and bitsandbytes kernels"};
    case NumberFormat::nvfp4:
      if (gpu.fp4_tflops > 0) return {gpu.fp4_tflops, "fp4 tensor cores"};
      return {gpu.fp16_tflops, "no fp4 units: weights are widened to 16 bits"};
    case NumberFormat::mxfp4:
      if (gpu.fp4_tflops > 0 && gpu.fp8_tflops > 0) {
        return {gpu.fp8_tflops, "mxfp4 weights with 8-bit activations run at the fp8 rate"};
      }
      return {gpu.fp16_tflops, "no fp4 units: weights are widened to 16 bits"};
  }
  return {gpu.fp16_tflops, "16-bit tensor cores"};
}

KernelTimes::KernelTimes(const GpuPart& gpu, const ModelShape& shape)
    : memory_(gpu.memory_rate.gbytes() * 1e9),
      plain_peak_(matrix_rate(gpu, shape.compute).tflops * 1e12),
      quantised_peak_(matrix_rate(gpu, shape.weights).tflops * 1e12),
      plain_bytes_(llm::plain(shape.compute).bits_per_number() / 8),
      quantised_bytes_(quantised_format(shape).bits_per_number() / 8) {}

double KernelTimes::matrix_bytes(bool is_quantised, double n, double k) const {
  return n * k * (is_quantised ? quantised_bytes_ : plain_bytes_);
}

double KernelTimes::matrix(bool is_quantised, double rows, double n, double k) const {
  const RooflineEfficiency& share = is_quantised ? quantised : plain;
  const double read = seconds(matrix_bytes(is_quantised, n, k), memory_ * share.memory);
  const double peak = is_quantised ? quantised_peak_ : plain_peak_;
  return kernel_s + std::max(read, seconds(2 * rows * n * k, peak * share.compute));
}

double KernelTimes::attention(double bytes, double flops) const {
  return kernel_s +
         std::max(seconds(bytes, memory_ * attention_memory), seconds(flops, plain_peak_ * attention_compute));
}

}  // namespace weft::llm
