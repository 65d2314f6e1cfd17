#include "weft/validate/score.h"

#include <gtest/gtest.h>

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
