#include "weft/collective/schedule.h"

#include <algorithm>
#include <array>
#include <bit>

#include "weft/collective/binary_tree.h"

namespace weft::collective {
namespace {

int ceil_log2(int n) { return n <= 1 ? 0 : std::bit_width(static_cast<unsigned>(n - 1)); }
int floor_log2(int n) { return std::bit_width(static_cast<unsigned>(n)) - 1; }

Phase phase_of(Pattern pattern, int steps, bool reduce) {
  Phase phase;
  phase.pattern = pattern;
  phase.steps = steps;
  phase.reduce = reduce;
  return phase;
}

// A ring that reduces each block on its way to the one who keeps it, or hands on what each one has.
Phase ring(int size, bool reduce, bool across, int shift) {
  Phase phase = phase_of(Pattern::ring, size - 1, reduce);
  phase.across = across;
  phase.shift = shift;
  return phase;
}
Phase ring_scatter(int size, bool across) { return ring(size, true, across, -1); }
Phase ring_gather(int size, bool across) { return ring(size, false, across, 0); }

Phase spread(int size, bool reduce, Blocks blocks) {
  Phase phase = phase_of(Pattern::spread, size > 1 ? 1 : 0, reduce);
  phase.blocks = blocks;
  return phase;
}

Phase shift(int size, bool reduce, Blocks blocks, bool across = false) {
  Phase phase = phase_of(Pattern::shift, size - 1, reduce);
  phase.blocks = blocks;
  phase.across = across;
  return phase;
}

Phase switch_phase(Pattern pattern, bool reduce, Blocks blocks, bool network = false) {
  Phase phase = phase_of(pattern, 1, reduce);
  phase.blocks = blocks;
  phase.across = network;
  return phase;
}

// Every rank hands the switch all it has; the switch reduces; each rank takes its block. And back.
std::vector<Phase> switch_scatter() {
  return {switch_phase(Pattern::to_switch, true, Blocks::all), switch_phase(Pattern::from_switch, false, Blocks::own)};
}
std::vector<Phase> switch_gather() {
  return {switch_phase(Pattern::to_switch, false, Blocks::own), switch_phase(Pattern::from_switch, false, Blocks::all)};
}

using Phases = std::vector<Phase>;

Phases operator+(Phases phases, const Phases& more) {
  phases.insert(phases.end(), more.begin(), more.end());
  return phases;
}

void make_ring(Schedule& schedule) {
  const int n = schedule.ranks;
  schedule.chunks = n;
  switch (schedule.operation) {
    case Operation::all_reduce:
      schedule.phases = {ring_scatter(n, false), ring_gather(n, false)};
      return;
    case Operation::reduce_scatter:
      schedule.phases = {ring_scatter(n, false)};
      return;
    case Operation::all_gather:
      schedule.phases = {ring_gather(n, false)};
      return;
    default: {
      schedule.chunks = schedule.pieces;
      const bool reduce = schedule.operation == Operation::reduce;
      Phase chain = phase_of(Pattern::chain, n < 2 ? 0 : n - 2 + schedule.pieces, reduce);
      chain.towards_root = reduce;
      schedule.phases = {chain};
    }
  }
}

// Steps of a double tree over `nodes`: up and down a tree of that height, a step later for each further piece.
int tree_steps(int height, int passes, int pieces) { return height == 0 ? 0 : passes * height + pieces - 1; }

void make_tree(Schedule& schedule) {
  const bool both = schedule.operation == Operation::all_reduce;
  // The root of a broadcast or reduction stands above the roots of two trees over all others.
  const int height = both ? tree_height(schedule.ranks) : schedule.ranks < 2 ? 0 : tree_height(schedule.ranks - 1) + 1;
  schedule.chunks = 2 * schedule.pieces;
  Phase tree = phase_of(Pattern::double_tree, tree_steps(height, both ? 2 : 1, schedule.pieces), false);
  tree.up = schedule.operation != Operation::broadcast;
  tree.down = schedule.operation != Operation::reduce;
  schedule.phases = {tree};
}

// Ranks beyond a power of two hand their part to a neighbour first, and get the result from it in the end.
Phases folded(const Schedule& schedule, bool reduce, const Phases& inner) {
  Phase in = phase_of(Pattern::fold, 1, reduce);
  Phase out = phase_of(Pattern::fold, 1, false);
  out.towards_root = true;
  if (std::has_single_bit(static_cast<unsigned>(schedule.ranks))) return inner;
  return Phases{in} + inner + Phases{out};
}

void make_doubling(Schedule& schedule) {
  const int levels = floor_log2(schedule.ranks);
  const bool reduce = schedule.operation == Operation::all_reduce;
  schedule.chunks = reduce ? 1 : schedule.ranks;
  schedule.phases =
      folded(schedule, reduce, {phase_of(reduce ? Pattern::exchange : Pattern::doubling, levels, reduce)});
}

void make_halving(Schedule& schedule) {
  const int levels = floor_log2(schedule.ranks);
  schedule.chunks = schedule.ranks;
  Phases inner = {phase_of(Pattern::halving, levels, true)};
  if (schedule.operation == Operation::all_reduce) inner.push_back(phase_of(Pattern::doubling, levels, false));
  schedule.phases = folded(schedule, true, inner);
}

void make_binomial(Schedule& schedule) {
  const bool whole = schedule.operation == Operation::broadcast || schedule.operation == Operation::reduce;
  schedule.chunks = whole ? 1 : schedule.ranks;
  Phase phase = phase_of(Pattern::binomial, ceil_log2(schedule.ranks), schedule.operation == Operation::reduce);
  phase.towards_root = schedule.operation == Operation::reduce || schedule.operation == Operation::gather;
  phase.blocks = whole ? Blocks::all : Blocks::receivers;
  schedule.phases = {phase};
}

Blocks blocks_for(Operation operation) {
  switch (operation) {
    case Operation::all_to_all:
      return Blocks::slots;
    case Operation::all_gather:
    case Operation::gather:
      return Blocks::own;
    case Operation::broadcast:
    case Operation::reduce:
      return Blocks::all;
    default:
      return Blocks::receivers;
  }
}

void make_direct(Schedule& schedule, Pattern pattern) {
  const Operation operation = schedule.operation;
  const bool one_chunk =
      operation == Operation::broadcast || operation == Operation::reduce || operation == Operation::send_recv;
  schedule.chunks = one_chunk ? 1 : schedule.ranks;
  Phase phase = phase_of(pattern, pattern == Pattern::shift ? schedule.ranks - 1 : 1,
                         operation == Operation::reduce_scatter || operation == Operation::reduce);
  phase.blocks = blocks_for(operation);
  phase.towards_root = operation == Operation::gather || operation == Operation::reduce;
  if (operation == Operation::send_recv) {
    // As nccl-tests does it: each rank sends to the next.
    phase.pattern = Pattern::shift;
    phase.blocks = Blocks::all;
  }
  schedule.phases = {phase};
}

void make_logarithmic(Schedule& schedule, Pattern pattern) {
  schedule.chunks = schedule.ranks;
  schedule.phases = {phase_of(pattern, ceil_log2(schedule.ranks), schedule.operation == Operation::reduce_scatter)};
}

void make_nvls(Schedule& schedule) {
  schedule.chunks = schedule.ranks;
  schedule.switches = 1;
  if (schedule.operation != Operation::all_gather) schedule.phases = switch_scatter();
  if (schedule.operation != Operation::reduce_scatter) schedule.phases = schedule.phases + switch_gather();
}

void make_nvls_tree(Schedule& schedule) {
  schedule.chunks = 2 * schedule.group * schedule.pieces;
  schedule.switches = schedule.servers();
  Phase tree = phase_of(Pattern::double_tree, tree_steps(tree_height(schedule.servers()), 2, schedule.pieces), false);
  tree.across = tree.up = tree.down = true;
  schedule.phases = switch_scatter() + Phases{tree} + switch_gather();
}

// The network's switches reduce: one chunk a local index, whose rank is the head of its server for it.
void make_collnet(Schedule& schedule) {
  schedule.chunks = schedule.group;
  schedule.switches = 1;
  const bool direct = schedule.algorithm == Algorithm::collnet_direct;
  const Phases network = {switch_phase(Pattern::to_switch, true, Blocks::own, true),
                          switch_phase(Pattern::from_switch, false, Blocks::own, true)};
  const Phases in = {direct ? spread(schedule.group, true, Blocks::receivers) : ring_scatter(schedule.group, false)};
  const Phases out = {direct ? spread(schedule.group, false, Blocks::own) : ring_gather(schedule.group, false)};
  schedule.phases = in + network + out;
}

void make_hierarchical(Schedule& schedule) {
  const int g = schedule.group;
  const int m = schedule.servers();
  schedule.chunks = schedule.ranks;
  if (schedule.operation == Operation::all_to_all) {
    schedule.phases = {shift(g, false, Blocks::slots), shift(m, false, Blocks::slots, true)};
    return;
  }
  if (schedule.operation != Operation::all_gather) schedule.phases = {ring_scatter(g, false), ring_scatter(m, true)};
  if (schedule.operation != Operation::reduce_scatter)
    schedule.phases = schedule.phases + Phases{ring_gather(m, true), ring_gather(g, false)};
}

void make_shots(Schedule& schedule) {
  if (schedule.algorithm == Algorithm::one_shot) {
    schedule.phases = {spread(schedule.group, true, Blocks::all)};
    return;
  }
  schedule.chunks = schedule.ranks;
  schedule.phases = {spread(schedule.group, true, Blocks::receivers), spread(schedule.group, false, Blocks::own)};
}

using OperationSet = unsigned;
constexpr OperationSet bit(Operation operation) { return 1U << static_cast<unsigned>(operation); }

struct Known {
  Algorithm algorithm;
  OperationSet operations;
  void (*make)(Schedule&);
  bool servers = false;
};

constexpr OperationSet kGathers = bit(Operation::all_gather) | bit(Operation::reduce_scatter);
constexpr OperationSet kAllReduce = bit(Operation::all_reduce);
constexpr OperationSet kFromOne = bit(Operation::broadcast) | bit(Operation::reduce);
constexpr OperationSet kPartsOfOne = bit(Operation::gather) | bit(Operation::scatter);
constexpr OperationSet kAllToAll = bit(Operation::all_to_all);

const std::array<Known, 17> kKnown = {{
    {Algorithm::ring, kAllReduce | kGathers | kFromOne, make_ring},
    {Algorithm::tree, kAllReduce | kFromOne, make_tree},
    {Algorithm::recursive_doubling, kAllReduce | bit(Operation::all_gather), make_doubling},
    {Algorithm::halving_doubling, kAllReduce | bit(Operation::reduce_scatter), make_halving},
    {Algorithm::binomial, kFromOne | kPartsOfOne, make_binomial},
    {Algorithm::bruck, kAllToAll | bit(Operation::all_gather),
     [](Schedule& s) {
       make_logarithmic(s, s.operation == Operation::all_to_all ? Pattern::bruck : Pattern::bruck_gather);
     }},
    {Algorithm::pairwise, kAllToAll | kGathers, [](Schedule& s) { make_direct(s, Pattern::shift); }},
    {Algorithm::direct, kAllToAll | kGathers | kFromOne | kPartsOfOne | bit(Operation::send_recv),
     [](Schedule& s) { make_direct(s, Pattern::spread); }},
    {Algorithm::pat, kGathers, [](Schedule& s) { make_logarithmic(s, Pattern::pat); }},
    {Algorithm::nvls, kAllReduce | kGathers, make_nvls},
    {Algorithm::nvls_tree, kAllReduce, make_nvls_tree, true},
    {Algorithm::collnet_direct, kAllReduce, make_collnet, true},
    {Algorithm::collnet_chain, kAllReduce, make_collnet, true},
    {Algorithm::hierarchical, kAllReduce | kGathers | kAllToAll, make_hierarchical, true},
    {Algorithm::one_shot, kAllReduce, make_shots},
    {Algorithm::two_shot, kAllReduce, make_shots},
    {Algorithm::multimem, kAllReduce, make_nvls},
}};

const Known& known(Algorithm algorithm) { return kKnown[static_cast<std::size_t>(algorithm)]; }

Error cannot(Operation operation, Algorithm algorithm) {
  std::string those;
  for (const Algorithm other : algorithms_for(operation))
    those += (those.empty() ? "" : ", ") + std::string(name_of(other));
  return input_error("WEFT-COL-0001",
                     std::string(name_of(algorithm)) + " does not do " + std::string(name_of(operation)))
      .with_hint("these do: " + those);
}

}  // namespace

std::vector<Algorithm> algorithms_for(Operation operation) {
  std::vector<Algorithm> found;
  for (const Known& entry : kKnown) {
    if ((entry.operations & bit(operation)) != 0) found.push_back(entry.algorithm);
  }
  return found;
}

bool heeds_servers(Algorithm algorithm) { return known(algorithm).servers; }

bool Schedule::symmetric() const {
  const bool rooted = (bit(operation) & (kFromOne | kPartsOfOne)) != 0;
  return !rooted && std::all_of(phases.begin(), phases.end(), [](const Phase& phase) {
    constexpr std::array<Pattern, 6> kSame = {Pattern::ring,  Pattern::spread,       Pattern::shift,
                                              Pattern::bruck, Pattern::bruck_gather, Pattern::pat};
    return std::find(kSame.begin(), kSame.end(), phase.pattern) != kSame.end();
  });
}

Result<Schedule> make_schedule(Operation operation, Algorithm algorithm, const Layout& layout) {
  if (layout.ranks < 1) return fail(input_error("WEFT-COL-0002", "a collective needs at least one rank"));
  const int group = heeds_servers(algorithm) && layout.group > 0 ? layout.group : layout.ranks;
  if (layout.ranks % group != 0)
    return fail(input_error("WEFT-COL-0022", std::to_string(layout.ranks) +
                                                 " ranks are no whole number of servers of " + std::to_string(group)));
  if (layout.root < 0 || layout.root >= layout.ranks || layout.pieces < 1)
    return fail(input_error("WEFT-COL-0023", "the root is one of the ranks, and there is at least one piece"));
  if ((known(algorithm).operations & bit(operation)) == 0) return fail(cannot(operation, algorithm));
  Schedule schedule{operation, algorithm, layout.ranks, group, layout.root, layout.pieces, 1, 0, {}};
  known(algorithm).make(schedule);
  std::erase_if(schedule.phases, [](const Phase& phase) { return phase.steps == 0; });
  return schedule;
}

}  // namespace weft::collective
