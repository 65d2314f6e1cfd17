// The GPU that tests of times speak of. H100 SXM: 3.35 TB/s, dense TFLOP/s (NVIDIA H100 datasheet).
#pragma once

#include "weft/catalog/parts.h"

namespace weft::llm {

inline catalog::GpuPart h100() {
  catalog::GpuPart gpu;
  gpu.memory_rate = Rate::gbyte_per_s(3350);
  gpu.fp16_tflops = 989.4;
  gpu.fp8_tflops = 1978.9;
  return gpu;
}

}  // namespace weft::llm
