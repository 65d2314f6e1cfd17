#include "weft/validate/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "measured.test.h"
#include "weft/validate/leave_out.h"
#include "weft/validate/minimise.h"
#include "weft/validate/neutral.h"
#include "weft/validate/overlay.h"
#include "weft/validate/write_set.h"

namespace weft::validate {
namespace {

const catalog::Calibration& builtin() {
  static const catalog::Calibration calibration = *catalog::Calibration::builtin();
  return calibration;
}

std::vector<const intake::Measurement*> pointers(const std::vector<intake::Measurement>& tables) {
  std::vector<const intake::Measurement*> list;
  for (const intake::Measurement& each : tables) list.push_back(&each);
  return list;
}

TEST(Minimise, FindsTheBottomOfAValley) {
  std::vector<Bounded> at = {{1, 1e-3, 1e3}, {1, 1e-3, 1e3}};
  const double least = minimise(at, [](const std::vector<Bounded>& p) {
    const double x = std::log(p[0].value / 20);
    const double y = std::log(p[1].value / 0.3);
    return x * x + y * y + 0.5 * x * y + 7;
  });
  EXPECT_NEAR(least, 7, 1e-3);
  EXPECT_NEAR(at[0].value, 20, 0.5);
  EXPECT_NEAR(at[1].value, 0.3, 0.01);
}

TEST(Minimise, StaysWithinBounds) {
  std::vector<Bounded> at = {{1, 0.5, 2}};
  minimise(at, [](const std::vector<Bounded>& p) { return -p[0].value; });
  EXPECT_EQ(at[0].value, 2);
}

TEST(Neutral, KnowsNumbersByTheirNames) {
  EXPECT_EQ(neutral("nvlink4", "all_reduce.ll.launch_us")->value, 6);
  EXPECT_EQ(neutral("between", "all_to_all.launch_us")->value, 12);  // not that of "ll.launch_us"
  EXPECT_FALSE(neutral("between", "all_to_all.share"));
  EXPECT_FALSE(neutral("roce", "hop_growth_from"));
  EXPECT_FALSE(neutral("roofline", "hopper.memory"));
  EXPECT_EQ(neutral("serving-kernels", "nvlink4.multimem.share")->value, 0.7);
  EXPECT_FALSE(neutral("serving-kernels", "scale.rate"));
}

// A calibration with other numbers makes the tables; a fit from neutral starts must predict them.
TEST(Fit, FindsTheCalibrationThatMadeTheTables) {
  catalog::Calibration truth = builtin();
  truth.find("nvlink4")->values["all_gather.simple.share"] = 0.7;
  truth.find("nvlink4")->values["all_gather.simple_few.share"] = 0.45;
  truth.find("nvlink4")->values["all_gather.ll.launch_us"] = 9;
  std::vector<intake::Measurement> tables;
  for (const int gpus : {2, 4, 8}) tables.push_back(made(truth, {.gpus = gpus, .operation = "all_gather"}));
  catalog::Calibration fitted = builtin();
  const auto results = fit(fitted, pointers(tables), {.from_neutral = true});
  ASSERT_TRUE(results) << results.error().to_string();
  ASSERT_EQ(results->size(), 1U);
  EXPECT_EQ(results->front().name, "nvlink4.all_gather");
  EXPECT_EQ(results->front().tables, 3);
  EXPECT_LT(results->front().loss, 0.2 * results->front().loss_before + 0.2);
  EXPECT_LT(results->front().median, 0.03);
  EXPECT_EQ(fitted.find("nvlink4")->fitted_on, std::vector<std::string>{"made.tsv"});
}

// Tables of a serving engine speak of its kernels alone: the library's lines for what is too large stay as they are.
TEST(Fit, FindsTheKernelsThatMadeTheTables) {
  catalog::Calibration truth = builtin();
  auto& numbers = truth.find("serving-kernels")->values;
  numbers["nvlink4.peer_one_shot.launch_us"] = 3;
  numbers["nvlink4.peer_one_shot.rank_us"] = 0.6;
  numbers["nvlink4.peer_one_shot.peer_gbyte_per_s"] = 120;
  numbers["nvlink4.peer_two_shot.share"] = 0.4;
  numbers["nvlink4.multimem.share"] = 0.9;
  numbers["nvlink4.multimem.launch_us"] = 15;
  std::vector<intake::Measurement> tables;
  for (const int gpus : {2, 4, 8}) {
    for (const char* kernel : {"# kernel: vllm-0.24.0\n", "# kernel: vllm-0.14.0\n"})
      tables.push_back(made(truth, {.gpus = gpus, .more = kernel}));
  }
  catalog::Calibration fitted = builtin();
  const auto results = fit(fitted, pointers(tables), {.from_neutral = true});
  ASSERT_TRUE(results) << results.error().to_string();
  ASSERT_EQ(results->size(), 1U);
  EXPECT_EQ(results->front().name, "serving-kernels.nvlink4");
  EXPECT_LT(results->front().median, 0.01);
  const auto& found = fitted.find("serving-kernels")->values;
  EXPECT_NEAR(found.at("nvlink4.peer_one_shot.launch_us"), 3, 0.15);
  EXPECT_NEAR(found.at("nvlink4.peer_one_shot.peer_gbyte_per_s"), 120, 4);
  EXPECT_NEAR(found.at("nvlink4.peer_two_shot.share"), 0.4, 0.02);
  EXPECT_NEAR(found.at("nvlink4.multimem.share"), 0.9, 0.03);
  EXPECT_EQ(fitted.find("nvlink4")->values, (*builtin().set("nvlink4"))->values);
  EXPECT_EQ(fitted.find("vllm")->values, (*builtin().set("vllm"))->values);
}

TEST(Fit, DoesNotDependOnWhatStoodThere) {
  const std::vector<intake::Measurement> tables = {made(builtin(), {.gpus = 4, .operation = "reduce_scatter"})};
  catalog::Calibration a = builtin();
  catalog::Calibration b = builtin();
  b.find("nvlink4")->values["reduce_scatter.simple.share"] = 0.1;
  ASSERT_TRUE(fit(a, pointers(tables), {.from_neutral = true}));
  ASSERT_TRUE(fit(b, pointers(tables), {.from_neutral = true}));
  EXPECT_EQ(a.find("nvlink4")->values, b.find("nvlink4")->values);
}

TEST(LeaveOut, PredictsASourceWithoutItsTables) {
  const std::vector<intake::Measurement> scored = {
      made(builtin(), {.gpus = 4, .operation = "all_gather", .source = "a"}),
      made(builtin(), {.gpus = 8, .operation = "all_gather", .source = "b"})};
  const auto result = leave_out_sources(builtin(), scored, {});
  ASSERT_TRUE(result) << result.error().to_string();
  EXPECT_EQ(result->sources, 2);
  EXPECT_LT(*result->with[0].median, 0.05);
  EXPECT_LT(*result->without[0].median, 0.25);
  EXPECT_NE(*result->without[0].median, *result->with[0].median);
}

TEST(Overlay, FindsTheFactorsOfASlowCluster) {
  catalog::Calibration slow = builtin();
  slow.find("nvlink4")->values["scale.rate"] = 0.8;
  slow.find("nvlink4")->values["scale.latency"] = 1.5;
  const std::vector<intake::Measurement> logs = {made(slow, {})};
  const Result<Overlay> overlay = fit_overlay(builtin(), logs);
  ASSERT_TRUE(overlay) << overlay.error().to_string();
  ASSERT_EQ(overlay->changes.size(), 2U);
  EXPECT_NEAR(overlay->changes[0].after, 1.5, 0.1);
  EXPECT_NEAR(overlay->changes[1].after, 0.8, 0.02);
  EXPECT_GT(overlay->median_before, 0.15);
  EXPECT_LT(overlay->median_after, 0.02);
  // What is written reads back to the same calibration.
  catalog::Calibration read = builtin();
  const Result<void> laid = read.overlay({"my.toml", to_toml(*overlay)});
  ASSERT_TRUE(laid) << laid.error().to_string();
  EXPECT_NEAR(read.find("nvlink4")->values["scale.rate"], overlay->changes[1].after, 1e-3);
}

TEST(Overlay, ChangesNothingThatTheLogsAgreeWith) {
  const std::vector<intake::Measurement> logs = {made(builtin(), {.servers = 2})};
  const Result<Overlay> overlay = fit_overlay(builtin(), logs);
  ASSERT_TRUE(overlay);
  EXPECT_TRUE(overlay->changes.empty());
  catalog::Calibration read = builtin();  // what is written of it can be read again
  EXPECT_TRUE(read.overlay_checked({"my.toml", to_toml(*overlay)}));
}

TEST(Overlay, SaysWhenNothingCanBePredicted) {
  intake::MeasurementJoiner joiner(parts());
  const std::vector<intake::Measurement> logs = {joiner.join(
      *formats::read_measured_table({"odd.tsv", "# collective: all_reduce\nsize_bytes\ttime_us\n8\t10\n"}))};
  EXPECT_EQ(fit_overlay(builtin(), logs).error().to_string(),
            "error WEFT-VAL-0001: none of these logs can be predicted, so nothing can be fitted to them\n  hint: weft "
            "validate says of each why\n");
}

TEST(WriteSet, ReadsBackAsItWas) {
  for (const catalog::CalibrationSet& set : builtin().sets()) {
    const std::vector<SourceText> files = {{"set.toml", to_toml(set)}};
    const Result<catalog::Calibration> read = catalog::Calibration::load(files);
    ASSERT_TRUE(read) << read.error().to_string();
    const catalog::CalibrationSet& same = read->sets().front();
    EXPECT_EQ(same.id, set.id);
    EXPECT_EQ(same.fitted_on, set.fitted_on);
    EXPECT_EQ(same.links, set.links);
    ASSERT_EQ(same.values.size(), set.values.size());
    for (const auto& [key, value] : set.values)
      EXPECT_NEAR(same.values.at(key), value, 1e-3 * std::abs(value)) << set.id << ' ' << key;
  }
}

TEST(WriteSet, EscapesWhatAHeaderHolds) {
  catalog::CalibrationSet set;
  set.id = "mine";
  set.basis = "fitted";
  set.fitted_on = {"a \"quoted\"\nname\\.log"};
  set.values["scale.rate"] = 0.9;
  const std::vector<SourceText> files = {{"set.toml", to_toml(set, SetForm::list)}};
  const Result<catalog::Calibration> read = catalog::Calibration::load(files);
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->sets().front().fitted_on, set.fitted_on);
}

}  // namespace
}  // namespace weft::validate
