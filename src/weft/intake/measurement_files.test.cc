#include "weft/intake/measurement_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace weft::intake {
namespace {

namespace fs = std::filesystem;

const catalog::Catalog& test_catalog() {
  static const Result<catalog::Catalog> catalog = catalog::Catalog::builtin();
  EXPECT_TRUE(catalog);
  return *catalog;
}

constexpr const char* kTable =
    "# server: hgx-h100-8\n# servers: 1\n# gpus_per_server: 8\n# collective: all_reduce\nsize_bytes\ttime_us\n8\t10\n";
constexpr const char* kLog =
    "# nThread 1 nGpus 2 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 5 iters: 20\n# Using devices\n"
    "#  Rank  0 Group  0 Pid  7 on box device  0 [0x01] NVIDIA L40S\n"
    "#  Rank  1 Group  0 Pid  7 on box device  1 [0x02] NVIDIA L40S\n"
    "./all_reduce_perf -g 2\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
    "           8             2     float     sum      -1    12.00    0.00    0.00      0\n";

class MeasurementFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("weft-measurements-" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "more");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static Result<MeasurementSet> read(const std::vector<std::string>& paths, const MeasurementOptions& options = {},
                                     const std::string& input = "") {
    std::istringstream in(input);
    return read_measurements(paths, test_catalog(), options, in);
  }

  fs::path folder_;
};

TEST_F(MeasurementFiles, AFolderIsWalkedInOrder) {
  write("b.log", kLog);
  write("more/a.tsv", kTable);
  write("README.md", "# About\n");
  write("empty.tsv", "");
  write(".hidden.tsv", kTable);
  write("c.tsv", "# servers: two\nsize_bytes\ttime_us\n8\t10\n");
  const Result<MeasurementSet> set = read({folder_.string()});
  ASSERT_TRUE(set) << set.error().to_string();
  ASSERT_EQ(set->measurements.size(), 2U);
  EXPECT_EQ(set->measurements[0].table.file, (folder_ / "b.log").string());
  EXPECT_TRUE(set->measurements[0].usable()) << set->measurements[0].why_not;
  EXPECT_EQ(set->measurements[0].table.server, "pcie-l40s");
  EXPECT_EQ(set->measurements[1].table.file, (folder_ / "more" / "a.tsv").string());
  EXPECT_EQ(set->passed_over.size(), 2U);
  ASSERT_EQ(set->unreadable.size(), 1U);
  EXPECT_EQ(set->unreadable[0].error.id, "WEFT-FMT-0906");
  EXPECT_EQ(set->unreadable[0].file, (folder_ / "c.tsv").string());
}

TEST_F(MeasurementFiles, ANamedFileMustBeOne) {
  const Result<MeasurementSet> set = read({write("README.md", "# About\n"), "-"}, {}, kTable);
  ASSERT_TRUE(set);
  ASSERT_EQ(set->unreadable.size(), 1U);
  EXPECT_EQ(set->unreadable[0].error.id, "WEFT-FMT-1001");
  ASSERT_EQ(set->measurements.size(), 1U);
  EXPECT_EQ(set->measurements[0].table.file, "-");
  const Result<MeasurementSet> missing = read({(folder_ / "none").string()});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().id, "WEFT-INT-0001");
}

TEST_F(MeasurementFiles, TheClusterIsTheUsers) {
  const Result<MeasurementSet> set = read({write("a.log", kLog)}, {"hgx-a100-8", ""});
  ASSERT_TRUE(set);
  EXPECT_EQ(set->measurements.at(0).shape.inside_link, "nvlink3");
  const Result<MeasurementSet> wrong = read({write("a.log", kLog)}, {"no-such-thing", ""});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().id, "WEFT-INT-0010");
}

}  // namespace
}  // namespace weft::intake
