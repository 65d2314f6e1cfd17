// The command table as text: terminal help, the reference page, the manual page, JSON, and shell completion.
#pragma once

#include <string>
#include <vector>

#include "command.h"

namespace weft::cli {

// Help for the last command of the path, at most 100 columns.
[[nodiscard]] std::string help_text(const std::vector<const Command*>& path, bool colour);

// The whole tree.
[[nodiscard]] std::string reference_markdown(const Command& root);
[[nodiscard]] std::string manual_page(const Command& root);
[[nodiscard]] std::string help_json(const Command& root);

[[nodiscard]] std::string bash_completion(const Command& root);
[[nodiscard]] std::string zsh_completion(const Command& root);
[[nodiscard]] std::string fish_completion(const Command& root);

// Shared by the renderers.
[[nodiscard]] std::string usage_line(
    const std::vector<const Command*>& path);                 // "weft topo path CLUSTER FROM TO [options]"
[[nodiscard]] std::string option_text(const Option& option);  // "-o, --out FILE"
[[nodiscard]] std::string option_help(const Option& option);  // help, choices and default in one sentence
[[nodiscard]] std::string positional_help(const Positional& positional);
[[nodiscard]] std::vector<std::string_view> paragraphs(std::string_view text);
// Groups of a command's options in order of first appearance; "" reads "Options".
[[nodiscard]] std::vector<std::string_view> option_groups(const Command& command);

}  // namespace weft::cli
