// What a command is, as data: parsing, help, the manual page, the reference page and shell completion are all made
// from these tables, so they cannot disagree.
//
// A command either has subcommands or a run function. Texts are plain prose; `description` may have paragraphs, set
// apart by an empty line.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "weft/base/error.h"

namespace weft::cli {

class Args;
class Context;

enum class ValueType { flag, text, integer, number };

// What completion offers for a value.
enum class Offer { nothing, files, clusters, parts, servers, models };

struct Option {
  std::string_view name = {};        // "--cluster"
  std::string_view short_name = {};  // "-o"
  std::string_view value = {};       // what help calls its value: "FILE"; unused for flags
  ValueType type = ValueType::text;
  std::string_view default_text = {};  // the value when it is not given; "" = none
  std::vector<std::string_view> choices = {};
  std::int64_t least = std::numeric_limits<std::int64_t>::min();  // bounds of an integer
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  bool required = false;
  bool repeatable = false;
  Offer offer = Offer::nothing;
  std::string_view help = {};
  std::string_view group = {};  // heading in help; "" = "Options"
};

struct Positional {
  std::string_view name = {};  // "CLUSTER"
  std::string_view help = {};
  bool optional = false;
  bool repeatable = false;  // only the last one
  std::vector<std::string_view> choices = {};
  Offer offer = Offer::nothing;
};

struct Example {
  std::string_view arguments = {};  // after "weft "
  std::string_view what = {};
};

// Ok: the exit status, 0 or 1. Errors are printed by run().
using Run = Result<int> (*)(const Args&, Context&);

struct Command {
  std::string_view name = {};
  std::string_view summary = {};      // half a line, for lists
  std::string_view description = {};  // paragraphs
  std::vector<Positional> positionals = {};
  std::vector<Option> options = {};
  std::vector<Example> examples = {};
  std::vector<Command> subcommands = {};
  Run run = nullptr;
};

}  // namespace weft::cli
