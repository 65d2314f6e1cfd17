#include <algorithm>
#include <ostream>

#include "args.h"
#include "commands.h"
#include "context.h"
#include "parse.h"
#include "render.h"
#include "weft/base/printable.h"
#include "weft/base/suggest.h"

namespace weft::cli {
namespace {

Result<std::vector<const Command*>> find_path(std::span<const std::string> words) {
  std::vector<const Command*> path{&root_command()};
  for (const std::string& word : words) {
    std::vector<std::string> names;
    const Command* next = nullptr;
    for (const Command& sub : path.back()->subcommands) {
      names.emplace_back(sub.name);
      if (sub.name == word) next = &sub;
    }
    if (next == nullptr) {
      return fail(usage_error("WEFT-CLI-0016", "there is no command " + in_quotes(word) + " to explain")
                      .with_hint(did_you_mean(word, names)));
    }
    path.push_back(next);
  }
  return path;
}

Result<int> run_help(const Args& args, Context& context) {
  auto path = find_path(args.list("COMMAND"));
  if (!path) return fail(std::move(path.error()));
  const std::string format = context.json ? "json" : args.text("--format");
  if (format == "text") {
    context.out << help_text(*path, context.colour);
  } else if (format == "md") {
    context.out << reference_markdown(root_command());
  } else if (format == "man") {
    context.out << manual_page(root_command());
  } else {
    context.out << help_json(root_command());
  }
  return 0;
}

}  // namespace

const Command& help_command() {
  static const Command command{
      .name = "help",
      .summary = "what a command does, or all of them as a manual",
      .description = "md, man and json are always the whole manual.",
      .positionals =
          {{.name = "COMMAND", .help = "as in \"weft help topo path\"", .optional = true, .repeatable = true}},
      .options = {{.name = "--format",
                   .value = "FORMAT",
                   .default_text = "text",
                   .choices = {"text", "md", "man", "json"},
                   .help = "how to write it"}},
      .examples = {{.arguments = "help topo path", .what = "one command"},
                   {.arguments = "help --format man | man -l -", .what = "the manual page"}},
      .run = run_help,
  };
  return command;
}

}  // namespace weft::cli
