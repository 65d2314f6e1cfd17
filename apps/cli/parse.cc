#include "parse.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <memory>

#include "commands.h"
#include "render.h"
#include "weft/base/printable.h"
#include "weft/base/suggest.h"

namespace weft::cli {
namespace {

constexpr int kMostRepeats = 10'000;

// One command's place in the parser.
struct Level {
  const Command* command = nullptr;
  CLI::App* app = nullptr;
  std::vector<std::unique_ptr<Level>> children;
};

std::string flag_names(const Option& option) {
  const std::string name(option.name);
  return option.short_name.empty() ? name : std::string(option.short_name) + ',' + name;
}

void add_option(CLI::App& app, const Option& option) {
  if (option.type == ValueType::flag) {
    app.add_flag(flag_names(option))->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->disable_flag_override();
  } else {
    app.add_option(flag_names(option))->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
}

// Nothing is marked as required and extras are allowed: what is missing or too much is judged below, in one order.
std::unique_ptr<Level> build(const Command& command, CLI::App& app) {
  auto level = std::make_unique<Level>();
  level->command = &command;
  level->app = &app;
  app.set_help_flag();
  app.allow_extras();
  app.require_subcommand(0, 1);
  for (const Option& option : global_options()) add_option(app, option);
  for (const Option& option : command.options) add_option(app, option);
  for (const Positional& positional : command.positionals) {
    auto* entry = app.add_option(std::string(positional.name));
    entry->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    if (positional.repeatable) entry->expected(1, kMostRepeats)->allow_extra_args();
  }
  for (const Command& sub : command.subcommands) {
    level->children.push_back(build(sub, *app.add_subcommand(std::string(sub.name))));
  }
  return level;
}

std::vector<const Level*> chosen_path(const Level& root) {
  std::vector<const Level*> path{&root};
  while (true) {
    const auto& children = path.back()->children;
    const auto next = std::find_if(children.begin(), children.end(), [](const auto& c) { return c->app->parsed(); });
    if (next == children.end()) return path;
    path.push_back(next->get());
  }
}

std::vector<const Command*> commands_of(std::span<const Level* const> levels) {
  std::vector<const Command*> path;
  for (const Level* level : levels) path.push_back(level->command);
  return path;
}

std::string see_help(const std::vector<const Command*>& path) {
  const std::string name = path_text(path);
  return "see weft " + (name.empty() ? "" : name + ' ') + "--help";
}

void collect_paths(const Command& command, const std::string& prefix, std::vector<std::string>& names,
                   std::vector<std::string>& paths) {
  for (const Command& sub : command.subcommands) {
    names.emplace_back(sub.name);
    paths.push_back(prefix + std::string(sub.name));
    collect_paths(sub, paths.back() + ' ', names, paths);
  }
}

Error unknown_command(const std::vector<const Command*>& path, const std::string& typed) {
  const std::string group = path_text(path);
  std::vector<std::string> names;
  std::vector<std::string> paths;
  collect_paths(*path.back(), group.empty() ? "" : group + ' ', names, paths);
  if (path.size() == 1) {
    for (const PlannedCommand& planned : planned_commands()) {
      if (typed != planned.name) continue;
      return unassessable_error("WEFT-CLI-0004",
                                "weft " + typed + " is not built yet (" + std::string(planned.summary) + ")");
    }
  }
  Error error =
      usage_error("WEFT-CLI-0001", "there is no command " + in_quotes((group.empty() ? "" : group + ' ') + typed));
  const std::string near = nearest(typed, names);
  if (near.empty()) return std::move(error).with_hint(see_help(path));
  const auto at = std::find(names.begin(), names.end(), near) - names.begin();
  return std::move(error).with_hint("did you mean weft " + paths[static_cast<std::size_t>(at)] + '?');
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names;
  for (const Option& option : command.options) names.emplace_back(option.name);
  for (const Option& option : global_options()) names.emplace_back(option.name);
  return names;
}

Error unknown_option(const std::vector<const Command*>& path, const std::string& typed) {
  const std::string name = typed.substr(0, typed.find('='));
  std::string hint = did_you_mean(name, option_names(*path.back()));
  if (hint.empty()) hint = see_help(path);
  const std::string command = path_text(path);
  return usage_error("WEFT-CLI-0002",
                     "weft " + (command.empty() ? "" : command + ' ') + "has no option " + in_quotes(name))
      .with_hint(std::move(hint));
}

// What nobody took, from the outermost command inwards.
Result<void> check_extras(std::span<const Level* const> levels) {
  for (std::size_t depth = 0; depth < levels.size(); ++depth) {
    const std::vector<std::string> extras = levels[depth]->app->remaining(false);
    if (extras.empty()) continue;
    const auto path = commands_of(levels.first(depth + 1));
    const bool group = !levels[depth]->children.empty();
    const std::string& first = extras.front();
    if (group && !first.starts_with('-')) return fail(unknown_command(path, first));
    const auto option = std::find_if(extras.begin(), extras.end(), [](const auto& e) { return e.starts_with('-'); });
    if (option != extras.end()) return fail(unknown_option(path, *option));
    return fail(
        usage_error("WEFT-CLI-0003", "weft " + path_text(path) + ": " + in_quotes(first) + " is one argument too many")
            .with_hint(see_help(path)));
  }
  return {};
}

template <class Views>
Result<void> check_choice(const std::string& what, const std::string& value, const Views& choices) {
  if (choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end()) return {};
  std::string list;
  std::vector<std::string> names;
  for (const std::string_view choice : choices) {
    list += (list.empty() ? "" : ", ") + std::string(choice);
    names.emplace_back(choice);
  }
  return fail(usage_error("WEFT-CLI-0006", what + ": " + in_quotes(value) + " is not one of its values")
                  .with_expected("one of " + list)
                  .with_hint(did_you_mean(value, names)));
}

Result<void> check_integer(const Option& option, const std::string& value) {
  auto number = parse_integer(value);
  if (!number) return fail(std::move(number.error()));
  if (*number >= option.least && *number <= option.most) return {};
  const bool open = option.most == std::numeric_limits<std::int64_t>::max();
  const std::string range = open ? "at least " + std::to_string(option.least)
                                 : "from " + std::to_string(option.least) + " to " + std::to_string(option.most);
  return fail(usage_error("WEFT-CLI-0012", value + " is out of range").with_expected("a whole number, " + range));
}

Result<void> check_value(const Command& command, const Option& option, const std::string& value) {
  const std::string what(option.name);
  // "--svg --json": the parser gave it the next word, which the user meant as an option of its own.
  const std::vector<std::string> names = option_names(command);
  if (std::find(names.begin(), names.end(), value) != names.end()) {
    return fail(
        usage_error("WEFT-CLI-0005", what + " needs a value (" + std::string(option.value) + "), found " + value));
  }
  if (auto ok = check_choice(what, value, option.choices); !ok) return ok;
  if (option.type == ValueType::integer) {
    if (auto ok = check_integer(option, value); !ok) {
      ok.error().message = what + ": " + ok.error().message;
      return ok;
    }
  }
  if (option.type == ValueType::number) {
    if (auto number = parse_number(value); !number) {
      number.error().message = what + ": " + number.error().message;
      return fail(std::move(number.error()));
    }
  }
  return {};
}

Result<void> take_option(const Level& level, const Option& option, Args& args) {
  const std::vector<std::string> values = level.app->get_option(std::string(option.name))->results();
  if (values.size() > 1 && option.type != ValueType::flag && !option.repeatable) {
    return fail(usage_error("WEFT-CLI-0007", std::string(option.name) + " was given " + std::to_string(values.size()) +
                                                 " times, and takes one value"));
  }
  for (const std::string& value : values) {
    if (option.type != ValueType::flag) {
      if (auto ok = check_value(*level.command, option, value); !ok) return ok;
    }
    args.add(option.name, value);
  }
  return {};
}

Result<void> take_values(const Level& level, const std::vector<const Command*>& path, Args& args) {
  for (const Option& option : level.command->options) {
    if (auto ok = take_option(level, option, args); !ok) return ok;
  }
  for (const Positional& positional : level.command->positionals) {
    const auto values = level.app->get_option(std::string(positional.name))->results();
    if (values.empty() && !positional.optional) {
      return fail(usage_error("WEFT-CLI-0008", "weft " + path_text(path) + " needs " + std::string(positional.name))
                      .with_expected(positional_help(positional))
                      .with_hint(see_help(path)));
    }
    for (const std::string& value : values) {
      if (auto ok = check_choice(std::string(positional.name), value, positional.choices); !ok) return ok;
      args.add(positional.name, value);
    }
  }
  for (const Option& option : level.command->options) {
    if (!option.required || args.given(option.name)) continue;
    return fail(usage_error("WEFT-CLI-0009", "weft " + path_text(path) + " needs " + option_text(option))
                    .with_expected(option_help(option))
                    .with_hint(see_help(path)));
  }
  return {};
}

bool global_given(std::span<const Level* const> levels, std::string_view name) {
  return std::any_of(levels.begin(), levels.end(),
                     [&](const Level* level) { return level->app->count(std::string(name)) > 0; });
}

}  // namespace

const std::vector<Option>& global_options() {
  static const std::vector<Option> options = {
      {.name = "--json", .type = ValueType::flag, .help = "one JSON document on stdout instead of text"},
      {.name = "--no-color", .type = ValueType::flag, .help = "no colour, as with the environment variable NO_COLOR"},
      {.name = "--quiet", .short_name = "-q", .type = ValueType::flag, .help = "do not say on stderr what was assumed"},
      {.name = "--help", .short_name = "-h", .type = ValueType::flag, .help = "this text"},
      {.name = "--version", .type = ValueType::flag, .help = "weft's version"},
  };
  return options;
}

std::string path_text(const std::vector<const Command*>& path) {
  std::string text;
  for (std::size_t i = 1; i < path.size(); ++i) text += (i > 1 ? " " : "") + std::string(path[i]->name);
  return text;
}

Result<Parsed> parse(const Command& root, std::vector<std::string> args) {
  CLI::App app{"", std::string(root.name)};
  const std::unique_ptr<Level> tree = build(root, app);
  const std::string last = args.empty() ? "" : args.back();
  std::reverse(args.begin(), args.end());
  try {
    app.parse(args);
  } catch (const CLI::ArgumentMismatch&) {
    const std::size_t equals = last.find('=');
    if (equals != std::string::npos) {
      return fail(usage_error("WEFT-CLI-0013", last.substr(0, equals) + " takes no value"));
    }
    return fail(usage_error("WEFT-CLI-0005", last + " needs a value"));
  } catch (const CLI::Error& error) {
    return fail(usage_error("WEFT-CLI-0005", error.what()).with_hint("see weft --help"));
  }

  const std::vector<const Level*> levels = chosen_path(*tree);
  if (auto ok = check_extras(levels); !ok) return fail(std::move(ok.error()));
  Parsed parsed{.path = commands_of(levels), .args = Args(*levels.back()->command)};
  parsed.help = global_given(levels, "--help");
  parsed.version = global_given(levels, "--version");
  parsed.json = global_given(levels, "--json");
  parsed.no_color = global_given(levels, "--no-color");
  parsed.quiet = global_given(levels, "--quiet");
  if (parsed.help || parsed.version) return parsed;
  if (auto ok = take_values(*levels.back(), parsed.path, parsed.args); !ok) return fail(std::move(ok.error()));
  return parsed;
}

}  // namespace weft::cli
