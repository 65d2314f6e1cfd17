// What every command gets beside its arguments: the streams, how the user wants the answer, and the catalog, read at
// first use so that commands without it start at once.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "weft/report/table.h"

namespace weft::cli {

class Context {
 public:
  Context(std::istream& input, std::ostream& output, std::ostream& errors) : in(input), out(output), err(errors) {}

  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool json = false;
  bool quiet = false;
  bool colour = false;

  [[nodiscard]] report::TextStyle style() const { return {.width = 100, .colour = colour}; }

  // One line a thing that was assumed, on stderr; silent with --json (the document carries them) and with -q.
  void say_assumed(std::span<const std::string> assumed) const;
  void write_json(const nlohmann::ordered_json& document) const;
};

}  // namespace weft::cli
