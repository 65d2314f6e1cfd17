#include "weft/validate/score.h"

#include <gtest/gtest.h>

#include <set>

#include "measured.test.h"

namespace weft::validate {
namespace {

const catalog::Calibration& calibration() {
  static const catalog::Calibration builtin = *catalog::Calibration::builtin();
  return builtin;
}

bool healthy(const FileScore& score) { return score.healthy(); }

TEST(Quantile, InterpolatesBetweenNeighbours) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({1, 2, 3, 4}, 0.5), 2.5);
  EXPECT_EQ(quantile({0, 10}, 0.9), 9);
  EXPECT_FALSE(quantile({}, 0.5));
}

TEST(Score, ErrorsAreAgainstTheMeasuredTime) {
  const std::vector<intake::Measurement> tables = {made(calibration(), {}), made(calibration(), {}, 2.0)};
  const std::vector<FileScore> scores = score_all(calibration(), tables);
  EXPECT_NEAR(*scores[0].median, 0, 1e-4);
  EXPECT_NEAR(*scores[1].median, 0.5, 1e-4);  // half of what was measured
  EXPECT_NEAR(scores[1].rows.front().error, -0.5, 1e-4);
  EXPECT_NEAR(*scores[1].median_large, 0.5, 1e-4);
  EXPECT_EQ(scores[0].group, "nvlink4/all_reduce");
  EXPECT_EQ(scores[0].dominant_line.substr(0, 24), "nvlink4.all_reduce_nvls.");
  const Summary summary = summarise(scores, healthy);
  EXPECT_EQ(summary.files, 2);
  EXPECT_NEAR(*summary.median, 0.25, 1e-4);
  EXPECT_NEAR(*summary.p90, 0.45, 1e-4);
}

// Each table by the kernels of the engine that it names, at its version.
TEST(Score, KernelsAreThoseOfTheEngineThatIsNamed) {
  const std::vector<intake::Measurement> tables = {
      made(calibration(), {.more = "# kernel: vllm-0.24.0\n"}),
      made(calibration(), {.more = "# kernel: sglang-0.5.14\n"}),
      made(calibration(), {.more = "# kernel: vllm-0.24.0\n# algorithm: one_shot\n"})};
  const std::vector<FileScore> scores = score_all(calibration(), tables);
  const auto lines = [&](std::size_t file) {
    std::set<std::string> found;
    for (const RowScore& row : scores[file].rows) found.insert(row.predicted.line);
    return found;
  };
  EXPECT_EQ(scores[0].group, "nvlink4/vllm");
  EXPECT_EQ(scores[1].group, "nvlink4/sglang");
  EXPECT_TRUE(lines(0).contains("serving-kernels.nvlink4.multimem"));
  EXPECT_TRUE(lines(1).contains("serving-kernels.nvlink4.push_two_shot"));
  EXPECT_EQ(lines(2), std::set<std::string>{"serving-kernels.nvlink4.peer_one_shot"});
  EXPECT_EQ(noise_floor(scores).pairs, 0);  // two engines' kernels are not the same set-up
}

TEST(Score, SaysWhichKernelsAreUnknown) {
  intake::MeasurementJoiner joiner(parts());
  const std::vector<intake::Measurement> tables = {joiner.join(*formats::read_measured_table(
      {"odd.tsv",
       "# server: hgx-h100-8\n# servers: 1\n# gpus_per_server: 8\n# library: nccl-2.27.3\n# kernel: deepspeed-1\n"
       "# collective: all_reduce\n# healthy: yes\nsize_bytes\ttime_us\n8\t10\n"}))};
  EXPECT_EQ(score_all(calibration(), tables)[0].why_not, "the kernels of \"deepspeed-1\" are unknown");
  EXPECT_EQ(engine_of(tables[0]).error().to_string(),
            "error WEFT-VAL-0002: the kernels of \"deepspeed-1\" are unknown\n  expected: vllm, sglang or trtllm and a "
            "version, such as vllm-0.24.0\n");
}

TEST(Score, SkipsWhatCannotBeAssumed) {
  intake::MeasurementJoiner joiner(parts());
  const std::vector<intake::Measurement> tables = {joiner.join(*formats::read_measured_table(
      {"odd.tsv", "# server: unknown\n# collective: all_reduce\nsize_bytes\ttime_us\n8\t10\n"}))};
  const std::vector<FileScore> scores = score_all(calibration(), tables);
  EXPECT_EQ(scores[0].why_not, "the server is unknown");
  EXPECT_FALSE(scores[0].median);
  EXPECT_EQ(summarise(scores, healthy).files, 0);
}

TEST(NoiseFloor, IsTheDifferenceOfFilesThatDescribeTheSame) {
  const std::vector<intake::Measurement> tables = {made(calibration(), {}), made(calibration(), {}, 1.1),
                                                   made(calibration(), {.gpus = 4}, 3.0)};
  const NoiseFloor floor = noise_floor(score_all(calibration(), tables));
  EXPECT_EQ(floor.pairs, 1);
  EXPECT_NEAR(*floor.all, 0.1, 1e-4);
  EXPECT_NEAR(*floor.large, 0.1, 1e-4);
}

}  // namespace
}  // namespace weft::validate
