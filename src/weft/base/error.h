// What goes wrong because of the user's input: one value that says what, where, what was expected, and what to try.
//
// Result<T> is T or Error. The message id (WEFT-<ROOM>-<NNNN>) is unique and stable, so that people can search for it.
// The position is that of the user's own text. Kind decides the exit status of the command line (DESIGN: 2 usage,
// 3 bad input, 4 cannot be assessed here). Bugs of ours are WEFT_CHECK, not Error.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace weft {

enum class ErrorKind { usage, input, unassessable };

// A place in the user's text. line and column start at 1; 0 = not known. A column counts bytes.
struct SourcePosition {
  std::string file;
  int line = 0;
  int column = 0;
  std::string line_text;  // the line itself, printable, cut around the column when long
  int caret = 0;          // terminal column under line_text, from 1, where the caret goes; 0 = none
};

struct Error {
  ErrorKind kind = ErrorKind::input;
  std::string id;        // "WEFT-FMT-0012"
  std::string message;   // what is wrong, without the place
  std::string expected;  // what would have been right; may be empty
  std::string hint;      // what to try next (did-you-mean); may be empty
  SourcePosition where;

  // The whole story for a person: headline with place, quoted line with caret, expected, hint.
  [[nodiscard]] std::string to_string() const;

  Error&& with_hint(std::string text) && {
    hint = std::move(text);
    return std::move(*this);
  }
  Error&& with_expected(std::string text) && {
    expected = std::move(text);
    return std::move(*this);
  }
  Error&& at(SourcePosition position) && {
    where = std::move(position);
    return std::move(*this);
  }
};

template <class T>
using Result = tl::expected<T, Error>;

// return fail(input_error("WEFT-FMT-0001", "the file is empty"));
[[nodiscard]] Error usage_error(std::string_view id, std::string message);
[[nodiscard]] Error input_error(std::string_view id, std::string message);
[[nodiscard]] Error unassessable_error(std::string_view id, std::string message);

[[nodiscard]] inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }

}  // namespace weft
