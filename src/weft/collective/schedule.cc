#include "weft/collective/schedule.h"

#include <algorithm>
#include <bit>

namespace weft::collective {
namespace {

int log2_of(int n) { return std::bit_width(static_cast<unsigned>(n)) - 1; }
bool power_of_two(int n) { return std::has_single_bit(static_cast<unsigned>(n)); }
int mod(int a, int n) { return ((a % n) + n) % n; }

// In-order tree: rank 0 is the root, above the highest power of two below n; a rank's lowest set bit is its level.
int in_order_parent(int rank, int ranks) {
  if (rank == 0) return -1;
  int bit = 1;
  while ((rank & bit) == 0) bit <<= 1;
  const int up = (rank ^ bit) | (bit << 1);
  return up >= ranks ? rank ^ bit : up;
}

void ring_phases(Schedule& schedule) {
  const int n = schedule.ranks;
  Phase reduce{Pattern::ring, n - 1, true};
  Phase gather{Pattern::ring, n - 1, false};
  schedule.chunks = n;
  switch (schedule.operation) {
    case Operation::all_reduce:
      gather.shift = 1;  // after the reduction rank r holds chunk r + 1
      schedule.phases = {reduce, gather};
      return;
    case Operation::reduce_scatter:
      reduce.shift = -1;  // so that rank r ends with chunk r
      schedule.phases = {reduce};
      return;
    case Operation::all_gather:
      schedule.phases = {gather};
      return;
    default:
      return;
  }
}

void tree_phases(Schedule& schedule) {
  const int height = tree_height(schedule.ranks);
  schedule.chunks = 2;
  for (const bool up : {true, false}) {
    for (int tree = 0; tree < 2; ++tree) {
      Phase phase{up ? Pattern::tree_up : Pattern::tree_down, height, up};
      phase.tree = tree;
      phase.with_previous = tree == 1;
      schedule.phases.push_back(phase);
    }
  }
}

void spread_phases(Schedule& schedule, Algorithm algorithm) {
  Phase phase{Pattern::spread, 1, false};
  if (algorithm == Algorithm::one_shot) {
    schedule.chunks = 1;
    phase.reduce = true;
    phase.spread = SpreadOf::all;
    schedule.phases = {phase};
    return;
  }
  schedule.chunks = schedule.ranks;
  Phase scatter = phase;
  scatter.reduce = true;
  scatter.spread = SpreadOf::receivers_chunk;
  phase.spread = SpreadOf::own_chunk;
  schedule.phases = {scatter, phase};
}

void visit_tree(const Schedule& schedule, const Phase& phase, int step,
                const std::function<void(const Transfer&)>& visit) {
  // Up: the deepest ranks first; down: the root first.
  const int level = phase.pattern == Pattern::tree_up ? phase.steps - step : step + 1;
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    if (tree_depth(rank, schedule.ranks, phase.tree) != level) continue;
    const int parent = tree_parent(rank, schedule.ranks, phase.tree);
    const bool up = phase.pattern == Pattern::tree_up;
    visit({up ? rank : parent, up ? parent : rank, phase.tree, 1, phase.reduce});
  }
}

// Halving: before step s a rank holds a block of n / 2^s chunks that it is responsible for.
Transfer halving(const Schedule& schedule, int rank, int step) {
  const int size = schedule.ranks >> (step + 1);
  const int peer = rank ^ size;
  return {rank, peer, peer / size * size, size, true};
}

Transfer doubling(int rank, int step) {
  const int size = 1 << step;
  return {rank, rank ^ size, rank / size * size, size, false};
}

void visit_spread(const Schedule& schedule, const Phase& phase, const std::function<void(const Transfer&)>& visit) {
  for (int from = 0; from < schedule.ranks; ++from) {
    for (int to = 0; to < schedule.ranks; ++to) {
      if (from == to) continue;
      const int chunk = phase.spread == SpreadOf::all ? 0 : phase.spread == SpreadOf::own_chunk ? from : to;
      visit({from, to, chunk, 1, phase.reduce});
    }
  }
}

Error cannot(Operation operation, Algorithm algorithm, const std::string& why) {
  return input_error("WEFT-COL-0001",
                     std::string(name_of(algorithm)) + " does not do " + std::string(name_of(operation)) + why);
}

}  // namespace

int tree_parent(int rank, int ranks, int tree) {
  if (tree == 0) return in_order_parent(rank, ranks);
  if (ranks % 2 == 0) {
    const int parent = in_order_parent(ranks - 1 - rank, ranks);
    return parent < 0 ? -1 : ranks - 1 - parent;
  }
  const int parent = in_order_parent(mod(rank - 1, ranks), ranks);
  return parent < 0 ? -1 : mod(parent + 1, ranks);
}

int tree_depth(int rank, int ranks, int tree) {
  int depth = 0;
  for (int at = tree_parent(rank, ranks, tree); at >= 0; at = tree_parent(at, ranks, tree)) ++depth;
  return depth;
}

int tree_height(int ranks) {
  int height = 0;
  for (int rank = 0; rank < ranks; ++rank) height = std::max(height, tree_depth(rank, ranks, 0));
  return height;
}

Result<Schedule> make_schedule(Operation operation, Algorithm algorithm, int ranks) {
  if (ranks < 1) return fail(input_error("WEFT-COL-0002", "a collective needs at least one rank"));
  Schedule schedule{operation, algorithm, ranks, 1, {}};
  const bool reduces = operation == Operation::all_reduce;
  switch (algorithm) {
    case Algorithm::ring:
      if (!reduces && operation != Operation::all_gather && operation != Operation::reduce_scatter) break;
      ring_phases(schedule);
      return schedule;
    case Algorithm::tree:
      if (!reduces) break;
      tree_phases(schedule);
      return schedule;
    case Algorithm::recursive_doubling:
    case Algorithm::halving_doubling:
      if (!power_of_two(ranks))
        return fail(cannot(operation, algorithm, " over " + std::to_string(ranks) + " ranks: it needs a power of two"));
      if (!reduces) break;
      if (algorithm == Algorithm::recursive_doubling) {
        schedule.phases = {{Pattern::xor_all, log2_of(ranks), true}};
      } else {
        schedule.chunks = ranks;
        schedule.phases = {{Pattern::xor_halving, log2_of(ranks), true},
                           {Pattern::xor_doubling, log2_of(ranks), false}};
      }
      return schedule;
    case Algorithm::one_shot:
    case Algorithm::two_shot:
      if (!reduces) break;
      spread_phases(schedule, algorithm);
      return schedule;
    default:
      break;
  }
  return fail(cannot(operation, algorithm, ""));
}

void visit_step(const Schedule& schedule, const Phase& phase, int step,
                const std::function<void(const Transfer&)>& visit) {
  const int n = schedule.ranks;
  if (phase.pattern == Pattern::spread) return visit_spread(schedule, phase, visit);
  if (phase.pattern == Pattern::tree_up || phase.pattern == Pattern::tree_down)
    return visit_tree(schedule, phase, step, visit);
  for (int rank = 0; rank < n; ++rank) {
    switch (phase.pattern) {
      case Pattern::ring:
        visit({rank, (rank + 1) % n, mod(rank + phase.shift - step, n), 1, phase.reduce});
        break;
      case Pattern::xor_all:
        visit({rank, rank ^ (1 << step), 0, 1, phase.reduce});
        break;
      case Pattern::xor_halving:
        visit(halving(schedule, rank, step));
        break;
      default:
        visit(doubling(rank, step));
        break;
    }
  }
}

ScheduleCost cost_of(const Schedule& schedule) {
  ScheduleCost cost;
  std::vector<std::int64_t> sent(static_cast<std::size_t>(schedule.ranks), 0);
  for (const Phase& phase : schedule.phases) {
    if (!phase.with_previous) cost.steps += phase.steps;
    for (int step = 0; step < phase.steps; ++step) {
      visit_step(schedule, phase, step, [&](const Transfer& t) { sent[static_cast<std::size_t>(t.from)] += t.chunks; });
    }
  }
  const std::int64_t most = *std::max_element(sent.begin(), sent.end());
  cost.sent_share = static_cast<double>(most) / schedule.chunks;
  return cost;
}

}  // namespace weft::collective
