#include <ostream>

#include "args.h"
#include "commands.h"
#include "context.h"
#include "render.h"

namespace weft::cli {
namespace {

Result<int> run_completion(const Args& args, Context& context) {
  const std::string shell = args.text("SHELL");
  if (shell == "bash") {
    context.out << bash_completion(root_command());
  } else if (shell == "zsh") {
    context.out << zsh_completion(root_command());
  } else {
    context.out << fish_completion(root_command());
  }
  return 0;
}

}  // namespace

const Command& completion_command() {
  static const Command command{
      .name = "completion",
      .summary = "completion of commands, options and names for a shell",
      .description = "An installed weft has brought these files to their places already.",
      .positionals = {{.name = "SHELL", .help = "which shell", .choices = {"bash", "zsh", "fish"}}},
      .examples = {{.arguments = "completion bash > ~/.local/share/bash-completion/completions/weft",
                    .what = "for bash"},
                   {.arguments = "completion zsh > ~/.zfunc/_weft", .what = "for zsh, with ~/.zfunc in fpath"},
                   {.arguments = "completion fish > ~/.config/fish/completions/weft.fish", .what = "for fish"}},
      .run = run_completion,
  };
  return command;
}

}  // namespace weft::cli
