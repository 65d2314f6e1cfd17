#include "weft/llm/kernel_times.h"

#include <gtest/gtest.h>

#include "weft/llm/h100.test.h"

namespace weft::llm {
namespace {

using catalog::GpuPart;
using catalog::NumberFormat;

TEST(KernelTimes, RatesByFormat) {
  const GpuPart gpu = h100();
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::bf16).tflops, 989.4);
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::fp8).tflops, 1978.9);
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::nvfp4).tflops, 989.4);
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::int4).tflops, 989.4);
  EXPECT_DOUBLE_EQ(matrix_rate(gpu, NumberFormat::fp32).tflops, 494.7);
  GpuPart b200 = gpu;
  b200.fp4_tflops = 9000;
  EXPECT_DOUBLE_EQ(matrix_rate(b200, NumberFormat::nvfp4).tflops, 9000);
  EXPECT_DOUBLE_EQ(matrix_rate(b200, NumberFormat::mxfp4).tflops, 1978.9);
  GpuPart a100 = gpu;
  a100.fp8_tflops = 0;
  EXPECT_DOUBLE_EQ(matrix_rate(a100, NumberFormat::fp8).tflops, 989.4);
  EXPECT_EQ(matrix_rate(a100, NumberFormat::fp8).why, "no fp8 units: weights are widened to 16 bits");
}

TEST(KernelTimes, ReadOrComputeWhicheverIsLonger) {
  catalog::ModelShape model;
  model.weights = NumberFormat::fp8;
  KernelTimes kernels(h100(), model);
  EXPECT_DOUBLE_EQ(kernels.matrix(false, 1, 8192, 8192), 2.0 * 8192 * 8192 / 3350e9);
  EXPECT_DOUBLE_EQ(kernels.matrix(true, 8192, 8192, 8192), 2.0 * 8192 * 8192 * 8192 / 1978.9e12);
  EXPECT_DOUBLE_EQ(kernels.attention(3350e9, 1), 1.0);
  EXPECT_DOUBLE_EQ(kernels.attention(1, 989.4e12), 1.0);
  kernels.kernel_s = 0.5;
  kernels.attention_compute = 0.5;
  EXPECT_DOUBLE_EQ(kernels.attention(1, 989.4e12), 2.5);
  EXPECT_DOUBLE_EQ(kernels.vectors(3350e9), 1.5);
}

}  // namespace
}  // namespace weft::llm
