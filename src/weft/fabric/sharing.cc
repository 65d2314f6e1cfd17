#include "weft/fabric/sharing.h"

#include <algorithm>
#include <map>
#include <utility>

namespace weft::fabric {
namespace {

struct Resource {
  double left = 0;  // bit/s not yet given away
  std::vector<std::size_t> users;
};

// A resource is a link direction, or what a device passes on of a link that comes in, keyed so that iteration order is
// id order.
using Key = std::pair<int, std::uint32_t>;

std::map<Key, Resource> resources_of(std::span<const Path> paths) {
  std::map<Key, Resource> resources;
  for (std::size_t p = 0; p < paths.size(); ++p) {
    for (const Hop& hop : paths[p].hops) {
      Resource& link = resources[{0, hop.link.value()}];
      link.left = static_cast<double>(hop.state.goodput.count());
      link.users.push_back(p);
      if (hop.through_cap.count() == 0) continue;
      Resource& port = resources[{1, hop.link.value()}];
      port.left = static_cast<double>(hop.through_cap.count());
      port.users.push_back(p);
    }
  }
  return resources;
}

}  // namespace

std::vector<Rate> concurrent_rates(std::span<const Path> paths) {
  std::map<Key, Resource> resources = resources_of(paths);
  std::vector<double> rate(paths.size(), 0.0);
  std::vector<bool> frozen(paths.size(), false);
  for (;;) {
    double step = -1;
    for (const auto& [key, resource] : resources) {
      const auto active =
          std::count_if(resource.users.begin(), resource.users.end(), [&](std::size_t p) { return !frozen[p]; });
      if (active == 0) continue;
      const double share = resource.left / static_cast<double>(active);
      if (step < 0 || share < step) step = share;
    }
    if (step < 0) break;
    for (auto& [key, resource] : resources) {
      for (const std::size_t p : resource.users) {
        if (!frozen[p]) resource.left -= step;
      }
    }
    for (std::size_t p = 0; p < paths.size(); ++p) {
      if (!frozen[p]) rate[p] += step;
    }
    constexpr double kFull = 1.0;  // bit/s: below the resolution of a Rate
    for (const auto& [key, resource] : resources) {
      if (resource.left > kFull) continue;
      for (const std::size_t p : resource.users) frozen[p] = true;
    }
  }
  std::vector<Rate> rates;
  rates.reserve(rate.size());
  for (const double r : rate) rates.emplace_back(static_cast<std::int64_t>(r));
  return rates;
}

}  // namespace weft::fabric
