#include <algorithm>

#include "parse.h"
#include "render.h"
#include "weft/base/printable.h"
#include "weft/report/text.h"

namespace weft::cli {
namespace {

constexpr int kWidth = 100;
constexpr int kNameColumn = 26;

class Help {
 public:
  explicit Help(bool colour) : colour_(colour) {}

  void heading(std::string_view text) {
    out_ += '\n';
    out_ += colour_ ? "\x1b[1m" + std::string(text) + "\x1b[0m\n" : std::string(text) + '\n';
  }
  void paragraph(std::string_view text) {
    for (const std::string& line : report::wrap(text, kWidth)) out_ += line + '\n';
  }
  void entry(std::string_view name, std::string_view help) {
    const bool own_line = static_cast<int>(display_width(name)) > kNameColumn - 4;
    out_ += "  " + (own_line ? std::string(name) + '\n' : report::pad_right(name, kNameColumn - 2));
    bool first = !own_line;
    for (const std::string& line : report::wrap(help, kWidth - kNameColumn)) {
      out_ += (first ? "" : std::string(kNameColumn, ' ')) + line + '\n';
      first = false;
    }
  }
  void line(std::string_view text) { out_ += std::string(text) + '\n'; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  bool colour_;
  std::string out_;
};

}  // namespace

std::string usage_line(const std::vector<const Command*>& path) {
  std::string text = "weft";
  if (path.size() > 1) text += ' ' + path_text(path);
  const Command& command = *path.back();
  if (!command.subcommands.empty()) return text + " COMMAND [options]";
  for (const Positional& positional : command.positionals) {
    std::string name(positional.name);
    if (positional.repeatable) name += "...";
    text += positional.optional ? " [" + name + ']' : ' ' + name;
  }
  for (const Option& option : command.options) {
    if (option.required) text += ' ' + std::string(option.name) + ' ' + std::string(option.value);
  }
  return text + " [options]";
}

std::string option_text(const Option& option) {
  std::string text = option.short_name.empty() ? "" : std::string(option.short_name) + ", ";
  text += option.name;
  if (option.type != ValueType::flag) text += ' ' + std::string(option.value);
  return text;
}

namespace {
std::string choices_text(const std::vector<std::string_view>& choices) {
  std::string list;
  for (const std::string_view choice : choices) list += (list.empty() ? "" : ", ") + std::string(choice);
  return list;
}
}  // namespace

std::string option_help(const Option& option) {
  std::string text(option.help);
  if (!option.choices.empty()) text += ": " + choices_text(option.choices);
  if (option.repeatable) text += " (may be repeated)";
  if (!option.default_text.empty()) text += " (default " + std::string(option.default_text) + ')';
  return text;
}

std::string positional_help(const Positional& positional) {
  std::string text(positional.help);
  if (!positional.choices.empty()) text += ": " + choices_text(positional.choices);
  return text;
}

std::vector<std::string_view> paragraphs(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return parts;
}

std::vector<std::string_view> option_groups(const Command& command) {
  std::vector<std::string_view> groups;
  for (const Option& option : command.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  return groups;
}

std::string help_text(const std::vector<const Command*>& path, bool colour) {
  const Command& command = *path.back();
  Help help(colour);
  help.paragraph(path.size() == 1 ? "weft: " + std::string(command.summary)
                                  : "weft " + path_text(path) + ": " + std::string(command.summary));
  help.heading("Usage");
  help.line("  " + usage_line(path));
  if (!command.subcommands.empty()) {
    help.heading("Commands");
    for (const Command& sub : command.subcommands) help.entry(sub.name, sub.summary);
  }
  if (!command.positionals.empty()) {
    help.heading("Arguments");
    for (const Positional& positional : command.positionals) help.entry(positional.name, positional_help(positional));
  }
  for (const std::string_view group : option_groups(command)) {
    help.heading(group.empty() ? "Options" : group);
    for (const Option& option : command.options) {
      if (option.group == group) help.entry(option_text(option), option_help(option));
    }
  }
  help.heading("Everywhere");
  for (const Option& option : global_options()) help.entry(option_text(option), option_help(option));
  for (const std::string_view paragraph : paragraphs(command.description)) {
    help.line("");
    help.paragraph(paragraph);
  }
  if (!command.examples.empty()) {
    help.heading("Examples");
    for (const Example& example : command.examples) {
      help.line("  weft " + std::string(example.arguments));
      help.line("      " + std::string(example.what));
    }
  }
  return help.take();
}

}  // namespace weft::cli
