#include "weft/collective/channel_rules.h"

#include "weft/collective/numbers.h"

namespace weft::collective {
namespace {

std::vector<double> list_of(Numbers& numbers, const std::string& table) {
  std::vector<double> values;
  for (int i = 0; numbers.has(table + "." + std::to_string(i)); ++i)
    values.push_back(numbers(table + "." + std::to_string(i)));
  return values;
}

}  // namespace

std::size_t speed_generation(int capability) { return capability >= 100 ? 2 : capability >= 90 ? 1 : 0; }

Result<ChannelRules> load_channel_rules(const catalog::Calibration& calibration) {
  const Result<const catalog::CalibrationSet*> set = calibration.set("nccl-channels");
  if (!set) return fail(set.error());
  Numbers numbers(**set);
  ChannelRules rules;
  constexpr std::string_view kLinks = "link.";
  for (const auto& [key, value] : (*set)->values) {
    if (key.starts_with(kLinks)) rules.link_gbyte_per_s.emplace(key.substr(kLinks.size()), value);
  }
  rules.pcie_share_of_line = numbers("link.pcie_share_of_line");
  constexpr std::array<std::string_view, 3> kGenerations = {"ampere", "hopper", "blackwell"};
  for (std::size_t i = 0; i < kGenerations.size(); ++i) {
    rules.intra_speeds[i] = list_of(numbers, "speed.intra." + std::string(kGenerations[i]));
    rules.inter_speeds[i] = list_of(numbers, "speed.inter." + std::string(kGenerations[i]));
  }
  const auto whole = [&](const char* key) { return static_cast<int>(numbers(std::string("search.") + key)); };
  rules.most_channels = whole("most_channels");
  rules.few = whole("few");
  rules.nvls_hopper = whole("nvls_hopper");
  rules.nvls_blackwell = whole("nvls_blackwell");
  rules.nvls_blackwell_servers = whole("nvls_blackwell_servers");
  rules.least_share_of_best = numbers("search.least_share_of_best");
  rules.split_from = numbers("search.split_from");
  rules.split_from_hopper = numbers("search.split_from_hopper");
  if (!numbers.complete()) return fail(numbers.missing());
  return rules;
}

}  // namespace weft::collective
