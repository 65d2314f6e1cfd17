#include "weft/base/error.h"

#include "weft/base/printable.h"

namespace weft {
namespace {

Error make(ErrorKind kind, std::string_view id, std::string message) {
  Error error;
  error.kind = kind;
  error.id = id;
  error.message = std::move(message);
  error.message = printable(error.message);  // whatever it repeats of the user's text, it can be shown
  return error;
}

std::string place(const SourcePosition& where) {
  std::string text = printable(where.file);
  if (where.line > 0) {
    text += ':' + std::to_string(where.line);
    if (where.column > 0) text += ':' + std::to_string(where.column);
  }
  return text;
}

}  // namespace

Error usage_error(std::string_view id, std::string message) { return make(ErrorKind::usage, id, std::move(message)); }
Error input_error(std::string_view id, std::string message) { return make(ErrorKind::input, id, std::move(message)); }
Error unassessable_error(std::string_view id, std::string message) {
  return make(ErrorKind::unassessable, id, std::move(message));
}

std::string Error::to_string() const {
  std::string text = "error " + id + ": ";
  if (const std::string at = place(where); !at.empty()) text += at + ": ";
  text += message + '\n';
  if (!where.line_text.empty()) {
    const std::string number = std::to_string(where.line);
    text += "  " + number + " | " + where.line_text + '\n';
    if (where.caret > 0) {
      text += "  " + std::string(number.size(), ' ') + " | ";
      text += std::string(static_cast<std::size_t>(where.caret - 1), ' ') + "^\n";
    }
  }
  if (!expected.empty()) text += "  expected: " + expected + '\n';
  if (!hint.empty()) text += "  hint: " + hint + '\n';
  return text;
}

}  // namespace weft
