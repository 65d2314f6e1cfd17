// Input that is meant to hurt: far too large, or nested far too deep. Refused at once, with one clear message.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "args.h"
#include "run_captured.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("weft-bad-input-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  fs::path folder_;
};

TEST_F(BadInput, AFileOfAGigabyteIsRefusedByItsSize) {
  const std::string file = path("huge.xml");
  std::ofstream(file) << "<system version=\"1\">";
  fs::resize_file(file, std::uintmax_t{1} << 30U);  // sparse: it takes no room
  const Captured result = run_captured({"plan", "llama-3.1-8b", "--cluster", file});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "weft: error WEFT-INT-0003: " + file +
                            ": the file is larger than 64 MiB\n  hint: a topology, model or cluster file has a few kB "
                            "to a few MB; is this the right one?\n");
}

// As deep as the size limit lets a billion nested elements go.
TEST_F(BadInput, NestedElementsWithoutEndAreRefusedBeforeTheyFillMemory) {
  const std::string file = path("deep.xml");
  {
    std::ofstream out(file);
    out << "<system version=\"1\"><cpu numaid=\"0\">";
    for (int i = 0; i < 4'000'000; ++i) out << "<pci>";
  }
  const Captured result = run_captured({"topo", "show", file});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("error WEFT-FMT-"), std::string::npos);
  EXPECT_NE(result.err.find(":1:"), std::string::npos);
  EXPECT_LT(result.err.size(), 1000U);
}

TEST_F(BadInput, NestedListsInAModelsConfigAreRefused) {
  const std::string file = path("config.json");
  std::ofstream(file) << "{\"hidden_size\": " << std::string(1'000'000, '[') << "\n";
  const Captured result = run_captured({"plan", file, "--cluster", "hgx-h100-8"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("error WEFT-FMT-04"), std::string::npos);
  EXPECT_LT(result.err.size(), 1000U);
}

TEST(Numbers, AreWholeOrRefused) {
  EXPECT_EQ(parse_number("1.5").value(), 1.5);
  EXPECT_EQ(parse_number("1.5x").error().to_string(), "error WEFT-CLI-0011: \"1.5x\" is not a number\n");
}

// What cannot be written is said, and fails: "cannot be written" must not look like success in a script.
TEST(Output, ThatCannotBeWrittenIsAnError) {
  std::istringstream in;
  std::ostream out(nullptr);
  std::ostringstream err;
  EXPECT_EQ(run({"--version"}, in, out, err), 3);
  EXPECT_NE(err.str().find("WEFT-CLI-0015"), std::string::npos);
}

}  // namespace
}  // namespace weft::cli
