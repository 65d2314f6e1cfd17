#include "weft/collective/contributions.h"

#include <algorithm>
#include <limits>

namespace weft::collective {
namespace {

// Counts along the ranks: at(i) for the arc that covers or follows a place.
struct Walk {
  const std::vector<Contributions::Arc>& arcs;
  std::size_t next = 0;
  // Count at `place`, and where it changes next.
  int at(int place, int& until) {
    while (next < arcs.size() && arcs[next].end <= place) ++next;
    if (next == arcs.size()) return 0;
    if (arcs[next].begin > place) {
      until = std::min(until, arcs[next].begin);
      return 0;
    }
    until = std::min(until, arcs[next].end);
    return arcs[next].count;
  }
};

constexpr int kEnd = std::numeric_limits<int>::max();

}  // namespace

void Contributions::append(int begin, int end, int count) {
  if (begin >= end || count == 0) return;
  if (!arcs_.empty() && arcs_.back().end == begin && arcs_.back().count == count)
    arcs_.back().end = end;
  else
    arcs_.push_back({begin, end, count});
}

bool Contributions::add(const Contributions& other) {
  if (other.arcs_.empty()) return true;
  if (arcs_.empty() || arcs_.back().end <= other.arcs_.front().begin) {
    for (const Arc& arc : other.arcs_) append(arc.begin, arc.end, arc.count);
    return true;
  }
  const std::vector<Arc> mine = std::move(arcs_);
  arcs_.clear();
  Walk a{mine};
  Walk b{other.arcs_};
  bool once = true;
  for (int place = 0; place != kEnd;) {
    int until = kEnd;
    const int count = a.at(place, until) + b.at(place, until);
    once = once && count <= 1;
    append(place, until, count);
    place = until;
  }
  return once;
}

Contributions Contributions::moved(int servers, int locals, int groups, int group) const {
  std::vector<Arc> pieces;
  const auto put = [&](int server, int begin, int end, int count) {  // within one server
    const int base = (server + servers) % groups * group;
    const int from = begin + locals;
    const int to = end + locals;
    pieces.push_back({base + std::min(from, group), base + std::min(to, group), count});
    pieces.push_back({base + std::max(from, group) - group, base + std::max(to, group) - group, count});
  };
  for (const Arc& arc : arcs_) {
    int place = arc.begin;
    while (place < arc.end) {
      const int server = place / group;
      const int whole = place % group == 0 ? (arc.end - place) / group : 0;
      if (whole > 0) {  // whole servers move as one, but for those that wrap around
        const int before = std::min(whole, std::max(0, groups - servers - server));
        const int to = (server + servers) * group;
        pieces.push_back({to, to + before * group, arc.count});
        const int wrapped = (server + before + servers - groups) * group;
        if (whole > before) pieces.push_back({wrapped, wrapped + (whole - before) * group, arc.count});
        place += whole * group;
        continue;
      }
      const int end = std::min(arc.end, (server + 1) * group);
      put(server, place - server * group, end - server * group, arc.count);
      place = end;
    }
  }
  std::sort(pieces.begin(), pieces.end(), [](const Arc& a, const Arc& b) { return a.begin < b.begin; });
  Contributions result;
  for (const Arc& piece : pieces) result.append(piece.begin, piece.end, piece.count);
  return result;
}

Contributions::Difference Contributions::difference(const Contributions& wanted, int ranks) const {
  Walk mine{arcs_};
  Walk theirs{wanted.arcs_};
  for (int place = 0; place < ranks;) {
    int until = kEnd;
    const int count = mine.at(place, until);
    if (count != theirs.at(place, until)) return {place, count};
    place = until;
  }
  return {};
}

}  // namespace weft::collective
