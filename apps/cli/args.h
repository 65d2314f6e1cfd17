// The values of one command's options and positionals, checked against its table when they were parsed.
//
// Asking for a name that the table does not have, or by the wrong type, is a bug of ours (WEFT_CHECK).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"

namespace weft::cli {

class Args {
 public:
  explicit Args(const Command& command) : command_(&command) {}

  [[nodiscard]] const Command& command() const { return *command_; }
  // Given by the user (a default does not count).
  [[nodiscard]] bool given(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  // The value, or the default's text, or "".
  [[nodiscard]] std::string text(std::string_view name) const;
  [[nodiscard]] std::int64_t integer(std::string_view name) const;
  [[nodiscard]] double number(std::string_view name) const;
  [[nodiscard]] std::span<const std::string> list(std::string_view name) const;

  // For the parser.
  void add(std::string_view name, std::string value);

 private:
  [[nodiscard]] const Option& option(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>* values(std::string_view name) const;

  const Command* command_;
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
};

// The whole text as a number; nothing when it is not one, or (integers) does not fit.
[[nodiscard]] Result<std::int64_t> parse_integer(std::string_view text);
[[nodiscard]] Result<double> parse_number(std::string_view text);

}  // namespace weft::cli
