// Did-you-mean: the known word nearest to what was typed.
//
// Distance is Damerau–Levenshtein (insert, delete, replace, swap of neighbours), case ignored; a word is offered when
// it lies within a third of the typed length (at least 1, at most 4, never all of it), or when one contains the other
// (3 letters or more).
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weft {

[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);

// The nearest candidate, or "" when none is near. Ties go to the earlier one.
[[nodiscard]] std::string nearest(std::string_view typed, std::span<const std::string> candidates);

// "did you mean X?" or "" — ready for Error::hint.
[[nodiscard]] std::string did_you_mean(std::string_view typed, std::span<const std::string> candidates);

}  // namespace weft
