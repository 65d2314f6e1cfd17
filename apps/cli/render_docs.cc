#include <nlohmann/json.hpp>

#include "parse.h"
#include "render.h"
#include "version.h"
#include "weft/report/json.h"

namespace weft::cli {
namespace {

template <class Visit>
void walk(std::vector<const Command*>& path, const Visit& visit) {
  visit(path);
  for (const Command& sub : path.back()->subcommands) {
    path.push_back(&sub);
    walk(path, visit);
    path.pop_back();
  }
}

std::string code(std::string_view text) { return '`' + std::string(text) + '`'; }

// A cell of a Markdown table: '|' would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

void markdown_options(const std::vector<Option>& options, std::string_view group, std::string& out) {
  for (const Option& option : options) {
    if (option.group == group) out += "| " + code(option_text(option)) + " | " + cell(option_help(option)) + " |\n";
  }
}

void markdown_command(const std::vector<const Command*>& path, std::string& out) {
  const Command& command = *path.back();
  out += "\n## weft " + path_text(path) + "\n\n" + std::string(command.summary) + ".\n\n";
  out += "```\n" + usage_line(path) + "\n```\n";
  for (const std::string_view paragraph : paragraphs(command.description)) out += '\n' + std::string(paragraph) + '\n';
  if (!command.subcommands.empty()) {
    out += "\n| command | answers |\n|---|---|\n";
    for (const Command& sub : command.subcommands) {
      out += "| " + code(sub.name) + " | " + cell(sub.summary) + " |\n";
    }
  }
  if (!command.positionals.empty()) {
    out += "\n| argument | meaning |\n|---|---|\n";
    for (const Positional& positional : command.positionals) {
      out += "| " + code(positional.name) + " | " + cell(positional_help(positional)) + " |\n";
    }
  }
  for (const std::string_view group : option_groups(command)) {
    out += "\n| " + std::string(group.empty() ? "option" : group) + " | meaning |\n|---|---|\n";
    markdown_options(command.options, group, out);
  }
  if (!command.examples.empty()) {
    out += "\n```\n";
    for (const Example& example : command.examples) {
      out += "# " + std::string(example.what) + "\nweft " + std::string(example.arguments) + '\n';
    }
    out += "```\n";
  }
}

// roff: a backslash, a hyphen that must stay one, and a line that starts with a control character.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (out.empty() || out.back() == '\n') {
      if (c == '.' || c == '\'') out += "\\&";
    }
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

void man_entries(const Command& command, std::string& out) {
  for (const Positional& positional : command.positionals) {
    out += ".TP\n.I " + roff(positional.name) + '\n' + roff(positional_help(positional)) + '\n';
  }
  for (const Option& option : command.options) {
    out += ".TP\n.B " + roff(option_text(option)) + '\n' + roff(option_help(option)) + '\n';
  }
}

nlohmann::ordered_json option_json(const Option& option) {
  nlohmann::ordered_json json = {{"name", option.name}};
  if (!option.short_name.empty()) json["short"] = option.short_name;
  constexpr std::string_view kTypes[] = {"flag", "text", "integer", "number"};
  json["type"] = kTypes[static_cast<int>(option.type)];
  if (option.type != ValueType::flag) json["value"] = option.value;
  if (!option.default_text.empty()) json["default"] = option.default_text;
  if (!option.choices.empty()) json["choices"] = option.choices;
  json["required"] = option.required;
  json["repeatable"] = option.repeatable;
  json["help"] = option.help;
  return json;
}

nlohmann::ordered_json command_json(const Command& command) {
  nlohmann::ordered_json json = {
      {"name", command.name}, {"summary", command.summary}, {"description", command.description}};
  json["positionals"] = nlohmann::ordered_json::array();
  for (const Positional& positional : command.positionals) {
    nlohmann::ordered_json entry = {{"name", positional.name}, {"help", positional.help}};
    if (!positional.choices.empty()) entry["choices"] = positional.choices;
    entry["required"] = !positional.optional;
    entry["repeatable"] = positional.repeatable;
    json["positionals"].push_back(std::move(entry));
  }
  json["options"] = nlohmann::ordered_json::array();
  for (const Option& option : command.options) json["options"].push_back(option_json(option));
  json["examples"] = nlohmann::ordered_json::array();
  for (const Example& example : command.examples) {
    json["examples"].push_back({{"command", "weft " + std::string(example.arguments)}, {"what", example.what}});
  }
  json["commands"] = nlohmann::ordered_json::array();
  for (const Command& sub : command.subcommands) json["commands"].push_back(command_json(sub));
  return json;
}

}  // namespace

std::string reference_markdown(const Command& root) {
  std::string out =
      "# The command line\n\nMade by `weft help --format md` from the table that parses the command line.\n";
  for (const std::string_view paragraph : paragraphs(root.description)) out += '\n' + std::string(paragraph) + '\n';
  out += "\n| command | answers |\n|---|---|\n";
  for (const Command& command : root.subcommands) {
    out += "| [" + code(std::string("weft ") + std::string(command.name)) + "](#weft-" + std::string(command.name) +
           ") | " + cell(command.summary) + " |\n";
  }
  out += "\n| everywhere | meaning |\n|---|---|\n";
  markdown_options(global_options(), "", out);
  std::vector<const Command*> path{&root};
  walk(path, [&](const std::vector<const Command*>& at) {
    if (at.size() > 1) markdown_command(at, out);
  });
  return out;
}

std::string manual_page(const Command& root) {
  std::string out = ".TH WEFT 1 \"\" \"weft " + std::string(version()) + "\" \"User Commands\"\n";
  out +=
      ".SH NAME\nweft \\- " + roff(root.summary) + "\n.SH SYNOPSIS\n.B weft\n.I COMMAND\n[options]\n.SH DESCRIPTION\n";
  for (const std::string_view paragraph : paragraphs(root.description)) out += ".PP\n" + roff(paragraph) + '\n';
  out += ".SH COMMANDS\n";
  std::vector<const Command*> path{&root};
  walk(path, [&](const std::vector<const Command*>& at) {
    if (at.size() == 1) return;
    const Command& command = *at.back();
    out += ".SS " + roff(usage_line(at)) + '\n' + roff(command.summary) + ".\n";
    for (const std::string_view paragraph : paragraphs(command.description)) out += ".PP\n" + roff(paragraph) + '\n';
    man_entries(command, out);
  });
  out += ".SH OPTIONS EVERYWHERE\n";
  for (const Option& option : global_options()) {
    out += ".TP\n.B " + roff(option_text(option)) + '\n' + roff(option_help(option)) + '\n';
  }
  out +=
      ".SH EXIT STATUS\n"
      ".TP\n0\nyes, or ok\n.TP\n1\nthe answer is no\n.TP\n2\nusage\n.TP\n3\nbad input\n.TP\n4\ncannot be assessed "
      "here, or "
      "not built yet\n.TP\n70\na bug of weft\n"
      ".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nwhen set and not empty: no colour\n.SH EXAMPLES\n";
  std::vector<const Command*> again{&root};
  walk(again, [&](const std::vector<const Command*>& at) {
    for (const Example& example : at.back()->examples) {
      out += ".TP\n.B weft " + roff(example.arguments) + '\n' + roff(example.what) + '\n';
    }
  });
  return out;
}

std::string help_json(const Command& root) {
  nlohmann::ordered_json document = {{"schema", "weft/help/1"}, {"version", version()}};
  document["everywhere"] = nlohmann::ordered_json::array();
  for (const Option& option : global_options()) document["everywhere"].push_back(option_json(option));
  document["command"] = command_json(root);
  return report::json_text(document);
}

}  // namespace weft::cli
