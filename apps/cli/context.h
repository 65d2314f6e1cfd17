// What every command gets beside its arguments: the streams, how the user wants the answer, and the catalog, read at
// first use so that commands without it start at once.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
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
  int width = 100;  // of text; a terminal's own

  [[nodiscard]] report::TextStyle style() const { return {.width = width, .colour = colour}; }

  // The catalog compiled in, made at first use.
  Result<const catalog::Catalog*> catalog();

  // One line a thing that was assumed, on stderr; silent with --json (the document carries them) and with -q.
  void say_assumed(std::span<const std::string> assumed) const;
  // The same for what a reader noticed: "note: …".
  void say_notes(std::span<const std::string> notes) const;
  void write_json(const nlohmann::ordered_json& document) const;

 private:
  std::optional<catalog::Catalog> catalog_;
};

}  // namespace weft::cli
