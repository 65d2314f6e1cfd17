#include "weft/collective/ring_search.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace weft::collective {
namespace {

constexpr int kMostSteps = 20'000;  // of one search, before the best so far is taken
constexpr double kRounding = 1e-6;  // relative: 6 x 20 fit into 120

class RingSearch {
 public:
  RingSearch(const ServerWays& ways, const RingQuery& query, int steps)
      : ways_(ways),
        speed_(query.gbyte_per_s),
        farthest_(query.farthest),
        inter_(query.inter),
        across_(query.across),
        most_steps_(std::min(steps, kMostSteps)),
        left_(ways.capacity) {
    most_ = std::min(query.most, bound());
  }

  FoundRings run() {
    if (most_ > 0) next_ring();
    const bool cut_short = steps_ >= most_steps_ && static_cast<int>(best_.rings.size()) < most_;
    best_.possible = cut_short ? most_ : static_cast<int>(best_.rings.size());
    return std::move(best_);
  }
  [[nodiscard]] int steps() const { return steps_; }

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
      for (std::size_t nic = 0; nic < ways_.nics.size(); ++nic) nics += fits(width_of(nic));
      most = std::min(most, nics);
    }
    return most;
  }

  // What a NIC can bring in; nothing when no GPU near enough may send by it.
  [[nodiscard]] double width_of(std::size_t nic) const {
    const auto enters = static_cast<std::size_t>(ways_.gpu_of_nic[nic]);
    if (ways_.from_network(nic, enters).reach > inter_) return 0;
    for (std::size_t gpu = 0; gpu < gpus(); ++gpu) {
      if ((gpu != enters || gpus() == 1) && leaves_by(nic, gpu)) return ways_.width(ways_.to_network(nic, enters));
    }
    return 0;
  }
  [[nodiscard]] bool leaves_by(std::size_t nic, std::size_t gpu) const {
    const Way& way = ways_.to_network(nic, gpu);
    return way.there && way.reach <= inter_;
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
  bool done() const { return static_cast<int>(best_.rings.size()) >= most_ || steps_ >= most_steps_; }

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
      if (ways_.from_network(nic, gpu).reach > inter_ || !take(ways_.from_network(nic, gpu))) continue;
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
    if (last.reach > (ring.nic < 0 ? farthest_ : inter_)) return;
    if (!take(last)) return;
    complete(ring);
    give_back(last);
  }

  void go_on(FoundRing& ring, std::vector<bool>& visited) {
    if (done()) return;
    ++steps_;
    if (ring.order.size() == gpus()) return close(ring);
    if (!can_leave(ring, visited)) return;
    const std::size_t at = ring.order.back();
    for (const std::size_t to : candidates(ring, visited)) {
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

  // Some GPU that is still to come is near enough to the NIC that the ring came in by, over links that have room.
  // Without this look ahead all orders would be tried before a rate is given up.
  [[nodiscard]] bool can_leave(const FoundRing& ring, const std::vector<bool>& visited) const {
    if (ring.nic < 0) return true;
    const auto nic = static_cast<std::size_t>(ring.nic);
    for (std::size_t gpu = 0; gpu < gpus(); ++gpu) {
      if (!visited[gpu] && can_leave_by(nic, gpu)) return true;
    }
    return false;
  }

  [[nodiscard]] bool can_leave_by(std::size_t nic, std::size_t gpu) const {
    return leaves_by(nic, gpu) && room(ways_.to_network(nic, gpu));
  }

  // Nearest first; those that the ring may leave by are kept for the end; then those with fewest choices left (they are
  // hardest to fit in later), then the next in order.
  std::vector<std::size_t> candidates(const FoundRing& ring, const std::vector<bool>& visited) const {
    const std::size_t at = ring.order.back();
    std::vector<std::tuple<Reach, bool, int, std::size_t, std::size_t>> ranked;
    for (std::size_t to = 0; to < gpus(); ++to) {
      const Way& way = ways_.way(at, to);
      if (visited[to] || !way.there || way.reach > farthest_ || !room(way)) continue;
      const bool exit = ring.nic >= 0 && can_leave_by(static_cast<std::size_t>(ring.nic), to);
      ranked.emplace_back(way.reach, exit, choices(to, visited), (to + gpus() - at) % gpus(), to);
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::size_t> order;
    for (const auto& entry : ranked) order.push_back(std::get<4>(entry));
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
  Reach inter_;
  bool across_;
  int most_steps_;
  int most_ = 0;
  int steps_ = 0;
  std::vector<double> left_;
  std::vector<FoundRing> rings_;
  FoundRings best_;
};

}  // namespace

FoundRings search_rings(const ServerWays& ways, const RingQuery& query, int& steps) {
  RingSearch search(ways, query, steps);
  FoundRings found = search.run();
  steps -= search.steps();
  return found;
}

}  // namespace weft::collective
