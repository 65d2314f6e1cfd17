#include "weft/collective/profile.h"

#include <algorithm>

namespace weft::collective {
namespace {

using catalog::CalibrationSet;
using catalog::LinkClass;

constexpr std::array<std::string_view, 2> kAlgorithms = {"ring", "tree"};
constexpr std::array<std::string_view, 3> kProtocols = {"ll", "ll128", "simple"};
constexpr std::array<std::string_view, kHopClasses> kHops = {"nvlink", "pcie", "network"};
constexpr double kOfAnUnmeasuredLink = 0.9;

// Reads many numbers and remembers the first that is missing.
class Numbers {
 public:
  explicit Numbers(const CalibrationSet& set) : set_(set) {}
  double operator()(const std::string& key) {
    Result<double> value = set_.number(key);
    if (value) return *value;
    if (missing_.id.empty()) missing_ = std::move(value.error());
    return 0;
  }
  [[nodiscard]] bool complete() const { return missing_.id.empty(); }
  Error missing() { return std::move(missing_); }

 private:
  const CalibrationSet& set_;
  Error missing_;
};

Result<LibraryProfile> read_library(const CalibrationSet& set) {
  LibraryProfile profile;
  profile.id = set.id;
  Numbers number(set);
  for (std::size_t a = 0; a < 2; ++a) {
    for (std::size_t p = 0; p < 3; ++p) {
      const std::string tail = std::string(kAlgorithms[a]) + "." + std::string(kProtocols[p]);
      profile.base_us[a][p] = number("base_us." + tail);
      for (std::size_t h = 0; h < kHopClasses; ++h)
        profile.hop_us[h][a][p] = number("hop_us." + std::string(kHops[h]) + "." + tail);
    }
  }
  for (std::size_t p = 0; p < 3; ++p) profile.protocol_share[p] = number("share." + std::string(kProtocols[p]));
  profile.tree_share = number("share.tree");
  profile.inside_overhead_us = number("network.inside_overhead_us");
  profile.nvls_base_us = number("nvls.base_us");
  profile.nvls_hop_us = number("nvls.hop_us");
  profile.nvls_efficiency = number("nvls.efficiency");
  profile.nvls_fewest_ranks = static_cast<int>(number("nvls.fewest_ranks"));
  if (!number.complete()) return fail(number.missing());
  return profile;
}

Result<KernelProfile> read_kernels(const CalibrationSet& set) {
  KernelProfile profile;
  profile.id = set.id;
  Numbers number(set);
  profile.largest = Bytes(static_cast<std::int64_t>(number("largest_bytes")));
  profile.most_ranks = static_cast<int>(number("most_ranks"));
  std::size_t next = 0;
  for (const auto& [key, value] : set.values) {
    constexpr std::string_view kTail = ".one_shot_us";
    if (!key.ends_with(kTail) || next == profile.by_link.size()) continue;
    const std::string link = key.substr(0, key.size() - kTail.size());
    profile.by_link[next++] = {
        link,
        {value, number(link + ".one_shot_share"), number(link + ".two_shot_us"), number(link + ".two_shot_share")}};
  }
  if (!number.complete()) return fail(number.missing());
  return profile;
}

Result<LinkShares> read_links(const CalibrationSet& set) {
  LinkShares shares;
  shares.id = set.id;
  for (std::size_t i = 0; i < shares.network.size(); ++i) {
    const std::string name(catalog::name_of(static_cast<LinkClass>(i)));
    shares.network[i] = set.number_or("goodput_share." + name, kOfAnUnmeasuredLink);
    shares.extra_us[i] = set.number_or("extra_hop_us." + name, 0);
    shares.inside[i] = set.number_or("inside_share." + name, kOfAnUnmeasuredLink);
  }
  Numbers number(set);
  shares.pcie_bounce = number("inside_share.pcie_bounce");
  shares.bounce_network = Rate::from_gbyte_per_s(number("bounce.network_gbyte_per_s"));
  shares.bounce_hop_us = number("bounce.hop_us");
  if (!number.complete()) return fail(number.missing());
  return shares;
}

}  // namespace

HopClass hop_class(LinkClass link_class) {
  if (catalog::is_network(link_class)) return HopClass::network;
  return catalog::is_gpu_fabric(link_class) ? HopClass::nvlink : HopClass::pcie;
}

KernelLines KernelProfile::lines(std::string_view link) const {
  for (const auto& [name, lines] : by_link) {
    if (name == link) return lines;
  }
  return {};
}

double LinkShares::network_share(LinkClass link_class) const { return network[static_cast<std::size_t>(link_class)]; }
double LinkShares::extra_hop_us(LinkClass link_class) const { return extra_us[static_cast<std::size_t>(link_class)]; }
double LinkShares::inside_share(LinkClass link_class, bool bounce) const {
  return bounce ? pcie_bounce : inside[static_cast<std::size_t>(link_class)];
}

Result<Profiles> load_profiles(const catalog::Calibration& calibration, std::string_view library) {
  Profiles profiles;
  const auto read = [&](std::string_view id, auto reader, auto& target) -> Result<void> {
    Result<const CalibrationSet*> set = calibration.set(id);
    if (!set) return fail(std::move(set.error()));
    auto value = reader(**set);
    if (!value) return fail(std::move(value.error()));
    target = std::move(*value);
    return {};
  };
  Result<void> done = read(library, read_library, profiles.library);
  if (done) done = read("serving-kernels", read_kernels, profiles.kernels);
  if (done) done = read("links", read_links, profiles.links);
  if (!done) return fail(std::move(done.error()));
  return profiles;
}

}  // namespace weft::collective
