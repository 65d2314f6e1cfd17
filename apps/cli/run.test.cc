#include "run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "parse.h"
#include "render.h"
#include "run_captured.h"
#include "weft/base/printable.h"

namespace weft::cli {
namespace {

// Every command of the tree with its path.
std::vector<std::vector<const Command*>> all_paths() {
  std::vector<std::vector<const Command*>> paths{{&root_command()}};
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::vector<const Command*> path = paths[i];
    for (const Command& sub : path.back()->subcommands) {
      paths.push_back(path);
      paths.back().push_back(&sub);
    }
  }
  return paths;
}

std::vector<std::string> words(const std::vector<const Command*>& path) {
  std::vector<std::string> out;
  for (std::size_t i = 1; i < path.size(); ++i) out.emplace_back(path[i]->name);
  return out;
}

TEST(Run, VersionAndHelpGoToStdout) {
  const Captured version = run_captured({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("weft ")) << version.out;
  const Captured help = run_captured({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_EQ(run_captured({"help"}).out, help.out);
}

TEST(Run, NothingAskedIsAUsageErrorThatShowsHelp) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{}, {"topo"}, {"catalog", "--json"}}) {
    const Captured result = run_captured(args);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find("Commands\n"), std::string::npos);
  }
}

TEST(Run, HelpAtEveryLevelNamesItsOptionsAndFitsTheTerminal) {
  for (const auto& path : all_paths()) {
    std::vector<std::string> args = words(path);
    args.emplace_back("--help");
    const Captured result = run_captured(args);
    EXPECT_EQ(result.status, 0);
    for (const Option& option : path.back()->options) {
      EXPECT_NE(result.out.find(option_text(option)), std::string::npos) << option.name;
    }
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(display_width(line), 100U) << line;
    std::vector<std::string> by_help = words(path);
    by_help.insert(by_help.begin(), "help");
    EXPECT_EQ(run_captured(by_help).out, result.out) << path_text(path);
  }
}

TEST(Run, EveryEntryOfTheTableIsDescribed) {
  for (const auto& path : all_paths()) {
    const Command& command = *path.back();
    EXPECT_FALSE(command.summary.empty()) << command.name;
    EXPECT_NE(command.subcommands.empty(), command.run == nullptr) << "either subcommands or a run: " << command.name;
    for (const Positional& positional : command.positionals) EXPECT_FALSE(positional.help.empty()) << positional.name;
    for (const Option& option : command.options) {
      EXPECT_FALSE(option.help.empty()) << option.name;
      EXPECT_TRUE(option.name.starts_with("--")) << option.name;
      EXPECT_EQ(option.type != ValueType::flag, !option.value.empty()) << option.name;
    }
  }
}

TEST(Run, ExamplesOfTheTableParse) {
  for (const auto& path : all_paths()) {
    for (const Example& example : path.back()->examples) {
      std::string text(example.arguments);
      text = text.substr(0, std::min(text.find(" | "), text.find(" > ")));
      std::vector<std::string> args(1);
      bool in_quotes = false;
      for (const char c : text) {
        if (c == '"') {
          in_quotes = !in_quotes;
        } else if (c == ' ' && !in_quotes) {
          args.emplace_back();
        } else {
          args.back() += c;
        }
      }
      const auto parsed = parse(root_command(), args);
      EXPECT_TRUE(parsed.has_value()) << example.arguments << ": " << parsed.error().to_string();
    }
  }
}

struct Mistake {
  std::vector<std::string> args;
  int status;
  std::string says;
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreOneClearMessageAndTheRightStatus) {
  const Captured result = run_captured(GetParam().args);
  EXPECT_EQ(result.status, GetParam().status);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(result.err.starts_with("weft: error WEFT-CLI-")) << result.err;
  EXPECT_NE(result.err.find(GetParam().says), std::string::npos) << result.err;
}

INSTANTIATE_TEST_SUITE_P(
    Usage, Mistakes,
    testing::Values(Mistake{{"catalgo"}, 2, "hint: did you mean weft catalog?"},
                    Mistake{{"catalog", "lst"}, 2, "hint: did you mean weft catalog list?"},
                    Mistake{{"matrix", "hgx-h100-8"}, 2, "hint: did you mean weft topo matrix?"},
                    Mistake{{"frobnicate"}, 2, "hint: see weft --help"},
                    Mistake{{"frobnicate", "topo"}, 2, "there is no command \"frobnicate\""},
                    Mistake{{"topo", "show", "x", "--svgg", "y"}, 2, "hint: did you mean --svg?"},
                    Mistake{{"topo", "show", "x", "--json=3"}, 2, "--json takes no value"},
                    Mistake{{"--jsno"}, 2, "hint: did you mean --json?"},
                    Mistake{{"topo", "show"}, 2, "weft topo show needs CLUSTER"},
                    Mistake{{"topo", "show", "a", "b"}, 2, "\"b\" is one argument too many"},
                    Mistake{{"topo", "show", "a", "--svg"}, 2, "--svg needs a value"},
                    Mistake{{"topo", "show", "a", "--svg", "--json"}, 2, "--svg needs a value (FILE), found --json"},
                    Mistake{{"topo", "show", "a", "--svg", "x", "--svg", "y"}, 2, "--svg was given 2 times"},
                    Mistake{{"topo", "matrix", "a", "--values", "bandwith"}, 2, "expected: one of type, bw, latency"},
                    Mistake{{"topo", "matrix", "a", "--server", "one"}, 2, "--server: \"one\" is not a whole number"},
                    Mistake{{"topo", "matrix", "a", "--server", "-1"}, 2, "expected: a whole number, at least 0"},
                    Mistake{{"topo", "matrix", "a", "--server", "99999999999999999999"}, 2, "is not a whole number"},
                    Mistake{{"help", "tpoo"}, 2, "hint: did you mean topo?"},
                    Mistake{{"completion", "tcsh"}, 2, "expected: one of bash, zsh, fish"},
                    Mistake{{""}, 2, "there is no command \"\""}));

TEST(Run, AnnouncedCommandsSayThatTheyAreNotBuilt) {
  ASSERT_FALSE(planned_commands().empty());
  const std::string help = run_captured({"--help"}).out;
  for (const PlannedCommand& planned : planned_commands()) {
    const std::string name(planned.name);
    for (const std::vector<std::string>& args :
         {std::vector<std::string>{name}, {name, "--help"}, {name, "topo", "--whatever", "3"}}) {
      const Captured result = run_captured(args);
      EXPECT_EQ(result.status, 4) << name;
      EXPECT_NE(result.err.find("not built yet"), std::string::npos) << result.err;
    }
    EXPECT_EQ(help.find("\n  " + name + ' '), std::string::npos) << name << " is listed in help";
    for (const Command& command : root_command().subcommands) EXPECT_NE(command.name, planned.name);
  }
}

TEST(Run, AMistypedWordCannotDriveTheTerminal) {
  const Captured result = run_captured({"\x1b]0;owned\x07"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err.find('\x1b'), std::string::npos);
  EXPECT_NE(result.err.find(" ]0;owned "), std::string::npos) << result.err;
}

TEST(Run, ThousandsOfArgumentsAreNoTrouble) {
  const std::vector<std::string> args(20'000, "x");
  EXPECT_EQ(run_captured(args).status, 2);
  EXPECT_EQ(run_captured({"help", std::string(1'000'000, 'y')}).status, 2);
}

TEST(Run, AResultThatCannotBeWrittenIsSaid) {
  struct Full : std::streambuf {
    int overflow(int) override { return traits_type::eof(); }
  } full;
  std::ostream out(&full);
  std::istringstream in;
  std::ostringstream err;
  EXPECT_EQ(run({"--help"}, in, out, err), 3);
  EXPECT_NE(err.str().find("could not be written"), std::string::npos) << err.str();
}

TEST(Render, JsonManualHoldsTheWholeTree) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"help", "--json"}, {"help", "--format", "json"}}) {
    const auto document = nlohmann::json::parse(run_captured(args).out);
    EXPECT_EQ(document["schema"], "weft/help/1");
    EXPECT_EQ(document["command"]["commands"].size(), root_command().subcommands.size());
  }
}

TEST(Render, ManualPageHasNoStrayControlLines) {
  const std::string page = run_captured({"help", "--format", "man"}).out;
  EXPECT_TRUE(page.starts_with(".TH WEFT 1"));
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('.')) continue;
    const std::string macro = line.substr(0, line.find(' '));
    EXPECT_TRUE(macro == ".TH" || macro == ".SH" || macro == ".SS" || macro == ".TP" || macro == ".PP" ||
                macro == ".B" || macro == ".I")
        << line;
  }
}

TEST(Render, CompletionNamesEveryCommandAndOption) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = run_captured({"completion", shell}).out;
    for (const auto& path : all_paths()) {
      if (path.size() > 1) {
        EXPECT_NE(script.find(path_text(path)), std::string::npos) << shell << ' ' << path_text(path);
      }
      for (const Option& option : path.back()->options) {
        const std::string name(shell == "fish" ? "-l " + std::string(option.name.substr(2)) : std::string(option.name));
        EXPECT_NE(script.find(name), std::string::npos) << shell << ' ' << option.name;
      }
    }
  }
}

}  // namespace
}  // namespace weft::cli
