// A text that a user gave us, with the name it is known by, able to say where an offset lies.
//
// position(offset) gives line, column and the quoted line, made printable (base/printable.h) and cut to about 100 bytes
// around the place, so that an error never floods the terminal. A question about a place walks the text up to it once;
// nothing is indexed before an error needs it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "weft/base/error.h"

namespace weft {

struct SourceText {
  std::string name;  // file name as the user wrote it, "-" for stdin
  std::string text;

  [[nodiscard]] SourcePosition position(std::size_t offset) const;
  // For readers that know line and column already (both from 1), such as a TOML library.
  [[nodiscard]] SourcePosition position_at(int line, int column) const;
};

}  // namespace weft
