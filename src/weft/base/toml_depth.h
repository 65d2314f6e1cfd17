// Whether a TOML text may be handed to a TOML library at all.
//
// `a.a.a.…` makes one nested table for each dot, and libraries build and free those by recursion: a few hundred kB of
// dots overflow the stack. No person writes dozens of dots in one line, so such a line is refused before it is parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace weft {

// Offset of the first line with more than 32 dots that are not decimal points; nothing when the text is harmless.
// Dots in strings and comments count too: telling them apart is the parser's work, and a slip here would be a crash.
[[nodiscard]] std::optional<std::size_t> too_deep_for_toml(std::string_view text);

}  // namespace weft
