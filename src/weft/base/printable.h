// Other people's text made safe to show: valid UTF-8, one line, no escape sequences, and short.
//
// Whatever a message repeats from the user's input goes through here, so that a hostile file can neither drive the
// terminal nor flood it, nor break the JSON that repeats the message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft {

// Control characters become spaces; bytes that are not UTF-8 and marks that turn the writing direction become '?'.
[[nodiscard]] std::string printable(std::string_view text);

// printable(text) in double quotes, cut to about `most` bytes: "400gb/s", "aaaaaaaa…".
[[nodiscard]] std::string in_quotes(std::string_view text, std::size_t most = 64);

// How many bytes, at most `most`, can be taken off the front without cutting a UTF-8 character in two.
[[nodiscard]] std::size_t whole_characters(std::string_view text, std::size_t most);

// Columns on a terminal: two for East Asian wide characters and emoji, none for combining marks. Input: printable().
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace weft
