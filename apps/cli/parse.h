// Command line -> command and checked values, by the table.
//
// Errors (all of kind usage): unknown command or option with a did-you-mean, a value missing, of the wrong type or not
// among the choices, a positional missing or too many, an option given twice that is not repeatable. A command that is
// announced but not built yet is an error of kind unassessable.
#pragma once

#include <string>
#include <vector>

#include "args.h"
#include "command.h"

namespace weft::cli {

// Options that every command takes.
[[nodiscard]] const std::vector<Option>& global_options();

struct Parsed {
  std::vector<const Command*> path;  // root first, down to the command
  Args args;
  bool help = false;
  bool version = false;
  bool json = false;
  bool no_color = false;
  bool quiet = false;
};

[[nodiscard]] Result<Parsed> parse(const Command& root, std::vector<std::string> args);

// "topo path" without the root's name.
[[nodiscard]] std::string path_text(const std::vector<const Command*>& path);

}  // namespace weft::cli
