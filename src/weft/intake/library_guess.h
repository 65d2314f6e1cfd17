// Which library version a measured table was made with, when it does not say.
//
// The newest release of its date; without a date, the one that was usual when its GPU generation was young. Both are
// tables here: releases of NCCL by month (nvidia-nccl-cu12 on PyPI from 2.16, github.com/NVIDIA/nccl tags before),
// releases of RCCL by the ROCm that it came with (github.com/ROCm/rccl releases). Other libraries' versions stay
// unknown.
#pragma once

#include <string>
#include <string_view>

#include "weft/catalog/parts.h"
#include "weft/collective/call.h"

namespace weft::intake {

struct LibraryGuess {
  collective::Library library;
  std::string why;  // "the newest of 2024-07", "usual for hopper GPUs"
};

// `date` "2024-07-19", "2024-07", "2024" (its end is meant) or "".
[[nodiscard]] LibraryGuess guess_library(const catalog::GpuPart& gpu, std::string_view date);

}  // namespace weft::intake
