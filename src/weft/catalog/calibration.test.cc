#include "weft/catalog/calibration.h"

#include <gtest/gtest.h>

namespace weft::catalog {
namespace {

std::string error_of(const std::string& text) {
  const std::vector<SourceText> files = {{"my.toml", text}};
  const Result<Calibration> read = Calibration::load(files);
  return read ? "" : read.error().to_string();
}

TEST(Calibration, EveryBuiltinSetSaysWhereItComesFrom) {
  const Result<Calibration> builtin = Calibration::builtin();
  ASSERT_TRUE(builtin) << builtin.error().to_string();
  ASSERT_FALSE(builtin->sets().empty());
  for (const CalibrationSet& set : builtin->sets()) {
    EXPECT_FALSE(set.title.empty()) << set.id;
    EXPECT_FALSE(set.note.empty()) << set.id;
    EXPECT_FALSE(set.values.empty()) << set.id;
    EXPECT_EQ(set.basis == "fitted", !set.fitted_on.empty()) << set.id;
  }
}

TEST(Calibration, AnOverlayReplacesNumberByNumber) {
  Calibration calibration = *Calibration::builtin();
  const CalibrationSet before = **calibration.set("launch");
  ASSERT_TRUE(calibration.overlay(
      {"my.toml", "id = \"launch\"\nbasis = \"fitted\"\nfitted_on = [\"my.log\"]\nnccl_us = 7.5\n"}));
  const CalibrationSet& after = **calibration.set("launch");
  EXPECT_EQ(after.number("nccl_us").value(), 7.5);
  EXPECT_EQ(after.number("rccl_us").value(), before.number("rccl_us").value());
  EXPECT_EQ(after.fitted_on.back(), "my.log");
}

TEST(Calibration, AFileMayHoldSeveralSets) {
  const std::vector<SourceText> files = {
      {"my.toml",
       "[[set]]\nid = \"a\"\nbasis = \"fitted\"\nlinks = [\"nvlink4\"]\n[set.scale]\nrate = 0.9\n[[set]]\nid = "
       "\"b\"\nbasis = \"assumed\"\nlibrary_before = \"nccl-2.20\"\nx = 1\n"}};
  const Result<Calibration> read = Calibration::load(files);
  ASSERT_TRUE(read) << read.error().to_string();
  ASSERT_EQ(read->sets().size(), 2U);
  EXPECT_EQ(read->sets()[0].number("scale.rate").value(), 0.9);
  EXPECT_EQ(read->sets()[0].links, std::vector<std::string>{"nvlink4"});
  EXPECT_EQ(read->sets()[1].library_before, "nccl-2.20");
}

TEST(Calibration, AUsersFileMustSayWhatIsKnown) {
  const auto error = [](const std::string& text) {
    Calibration calibration = *Calibration::builtin();
    const Result<void> laid = calibration.overlay_checked({"my.toml", text});
    return laid ? std::string() : laid.error().to_string();
  };
  EXPECT_EQ(error("id = \"nvlink4\"\nbasis = \"fitted\"\nscale.rate = 0.9\n"), "");
  EXPECT_EQ(error("id = \"mine\"\nbasis = \"fitted\"\nlinks = [\"ualink\"]\nx = 1\n"), "");
  EXPECT_EQ(
      error("id = \"nvlnk4\"\nbasis = \"fitted\"\nscale.rate = 0.9\n"),
      "error WEFT-CAL-0008: my.toml:1:7: no calibration set is called \"nvlnk4\", and this one lists no links\n  1 | "
      "id = \"nvlnk4\"\n    |       ^\n  hint: did you mean nvlink4?\n");
  EXPECT_EQ(
      error("id = \"nvlink4\"\nbasis = \"fitted\"\nscale.rates = 0.9\n"),
      "error WEFT-CAL-0009: my.toml:3:7: calibration set nvlink4 knows no \"scale.rates\"\n  3 | scale.rates = 0.9\n  "
      "  |       ^\n  hint: did you mean scale.rate?\n");
}

TEST(Calibration, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("id = \"x\"\nbasis = \"fitted\"\na = \"soon\"\n"),
            "error WEFT-CAL-0002: my.toml:3:5: \"a\" is not a number\n  3 | a = \"soon\"\n    |     ^\n  expected: a "
            "number, such as 6.6\n");
  EXPECT_NE(error_of("a = 1\n").find("WEFT-CAL-0003: my.toml:1:1: a calibration set lacks id or basis"),
            std::string::npos);
  EXPECT_NE(error_of("id = \n").find("WEFT-CAL-0001: my.toml:1:"), std::string::npos);
  EXPECT_NE(
      error_of("a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1").find("WEFT-CAL-0004"),
      std::string::npos);
  EXPECT_EQ(
      error_of("set = [1]\n"),
      "error WEFT-CAL-0007: my.toml:1:8: set is a list of something else than tables\n  1 | set = [1]\n    |        "
      "^\n  expected: [[set]] above each set\n");
  const Calibration builtin = *Calibration::builtin();
  EXPECT_EQ(builtin.set("nvlink44").error().to_string(),
            "error WEFT-CAL-0006: no calibration set is called \"nvlink44\"\n  hint: did you mean nvlink4?\n");
  EXPECT_EQ(
      (*builtin.set("between"))->number("bounce.hop_su").error().to_string(),
      "error WEFT-CAL-0005: calibration set between has no \"bounce.hop_su\"\n  hint: did you mean bounce.hop_us?\n");
}

}  // namespace
}  // namespace weft::catalog
