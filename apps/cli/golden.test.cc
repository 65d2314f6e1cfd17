// Transcripts under tests/golden/*.txt: a line "$ weft ..." is run, what follows up to the next one is what it must say
// (stdout and stderr as a terminal would show them, then "[exit N]" when N is not 0). Lines that start with '#' before
// the first command are comment. WEFT_UPDATE_GOLDEN=1 writes the files anew instead (dev/update_golden).
//
// The working directory is the root of the tree, so transcripts may name files of the tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "commands.h"
#include "render.h"
#include "run.h"

namespace weft::cli {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool updating() { return std::getenv("WEFT_UPDATE_GOLDEN") != nullptr; }

// Words as a shell would split them: spaces, double and single quotes. "< FILE" at the end gives stdin.
struct Line {
  std::vector<std::string> args;
  std::string input;
};

Line split(const std::string& text) {
  Line line;
  std::string word;
  char quote = 0;
  bool in_word = false;
  const auto flush = [&] {
    if (in_word) line.args.push_back(std::move(word));
    word.clear();
    in_word = false;
  };
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ') {
      flush();
    } else {
      word += c;
      in_word = true;
    }
  }
  flush();
  if (line.args.size() >= 2 && line.args[line.args.size() - 2] == "<") {
    line.input = read_file(line.args.back());
    line.args.resize(line.args.size() - 2);
  }
  return line;
}

std::string replay(const std::string& transcript) {
  std::string out;
  bool started = false;
  std::istringstream lines(transcript);
  for (std::string text; std::getline(lines, text);) {
    const bool command = text.starts_with("$ weft");
    if (!command && !started) out += text + '\n';
    if (!command) continue;
    started = true;
    Line line = split(text.substr(6));
    std::istringstream in(line.input);
    std::ostringstream terminal;
    const int status = run(std::move(line.args), in, terminal, terminal);
    out += text + '\n' + terminal.str();
    if (status != 0) out += "[exit " + std::to_string(status) + "]\n";
  }
  return out;
}

void expect_same(const std::filesystem::path& path, const std::string& now) {
  const std::string before = read_file(path);
  if (updating() && before != now) {
    std::ofstream(path, std::ios::binary) << now;
    return;
  }
  EXPECT_EQ(before, now) << path
                         << " is out of date: look at the difference, and if it is meant, run dev/update_golden";
}

TEST(Golden, TranscriptsSayTheSame) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator("tests/golden")) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  ASSERT_FALSE(files.empty());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const std::string transcript = read_file(file);
    EXPECT_NE(transcript.find("$ weft"), std::string::npos) << file << " runs nothing";
    expect_same(file, replay(transcript));
  }
}

TEST(Golden, ReferencePageIsWhatTheTableSays) {
  expect_same("docs/reference/cli.md", reference_markdown(root_command()));
}

}  // namespace
}  // namespace weft::cli
