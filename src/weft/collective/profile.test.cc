#include "weft/collective/profile.h"

#include <gtest/gtest.h>

namespace weft::collective {
namespace {

const catalog::Calibration& builtin() {
  static const catalog::Calibration calibration = *catalog::Calibration::builtin();
  return calibration;
}

using catalog::LinkClass;

TEST(Profiles, OlderLibrariesHaveCurvesOfTheirOwn) {
  const Profiles old = *load_profiles(builtin(), *library_from("nccl-2.18.5"));
  const Profiles fresh = *load_profiles(builtin(), *library_from("nccl-2.20.5"));
  EXPECT_EQ(old.curve("nvlink3", LinkClass::nvlink, false, CurveKind::all_reduce).profile->id, "nvlink3-before-2.20");
  EXPECT_EQ(fresh.curve("nvlink3", LinkClass::nvlink, false, CurveKind::all_reduce).profile->id, "nvlink3");
  // RCCL and unknown versions are not older NCCLs.
  const Profiles rccl = *load_profiles(builtin(), *library_from("rccl-2.10"));
  EXPECT_EQ(rccl.curve("nvlink3", LinkClass::nvlink, false, CurveKind::all_reduce).profile->id, "nvlink3");
}

TEST(Profiles, AnUnknownLinkFallsBackToItsClass) {
  const Profiles profiles = *load_profiles(builtin());
  EXPECT_EQ(profiles.curve("nvlink9", LinkClass::nvlink, false, CurveKind::all_reduce).profile->id, "nvlink5");
  EXPECT_EQ(profiles.curve("pcie5-x16", LinkClass::pcie, false, CurveKind::all_reduce).profile->id, "pcie");
  EXPECT_EQ(profiles.curve("pcie5-x16", LinkClass::pcie, true, CurveKind::all_reduce).profile->id, "pcie-host");
  EXPECT_EQ(profiles.network(LinkClass::iwarp).id, "ethernet");
}

TEST(Profiles, ASisterOperationStandsIn) {
  const Profiles profiles = *load_profiles(builtin());
  const Profiles::Found found = profiles.curve("xgmi-mi350", LinkClass::xgmi, false, CurveKind::reduce_scatter);
  EXPECT_EQ(found.profile->id, "xgmi-mi350");
  EXPECT_NE(found.kind, CurveKind::reduce_scatter);
  EXPECT_EQ(profiles.curve("nvlink3", LinkClass::nvlink, false, CurveKind::all_reduce_nvls).curve, nullptr);
}

TEST(Profiles, RefreshTakesNewNumbers) {
  catalog::Calibration calibration = builtin();
  Profiles profiles = *load_profiles(calibration);
  calibration.find("nvlink4")->values["all_reduce.taper"] = 0.123;
  ASSERT_TRUE(refresh(profiles, *calibration.find("nvlink4")));
  EXPECT_EQ(profiles.curve("nvlink4", LinkClass::nvlink, false, CurveKind::all_reduce).curve->taper, 0.123);
  calibration.find("roce")->values["hop_us"] = 4.5;
  ASSERT_TRUE(refresh(profiles, *calibration.find("roce")));
  EXPECT_EQ(profiles.network(LinkClass::roce).hop_us, 4.5);
}

TEST(Profiles, HopsGrowWithTheMessageWhereTheNetworkSaysSo) {
  NetworkProfile network;
  network.hop_us = 8;
  network.growth = 0.25;
  network.growth_from = 256;
  network.growth_most = 4;
  EXPECT_EQ(network.hop_at(8), 8);
  EXPECT_NEAR(network.hop_at(256 * 16), 16, 1e-9);
  EXPECT_EQ(network.hop_at(1e12), 32);
}

TEST(Profiles, HostTimeCountsForOneProcessOnly) {
  const LaunchCosts costs{4, 1.5, 3, 1};
  EXPECT_EQ(costs.host_us(Operation::all_reduce, LaunchMode::single_process, 8), 32);
  EXPECT_EQ(costs.host_us(Operation::all_to_all, LaunchMode::single_process, 8), 48);
  for (const LaunchMode mode : {LaunchMode::unknown, LaunchMode::process_per_gpu, LaunchMode::graph})
    EXPECT_EQ(costs.host_us(Operation::all_reduce, mode, 8), 0);
}

TEST(Profiles, SaysWhatACalibrationLacks) {
  const auto load = [](const std::string& text) {
    const std::vector<SourceText> files = {{"my.toml", text}};
    return load_profiles(*catalog::Calibration::load(files)).error().to_string();
  };
  EXPECT_EQ(load("id = \"x\"\nbasis = \"assumed\"\na = 1\n"),
            "error WEFT-COL-0004: the calibration describes no links inside or between servers\n");
  EXPECT_EQ(load("id = \"x\"\nbasis = \"assumed\"\nlibrary_before = \"soon\"\n[ring_simple]\nbase_us = 8\n"),
            "error WEFT-COL-0003: calibration set x has library_before = \"soon\"\n  expected: a library and a "
            "version, such as nccl-2.20\n");
}

}  // namespace
}  // namespace weft::collective
