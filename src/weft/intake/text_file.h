// Reading what a user named, without letting it hurt: a file up to a limit, or standard input.
//
// Refused with a clear answer: a missing file, a directory, a device, more than `limit` bytes (judged before reading
// where the size is known, while reading where it is not), an empty file. "-" is standard input.
#pragma once

#include <cstddef>
#include <istream>
#include <string_view>

#include "weft/base/error.h"
#include "weft/base/source_text.h"

namespace weft::intake {

inline constexpr std::size_t kLargestFile = 64U << 20U;

Result<SourceText> read_text(std::string_view path, std::istream& standard_input, std::size_t limit = kLargestFile);

}  // namespace weft::intake
