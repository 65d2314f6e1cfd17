#include "weft/collective/holdings.h"

#include <algorithm>
#include <utility>

namespace weft::collective {

// Makes `at` a border between runs.
void Holdings::split(int at) {
  auto next = runs_.upper_bound(at);
  if (next == runs_.begin()) return;
  auto run = std::prev(next);
  if (run->first == at || run->second.end <= at) return;
  runs_.emplace_hint(next, at, Run{run->second.end, run->second.content});
  run->second.end = at;
}

// Joins the runs that meet at `at` when they hold the same.
void Holdings::join(int at) {
  const auto right = runs_.find(at);
  if (right == runs_.end() || right == runs_.begin()) return;
  const auto left = std::prev(right);
  if (left->second.end != at || left->second.content != right->second.content) return;
  left->second.end = right->second.end;
  runs_.erase(right);
}

void Holdings::set(int begin, int end, Content content) {
  if (begin >= end) return;
  split(begin);
  split(end);
  runs_.erase(runs_.lower_bound(begin), runs_.lower_bound(end));
  runs_.emplace(begin, Run{end, std::move(content)});
  join(begin);
  join(end);
}

Holdings::Sum Holdings::add(int begin, int end, const Content& content) {
  split(begin);
  split(end);
  int place = begin;
  auto run = runs_.lower_bound(begin);
  while (place < end) {
    if (run == runs_.end() || run->first > place) {
      // Nothing there yet, as in a switch.
      const int until = run == runs_.end() ? end : std::min(end, run->first);
      run = std::next(runs_.emplace_hint(run, place, Run{until, content}));
      place = until;
      continue;
    }
    if (run->second.content.bound_for != content.bound_for) return Sum::mixed;
    if (!run->second.content.of.add(content.of)) return Sum::doubled;
    place = run->second.end;
    ++run;
  }
  join(end);
  for (auto at = runs_.lower_bound(begin); at != runs_.end() && at->first < end;) {
    const int first = at->first;
    ++at;
    join(first);
  }
  return Sum::good;
}

bool Holdings::read(int begin, int end, const std::function<void(int, int, const Content&)>& visit) const {
  auto run = runs_.upper_bound(begin);
  if (run != runs_.begin()) --run;
  int place = begin;
  for (; place < end; ++run) {
    if (run == runs_.end() || run->first > place) return false;
    if (run->second.end <= place) continue;
    const int until = std::min(end, run->second.end);
    visit(place, until, run->second.content);
    place = until;
  }
  return true;
}

void for_each_run(const ChunkSet& set, int chunks, const std::function<void(int, int)>& visit) {
  for (int i = 0; i < set.count; ++i) {
    const int begin = static_cast<int>((set.first + static_cast<long>(i) * set.stride) % chunks);
    const int end = begin + set.run;
    visit(begin, std::min(end, chunks));
    if (end > chunks) visit(0, end - chunks);
  }
}

}  // namespace weft::collective
