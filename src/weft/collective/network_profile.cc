#include "weft/collective/network_profile.h"

#include <algorithm>
#include <cmath>

#include "weft/collective/numbers.h"

namespace weft::collective {
namespace {

BetweenLine read_line(Numbers& number, const std::string& key) {
  return {number(key + ".launch_us"), number.or_else(key + ".rank_us", 0), number(key + ".hops"),
          number(key + ".share")};
}

}  // namespace

double NetworkProfile::hop_at(double bytes) const {
  const double grown = growth > 0 ? std::pow(std::max(bytes, 1.0) / growth_from, growth) : 1;
  return hop_us * std::clamp(grown, 1.0, std::max(1.0, growth_most));
}

Result<NetworkProfile> read_network_profile(const catalog::CalibrationSet& set) {
  Numbers number(set);
  NetworkProfile profile{set.id,
                         set.links,
                         number("hop_us"),
                         number.or_else("hop_growth", 0),
                         number.or_else("hop_growth_from", 1),
                         number.or_else("hop_growth_most", 1),
                         number("share"),
                         number.or_else("scale.latency", 1),
                         number.or_else("scale.rate", 1)};
  if (!number.complete()) return fail(number.missing());
  return profile;
}

Result<BetweenProfile> read_between_profile(const catalog::CalibrationSet& set) {
  Numbers number(set);
  BetweenProfile profile;
  for (std::size_t i = 0; i < kBetweenStages; ++i) {
    const std::string stage(name_of(static_cast<Stage>(i)));
    profile.tree[i] = read_line(number, "tree." + stage);
    profile.ring[i] = read_line(number, "ring." + stage);
  }
  profile.hidden = number("ring.hidden");
  profile.all_to_all = read_line(number, "all_to_all");
  profile.send_recv = read_line(number, "send_recv");
  profile.bounce_rate = Rate::from_gbyte_per_s(number("bounce.network_gbyte_per_s"));
  profile.bounce_hop_us = number("bounce.hop_us");
  if (!number.complete()) return fail(number.missing());
  return profile;
}

}  // namespace weft::collective
