#include "weft/collective/kernels.h"

#include <gtest/gtest.h>

namespace weft::collective {
namespace {

using catalog::LinkClass;

constexpr std::int64_t kKi = 1024;
constexpr std::int64_t kMi = kKi * 1024;

const catalog::Calibration& builtin() {
  static const catalog::Calibration calibration = *catalog::Calibration::builtin();
  return calibration;
}

KernelProfile profile_of(std::string_view engine) { return *load_kernels(builtin(), *engine_from(engine)); }

std::string chosen(const KernelProfile& profile, std::string_view link, int ranks, std::int64_t bytes,
                   LinkClass link_class = LinkClass::nvlink) {
  const std::optional<Kernel> kernel = profile.choice(link, link_class, ranks, Bytes(bytes));
  return kernel ? std::string(name_of(*kernel)) : "library";
}

TEST(Kernels, HaveNamesAndAlgorithms) {
  for (std::size_t i = 0; i < kKernels; ++i) {
    const auto kernel = static_cast<Kernel>(i);
    EXPECT_EQ(kernel_from(name_of(kernel)), kernel);
    EXPECT_TRUE(is_kernel(algorithm_of(kernel)));
  }
  EXPECT_FALSE(kernel_from("three_shot"));
  EXPECT_FALSE(is_kernel(Algorithm::nvls));
  EXPECT_EQ(algorithm_of(Kernel::push_two_shot), Algorithm::two_shot);
  EXPECT_EQ(algorithm_of(Kernel::flagged_one_shot), Algorithm::one_shot);
  EXPECT_EQ(algorithm_of(Kernel::multimem), Algorithm::multimem);
}

// Multicast saves most of the crossings of two-shot; with two ranks there is nothing to save.
TEST(Kernels, CrossTheLinksAsTheirFormsSay) {
  EXPECT_EQ(crossing_share(Algorithm::one_shot, 8), 7);
  EXPECT_EQ(crossing_share(Algorithm::two_shot, 8), 1.75);
  EXPECT_EQ(crossing_share(Algorithm::multimem, 8), 1.125);
  EXPECT_EQ(crossing_share(Algorithm::one_shot, 2), crossing_share(Algorithm::two_shot, 2));
  EXPECT_GT(crossing_share(Algorithm::multimem, 2), crossing_share(Algorithm::two_shot, 2));
}

TEST(ServingEngine, IsReadWithItsVersion) {
  EXPECT_EQ(engine_from("vllm-0.14.1.dev1"), (ServingEngine{EngineFamily::vllm, {0, 14, 1}}));
  EXPECT_EQ(engine_from("trtllm-1.3.0rc20"), (ServingEngine{EngineFamily::trtllm, {1, 3, 0}}));
  EXPECT_EQ(engine_from("sglang-0.5"), (ServingEngine{EngineFamily::sglang, {0, 5, 0}}));
  EXPECT_EQ(engine_from("sglang"), (ServingEngine{EngineFamily::sglang, {}}));
  for (const char* odd : {"", "-", "vllm-", "vllm-x", "vllm-0.0.0", "vllm-99999999999", "vllm0.24", "deepspeed-1"})
    EXPECT_FALSE(engine_from(odd)) << odd;
}

// vllm: csrc/custom_all_reduce.cuh and the tables of all_reduce_utils.py.
TEST(KernelRules, AreThoseOfVllm) {
  const KernelProfile old = profile_of("vllm-0.14.0");
  EXPECT_EQ(old.rules, "vllm-before-0.18");
  EXPECT_EQ(chosen(old, "nvlink4", 8, 256 * kKi - 16), "peer_one_shot");
  EXPECT_EQ(chosen(old, "nvlink4", 8, 256 * kKi), "peer_two_shot");
  EXPECT_EQ(chosen(old, "nvlink4", 4, 512 * kKi - 16), "peer_one_shot");
  EXPECT_EQ(chosen(old, "nvlink4", 8, 8 * kMi), "library");
  EXPECT_EQ(chosen(old, "nvlink4", 2, 8 * kMi - 16), "peer_one_shot");
  EXPECT_EQ(chosen(old, "nvlink4", 3, 256), "library");  // 2, 4, 6 or 8 ranks
  EXPECT_EQ(chosen(old, "nvlink4", 16, 256), "library");

  const KernelProfile fresh = profile_of("vllm-0.24.0");
  EXPECT_EQ(fresh.rules, "vllm");
  EXPECT_EQ(chosen(fresh, "nvlink4", 8, 256 * kKi), "multimem");
  EXPECT_EQ(chosen(fresh, "nvlink4", 8, 64 * kMi), "multimem");
  EXPECT_EQ(chosen(fresh, "nvlink4", 8, 64 * kMi + 16), "library");
  EXPECT_EQ(chosen(fresh, "nvlink5", 4, 4 * kMi), "symmetric_two_shot");
  EXPECT_EQ(chosen(fresh, "nvlink3", 8, 256 * kKi), "peer_two_shot");  // no multicast: the class's rules
  EXPECT_EQ(chosen(fresh, "pcie5-x16", 2, kKi, LinkClass::pcie), "peer_one_shot");
  EXPECT_EQ(chosen(fresh, "pcie5-x16", 4, kKi, LinkClass::pcie), "library");
  EXPECT_EQ(chosen(fresh, "xgmi-mi300", 8, kKi, LinkClass::xgmi), "library");
}

TEST(KernelRules, ChangeWithTheVersion) {
  EXPECT_EQ(profile_of("sglang-0.5.13").rules, "sglang-before-0.5.14");
  EXPECT_EQ(profile_of("sglang-0.5.14").rules, "sglang");
  EXPECT_EQ(profile_of("sglang").rules, "sglang");
  EXPECT_EQ(profile_of("trtllm-1.2.0rc5").rules, "trtllm-before-1.3");
  EXPECT_EQ(chosen(profile_of("sglang-0.5.14"), "nvlink5", 8, 720 * kKi), "push_one_shot");
  EXPECT_EQ(chosen(profile_of("sglang-0.5.14"), "nvlink5", 8, 720 * kKi + 16), "push_two_shot");
  EXPECT_EQ(chosen(profile_of("trtllm-1.2.0"), "nvlink4", 8, kMi), "flagged_two_shot");
  EXPECT_EQ(chosen(profile_of("trtllm-1.3.0"), "nvlink4", 8, kMi), "library");
}

// What every engine runs on the links that were measured has a line.
TEST(KernelLines, AreKnownWhereEnginesWereMeasured) {
  for (const char* engine : {"vllm-0.14", "vllm", "sglang-0.5.10", "sglang", "trtllm-1.2", "trtllm"}) {
    const KernelProfile profile = profile_of(engine);
    for (const char* link : {"nvlink4", "nvlink5"}) {
      for (const int ranks : {2, 4, 8}) {
        for (std::int64_t bytes = 256; bytes <= 64 * kMi; bytes *= 2) {
          const std::optional<Kernel> kernel = profile.choice(link, LinkClass::nvlink, ranks, Bytes(bytes));
          if (!kernel) continue;
          EXPECT_NE(profile.line(*kernel, link, LinkClass::nvlink).line, nullptr)
              << engine << ' ' << link << ' ' << name_of(*kernel);
        }
      }
    }
  }
  const KernelProfile vllm = profile_of("vllm");
  EXPECT_EQ(vllm.line(Kernel::multimem, "nvlink3", LinkClass::nvlink).line, nullptr);
  EXPECT_EQ(vllm.line(Kernel::peer_one_shot, "pcie5-x16", LinkClass::pcie).link, "pcie");
  EXPECT_EQ(vllm.links_with(Algorithm::multimem), "nvlink4, nvlink5");
  EXPECT_EQ(profile_of("trtllm").links_with(Algorithm::multimem), "");
}

std::string message(const std::string& lines, const std::string& rules) {
  const std::vector<SourceText> files = {{"lines.toml", "id = \"serving-kernels\"\nbasis = \"fitted\"\n" + lines},
                                         {"rules.toml", "id = \"vllm\"\nbasis = \"library source\"\n" + rules}};
  const Result<KernelProfile> profile = load_kernels(*catalog::Calibration::load(files));
  return profile ? "" : profile.error().to_string();
}

TEST(KernelProfile, SaysWhatItCannotRead) {
  EXPECT_EQ(message("[nvlink4]\nmultimem = { share = 0.5 }\n", "[nvlink4]\nranks-8 = { multimem = 1024 }\n"), "");
  EXPECT_EQ(
      message("[nvlink4]\nmultimen = { share = 0.5 }\n", ""),
      "error WEFT-COL-0025: calibration set serving-kernels holds \"nvlink4.multimen.share\"\n  expected: a link, "
      "a kernel and one of its numbers, such as nvlink4.multimem.share\n");
  EXPECT_NE(message("[nvlink4]\nmultimem = { share = -1 }\n", ""), "");
  EXPECT_NE(message("share = 1\n", ""), "");
  for (const char* odd : {"ranks-1 = { multimem = 1 }", "ranks-x = { multimem = 1 }", "ranks-8 = { magic = 1 }",
                          "ranks-8 = { multimem = -1 }", "ranks-8 = { multimem = 1e300 }", "ranks-8 = 5"})
    EXPECT_TRUE(message("", std::string("[nvlink4]\n") + odd + "\n").starts_with("error WEFT-COL-0025")) << odd;
}

}  // namespace
}  // namespace weft::collective
