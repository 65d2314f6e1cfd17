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
  const CalibrationSet before = **calibration.set("nccl-2.27");
  ASSERT_TRUE(calibration.overlay(
      {"my.toml",
       "id = \"nccl-2.27\"\nbasis = \"fitted\"\nfitted_on = [\"my.log\"]\n[base_us]\nring = { ll = 7.5 }\n"}));
  const CalibrationSet& after = **calibration.set("nccl-2.27");
  EXPECT_EQ(after.number("base_us.ring.ll").value(), 7.5);
  EXPECT_EQ(after.number("base_us.ring.simple").value(), before.number("base_us.ring.simple").value());
  EXPECT_EQ(after.fitted_on.back(), "my.log");
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
  const Calibration builtin = *Calibration::builtin();
  EXPECT_EQ(builtin.set("nccl-2.72").error().to_string(),
            "error WEFT-CAL-0006: no calibration set is called \"nccl-2.72\"\n  hint: did you mean nccl-2.27?\n");
  EXPECT_EQ(
      (*builtin.set("links"))->number("bounce.hop_su").error().to_string(),
      "error WEFT-CAL-0005: calibration set links has no \"bounce.hop_su\"\n  hint: did you mean bounce.hop_us?\n");
}

}  // namespace
}  // namespace weft::catalog
