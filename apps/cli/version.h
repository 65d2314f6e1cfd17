// weft's own version, "0.1.0", from the build.
#pragma once

#include <string_view>

namespace weft::cli {

[[nodiscard]] std::string_view version();

}  // namespace weft::cli
