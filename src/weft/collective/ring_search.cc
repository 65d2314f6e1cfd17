#include "weft/collective/ring_search.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace weft::collective {
namespace {

constexpr int kMostSteps = 20'000;  // GPUs tried before the best so far is taken
constexpr double kRounding = 1e-6;  // relative: 6 x 20 fit into 120

class RingSearch {
 public:
  RingSearch(const ServerWays& ways, double speed, Reach farthest, bool across, int most)
      : ways_(ways), speed_(speed), farthest_(farthest), across_(across), left_(ways.capacity) {
    most_ = std::min(most, bound());
  }

  FoundRings run() {
    if (most_ > 0) next_ring();
    best_.cut_short = steps_ >= kMostSteps && static_cast<int>(best_.rings.size()) < most_;
    return std::move(best_);
  }

 private:
  [[nodiscard]] std::size_t gpus() const { return ways_.gpus.size(); }
  [[nodiscard]] int fits(double capacity) const { return static_cast<int>(capacity * (1 + kRounding) / speed_); }

  // No more rings than the links out of any GPU carry, nor than the NICs do.
  [[nodiscard]] int bound() const {
    int most = 1 << 20;
    for (std::size_t gpu = 0; gpu < gpus() && gpus() > 1; ++gpu) {
      std::set<int> first;
      for (std::size_t to = 0; to < gpus(); ++to) {
        const Way& way = ways_.way(gpu, to);
        if (to != gpu && way.there && way.reach <= farthest_) first.insert(way.links.front());
      }
      int here = 0;
      for (const int link : first) here += fits(ways_.capacity[static_cast<std::size_t>(link)]);
      most = std::min(most, here);
    }
    if (across_) {
      int nics = 0;
      for (std::size_t nic = 0; nic < ways_.nics.size(); ++nic)
        nics += fits(ways_.width(ways_.to_network(nic, static_cast<std::size_t>(ways_.gpu_of_nic[nic]))));
      most = std::min(most, nics);
    }
    return most;
  }

  bool take(const Way& way) {
    if (!way.there) return false;
    for (std::size_t i = 0; i < way.links.size(); ++i) {
      double& left = left_[static_cast<std::size_t>(way.links[i])];
      if (left * (1 + kRounding) < speed_) {
        for (std::size_t j = 0; j < i; ++j) left_[static_cast<std::size_t>(way.links[j])] += speed_;
        return false;
      }
      left -= speed_;
    }
    return true;
  }
  void give_back(const Way& way) {
    for (const int link : way.links) left_[static_cast<std::size_t>(link)] += speed_;
  }
  bool done() const { return static_cast<int>(best_.rings.size()) >= most_ || steps_ >= kMostSteps; }

  void next_ring() {
    if (done()) return;
    if (reversed_last()) return;
    if (!across_) {
      start(-1, 0);
      return;
    }
    // NICs in turn, so that all of them are used before one is used twice.
    for (std::size_t i = 0; i < ways_.nics.size() && !done(); ++i) {
      const std::size_t nic = (rings_.size() + i) % ways_.nics.size();
      const auto gpu = static_cast<std::size_t>(ways_.gpu_of_nic[nic]);
      if (!take(ways_.from_network(nic, gpu))) continue;
      start(static_cast<int>(nic), gpu);
      give_back(ways_.from_network(nic, gpu));
    }
  }

  // On a full-duplex mesh the last ring the other way round is one too, unless it already is that.
  bool reversed_last() {
    if (across_ || rings_.empty() || rings_.size() % 2 == 0 || gpus() < 3) return false;
    FoundRing ring = rings_.back();
    std::reverse(ring.order.begin(), ring.order.end());
    std::size_t taken = 0;
    const auto hop = [&](std::size_t i) -> const Way& {
      return ways_.way(ring.order[i], ring.order[(i + 1) % gpus()]);
    };
    while (taken < gpus() && hop(taken).reach <= farthest_ && take(hop(taken))) ++taken;
    const bool whole = taken == gpus();
    if (whole) complete(ring);
    for (std::size_t i = 0; i < taken; ++i) give_back(hop(i));
    return whole && done();
  }

  void start(int nic, std::size_t gpu) {
    FoundRing ring{{gpu}, nic};
    std::vector<bool> visited(gpus(), false);
    visited[gpu] = true;
    go_on(ring, visited);
  }

  void complete(const FoundRing& ring) {
    rings_.push_back(ring);
    if (rings_.size() > best_.rings.size()) {
      best_.rings = rings_;
      best_.inter = Reach::loc;
      for (const FoundRing& each : rings_) {
        if (each.nic < 0) continue;
        const auto nic = static_cast<std::size_t>(each.nic);
        best_.inter = std::max({best_.inter, ways_.from_network(nic, each.order.front()).reach,
                                ways_.to_network(nic, each.order.back()).reach});
      }
    }
    next_ring();
    rings_.pop_back();
  }

  void close(FoundRing& ring) {
    if (ring.nic < 0 && gpus() == 1) return;
    const Way& last = ring.nic >= 0 ? ways_.to_network(static_cast<std::size_t>(ring.nic), ring.order.back())
                                    : ways_.way(ring.order.back(), ring.order.front());
    if (ring.nic < 0 && last.reach > farthest_) return;
    if (!take(last)) return;
    complete(ring);
    give_back(last);
  }

  void go_on(FoundRing& ring, std::vector<bool>& visited) {
    if (done()) return;
    ++steps_;
    if (ring.order.size() == gpus()) return close(ring);
    const std::size_t at = ring.order.back();
    for (const std::size_t to : candidates(at, visited)) {
      const Way& way = ways_.way(at, to);
      if (!take(way)) continue;
      visited[to] = true;
      ring.order.push_back(to);
      go_on(ring, visited);
      ring.order.pop_back();
      visited[to] = false;
      give_back(way);
      if (done()) return;
    }
  }

  // Nearest first, then those with fewest choices left (they are hardest to fit in later), then the next in order.
  std::vector<std::size_t> candidates(std::size_t at, const std::vector<bool>& visited) const {
    std::vector<std::tuple<Reach, int, std::size_t, std::size_t>> ranked;
    for (std::size_t to = 0; to < gpus(); ++to) {
      const Way& way = ways_.way(at, to);
      if (visited[to] || !way.there || way.reach > farthest_ || !room(way)) continue;
      ranked.emplace_back(way.reach, choices(to, visited), (to + gpus() - at) % gpus(), to);
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::size_t> order;
    for (const auto& entry : ranked) order.push_back(std::get<3>(entry));
    return order;
  }
  [[nodiscard]] bool room(const Way& way) const {
    return std::all_of(way.links.begin(), way.links.end(),
                       [&](int link) { return left_[static_cast<std::size_t>(link)] * (1 + kRounding) >= speed_; });
  }
  [[nodiscard]] int choices(std::size_t gpu, const std::vector<bool>& visited) const {
    if (gpus() > kCountChoicesUpTo) return 0;
    int count = 0;
    for (std::size_t to = 0; to < gpus(); ++to) {
      const Way& way = ways_.way(gpu, to);
      count += to != gpu && !visited[to] && way.there && way.reach <= farthest_ && room(way) ? 1 : 0;
    }
    return count;
  }

  static constexpr std::size_t kCountChoicesUpTo = 16;  // larger domains have switches, where all are equal
  const ServerWays& ways_;
  double speed_;
  Reach farthest_;
  bool across_;
  int most_ = 0;
  int steps_ = 0;
  std::vector<double> left_;
  std::vector<FoundRing> rings_;
  FoundRings best_;
};

}  // namespace

FoundRings search_rings(const ServerWays& ways, double gbyte_per_s, Reach farthest, bool across, int most) {
  return RingSearch(ways, gbyte_per_s, farthest, across, most).run();
}

}  // namespace weft::collective
