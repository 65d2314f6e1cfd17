// Which library version a measured table was made with, when it does not say.
//
// The newest release of its date; without a date, the one that was usual when its GPU generation was young. Release
// dates: github.com/NVIDIA/nccl tags.
#pragma once

#include <string>
#include <string_view>

#include "weft/catalog/parts.h"
#include "weft/collective/call.h"

namespace weft::intake {

// `date` "2024-07-19", "2024-07", "2024" or "". `why` receives the rule that was used.
[[nodiscard]] collective::Library guess_library(const catalog::GpuPart& gpu, std::string_view date, std::string& why);

}  // namespace weft::intake
