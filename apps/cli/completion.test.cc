// The completion scripts in the shells they are for. bash is asked for answers; zsh and fish, where installed, whether
// they can read theirs.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include "run_captured.h"

namespace weft::cli {
namespace {

std::string shell_output(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string out;
  std::array<char, 4096> buffer{};
  while (pipe && std::fgets(buffer.data(), buffer.size(), pipe.get()) != nullptr) out += buffer.data();
  return out;
}

class Completion : public testing::Test {
 protected:
  ~Completion() override { std::filesystem::remove(path_); }

  std::string script(const std::string& shell) {
    std::ofstream(path_) << run_captured({"completion", shell}).out;
    return path_;
  }
  // What bash offers for the last of the words.
  std::string offered(const std::string& words) {
    return shell_output("bash -c 'source " + script("bash") + "; COMP_WORDS=(" + words +
                        "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _weft; echo ${COMPREPLY[@]}' 2>&1");
  }
  static bool installed(const std::string& shell) { return !shell_output("command -v " + shell).empty(); }

 private:
  std::string path_ = std::filesystem::temp_directory_path() / ("weft-completion-" + std::to_string(getpid()));
};

TEST_F(Completion, BashOffersCommandsOptionsAndChoices) {
  if (!installed("bash")) GTEST_SKIP() << "no bash here";
  EXPECT_EQ(offered("weft top"), "topo\n");
  EXPECT_EQ(offered("weft topo ma"), "matrix\n");
  EXPECT_EQ(offered("weft -q topo ma"), "matrix\n");
  EXPECT_EQ(offered("weft topo matrix --val"), "--values\n");
  EXPECT_EQ(offered("weft topo matrix x --values \"\""), "type bw latency\n");
  EXPECT_EQ(offered("weft completion \"\""), "bash zsh fish\n");
}

TEST_F(Completion, ZshAndFishCanReadTheirs) {
  for (const char* shell : {"zsh", "fish"}) {
    if (!installed(shell)) continue;
    EXPECT_EQ(shell_output(std::string(shell) + " -n " + script(shell) + " 2>&1"), "") << shell;
  }
}

}  // namespace
}  // namespace weft::cli
