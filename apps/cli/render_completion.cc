#include <algorithm>
#include <functional>

#include "parse.h"
#include "render.h"

namespace weft::cli {
namespace {

struct Entry {
  std::string path;  // "topo path"; "" = weft itself
  const Command* command;
};

void collect(const Command& command, const std::string& path, std::vector<Entry>& entries) {
  entries.push_back({path, &command});
  for (const Command& sub : command.subcommands) {
    collect(sub, (path.empty() ? "" : path + ' ') + std::string(sub.name), entries);
  }
}

std::vector<Entry> entries_of(const Command& root) {
  std::vector<Entry> entries;
  collect(root, "", entries);
  return entries;
}

// Between single quotes for a shell; the quote itself by `quote_escape`.
std::string quoted(std::string_view text, std::string_view quote_escape) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string(quote_escape) : std::string(1, c);
  return out + '\'';
}
constexpr std::string_view kPosixQuote = "'\\''";
constexpr std::string_view kFishQuote = "\\'";

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : std::string(between)) + word;
  return out;
}

std::string known_paths(const std::vector<Entry>& entries, std::string_view between) {
  std::vector<std::string> paths;
  for (const Entry& entry : entries) {
    if (!entry.path.empty()) paths.push_back(quoted(entry.path, kPosixQuote));
  }
  return joined(paths, between);
}

std::vector<Option> all_options(const Command& command) {
  std::vector<Option> options = command.options;
  options.insert(options.end(), global_options().begin(), global_options().end());
  return options;
}

std::string names_command(Offer offer) {
  constexpr std::string_view kList = "weft catalog list --names";
  switch (offer) {
    case Offer::clusters:
    case Offer::servers:
      return std::string(kList) + " --kind server 2>/dev/null";
    case Offer::models:
      return std::string(kList) + " --kind model 2>/dev/null";
    case Offer::parts:
      return std::string(kList) + " 2>/dev/null";
    case Offer::nothing:
    case Offer::files:
      break;
  }
  return "";
}
bool offers_files(Offer offer) { return offer == Offer::files || offer == Offer::clusters || offer == Offer::models; }

std::string choice_words(const std::vector<std::string_view>& choices) {
  return joined(std::vector<std::string>(choices.begin(), choices.end()), " ");
}

// Alternatives of a shell's case: every name of an option, behind its command's path.
std::string case_label(const Entry& entry, const Option& option) {
  std::string label = quoted(entry.path + '|' + std::string(option.name), kPosixQuote);
  if (!option.short_name.empty()) {
    label += '|' + quoted(entry.path + '|' + std::string(option.short_name), kPosixQuote);
  }
  return label;
}

// One body for every option that takes a value, one for every positional.
using Body = std::function<std::string(const std::vector<std::string_view>& choices, Offer offer)>;

std::string value_cases(const std::vector<Entry>& entries, const Body& body) {
  std::string out;
  for (const Entry& entry : entries) {
    for (const Option& option : entry.command->options) {
      if (option.type == ValueType::flag) continue;
      out += "    " + case_label(entry, option) + ") " + body(option.choices, option.offer) + " return ;;\n";
    }
  }
  return out;
}

std::string positional_bodies(const Command& command, const Body& body) {
  std::string out;
  std::vector<Offer> seen;
  for (const Positional& positional : command.positionals) {
    const bool again =
        positional.choices.empty() && std::find(seen.begin(), seen.end(), positional.offer) != seen.end();
    if (again) continue;
    seen.push_back(positional.offer);
    out += body(positional.choices, positional.offer);
  }
  return out;
}

// "name:description" for zsh; a colon in the name would end it.
std::string zsh_item(std::string_view name, std::string_view description) {
  return quoted(std::string(name) + ':' + std::string(description), kPosixQuote);
}

}  // namespace

std::string bash_completion(const Command& root) {
  const std::vector<Entry> entries = entries_of(root);
  const Body body = [](const auto& choices, Offer offer) {
    std::string out;
    if (!choices.empty()) out += "COMPREPLY+=($(compgen -W '" + choice_words(choices) + "' -- \"$cur\"));";
    if (const std::string names = names_command(offer); !names.empty()) {
      out += "COMPREPLY+=($(compgen -W \"$(" + names + ")\" -- \"$cur\"));";
    }
    if (offers_files(offer)) out += "compopt -o filenames; COMPREPLY+=($(compgen -f -- \"$cur\"));";
    return out;
  };
  std::string out =
      "# bash completion for weft, made by `weft completion bash`\n"
      "_weft() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} at='' i\n"
      "  COMPREPLY=()\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    [[ ${COMP_WORDS[i]} == -* ]] && continue\n"
      "    case \"${at:+$at }${COMP_WORDS[i]}\" in\n"
      "      " +
      known_paths(entries, "|") +
      ") at=\"${at:+$at }${COMP_WORDS[i]}\" ;;\n"
      "      *) break ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$at|$prev\" in\n" +
      value_cases(entries, body) +
      "  esac\n"
      "  if [[ $cur == -* ]]; then\n"
      "    case $at in\n";
  for (const Entry& entry : entries) {
    std::vector<std::string> names;
    for (const Option& option : all_options(*entry.command)) names.emplace_back(option.name);
    out += "      " + quoted(entry.path, kPosixQuote) + ") COMPREPLY=($(compgen -W '" + joined(names, " ") +
           "' -- \"$cur\")) ;;\n";
  }
  out += "    esac\n    return\n  fi\n  case $at in\n";
  for (const Entry& entry : entries) {
    std::vector<std::string> subs;
    for (const Command& sub : entry.command->subcommands) subs.emplace_back(sub.name);
    std::string line;
    if (!subs.empty()) line = "COMPREPLY=($(compgen -W '" + joined(subs, " ") + "' -- \"$cur\"));";
    line += positional_bodies(*entry.command, body);
    if (!line.empty()) out += "    " + quoted(entry.path, kPosixQuote) + ") " + line + " ;;\n";
  }
  return out + "  esac\n}\ncomplete -F _weft weft\n";
}

std::string zsh_completion(const Command& root) {
  const std::vector<Entry> entries = entries_of(root);
  const Body body = [](const auto& choices, Offer offer) {
    std::string out;
    if (!choices.empty()) out += "compadd -- " + choice_words(choices) + ";";
    if (const std::string names = names_command(offer); !names.empty()) {
      out += "compadd -- ${(f)\"$(" + names + ")\"};";
    }
    if (offers_files(offer)) out += "_files;";
    return out;
  };
  std::string out =
      "#compdef weft\n"
      "# zsh completion for weft, made by `weft completion zsh`\n"
      "_weft() {\n"
      "  local at='' i\n"
      "  local -a entries\n"
      "  for ((i = 2; i < CURRENT; i++)); do\n"
      "    [[ ${words[i]} == -* ]] && continue\n"
      "    case \"${at:+$at }${words[i]}\" in\n"
      "      " +
      known_paths(entries, "|") +
      ") at=\"${at:+$at }${words[i]}\" ;;\n"
      "      *) break ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$at|${words[CURRENT-1]}\" in\n" +
      value_cases(entries, body) +
      "  esac\n"
      "  if [[ ${words[CURRENT]} == -* ]]; then\n"
      "    case $at in\n";
  for (const Entry& entry : entries) {
    std::vector<std::string> items;
    for (const Option& option : all_options(*entry.command))
      items.push_back(zsh_item(option.name, option_help(option)));
    out += "      " + quoted(entry.path, kPosixQuote) + ") entries=(" + joined(items, " ") + ") ;;\n";
  }
  out += "    esac\n    _describe -o option entries\n    return\n  fi\n  case $at in\n";
  for (const Entry& entry : entries) {
    std::vector<std::string> items;
    for (const Command& sub : entry.command->subcommands) items.push_back(zsh_item(sub.name, sub.summary));
    std::string line;
    if (!items.empty()) line = "entries=(" + joined(items, " ") + "); _describe command entries;";
    line += positional_bodies(*entry.command, body);
    if (!line.empty()) out += "    " + quoted(entry.path, kPosixQuote) + ") " + line + " ;;\n";
  }
  out += "  esac\n}\n";
  return out + "if [[ ${funcstack[1]} == _weft ]]; then _weft \"$@\"; else compdef _weft weft; fi\n";
}

std::string fish_completion(const Command& root) {
  const std::vector<Entry> entries = entries_of(root);
  std::string out =
      "# fish completion for weft, made by `weft completion fish`\n"
      "function __weft_at\n"
      "  set -l at\n"
      "  for word in (commandline -opc)[2..-1]\n"
      "    string match -q -- '-*' $word; and continue\n"
      "    set -l next $at $word\n"
      "    contains -- \"$next\" " +
      known_paths(entries, " ") +
      "; or break\n"
      "    set at $next\n"
      "  end\n"
      "  test \"$at\" = \"$argv\"\n"
      "end\n"
      "complete -c weft -f\n";
  const auto value_of = [](const auto& choices, Offer offer) {
    std::string text;
    if (!choices.empty()) text += " -a " + quoted(choice_words(choices), kFishQuote);
    if (const std::string names = names_command(offer); !names.empty()) {
      text += " -a " + quoted('(' + names + ')', kFishQuote);
    }
    if (offers_files(offer)) text += " -F";
    return text;
  };
  for (const Entry& entry : entries) {
    const std::string head = "complete -c weft -n " + quoted("__weft_at " + entry.path, kFishQuote);
    for (const Command& sub : entry.command->subcommands) {
      out += head + " -a " + std::string(sub.name) + " -d " + quoted(sub.summary, kFishQuote) + '\n';
    }
    for (const Option& option : all_options(*entry.command)) {
      out += head + " -l " + std::string(option.name.substr(2));
      if (!option.short_name.empty()) out += " -s " + std::string(option.short_name.substr(1));
      if (option.type != ValueType::flag) {
        // -x: nothing but these; -r: a value, files included.
        out += (offers_files(option.offer) ? " -r" : " -x") + value_of(option.choices, option.offer);
      }
      out += " -d " + quoted(option_help(option), kFishQuote) + '\n';
    }
    for (const Positional& positional : entry.command->positionals) {
      const std::string value = value_of(positional.choices, positional.offer);
      if (!value.empty()) out += head + value + '\n';
    }
  }
  return out;
}

}  // namespace weft::cli
