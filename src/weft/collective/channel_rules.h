// What a library counts a link for, and how its search for channels goes: the set nccl-channels of data/calibration.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/calibration.h"

namespace weft::collective {

struct ChannelRules {
  std::map<std::string, double, std::less<>> link_gbyte_per_s;  // a link, by technology
  double pcie_share_of_line = 0;
  // Rates a channel, tried in this order; Ampere and older, Hopper, Blackwell.
  std::array<std::vector<double>, 3> intra_speeds;
  std::array<std::vector<double>, 3> inter_speeds;
  int most_channels = 0;
  double least_share_of_best = 0;
  double split_from = 0;
  double split_from_hopper = 0;
  int few = 0;
  int nvls_hopper = 0;
  int nvls_blackwell = 0;
  int nvls_blackwell_servers = 0;
};

Result<ChannelRules> load_channel_rules(const catalog::Calibration& calibration);

// 0 Ampere and older (or not NVIDIA's), 1 Hopper, 2 Blackwell.
[[nodiscard]] std::size_t speed_generation(int capability);

}  // namespace weft::collective
