// The patterns of schedule.h, one function each: what a node sends at a step.
#include <algorithm>

#include "weft/collective/binary_tree.h"
#include "weft/collective/places.h"
#include "weft/collective/schedule.h"

namespace weft::collective {
namespace {

int mod(int a, int n) { return ((a % n) + n) % n; }

// One node at one step, and where it stands.
struct Sender {
  const Schedule& schedule;
  const Phase& phase;
  int step;
  int node;
  std::vector<Transfer>& out;

  [[nodiscard]] int n() const { return schedule.ranks; }
  [[nodiscard]] int g() const { return schedule.group; }
  [[nodiscard]] int local() const { return node % g(); }
  [[nodiscard]] int server() const { return node / g(); }
  // Index and size of the dimension that the phase runs along.
  [[nodiscard]] int index() const { return phase.across ? server() : local(); }
  [[nodiscard]] int size() const { return phase.across ? schedule.servers() : g(); }
  [[nodiscard]] int rank_at(int i) const { return phase.across ? i * g() + local() : server() * g() + i; }
  // Distance from the root, around the ranks.
  [[nodiscard]] int relative() const { return mod(node - schedule.root, n()); }
  [[nodiscard]] int absolute(int relative) const { return (relative + schedule.root) % n(); }

  [[nodiscard]] ChunkSet all() const { return {0, schedule.chunks, 1, 1}; }
  // What belongs to the i-th of a server (one chunk for each server), or to the i-th server's rank of this local index.
  [[nodiscard]] ChunkSet block(int i) const {
    if (phase.across) return {i * g() + local(), 1, 1, 1};
    return {i, 1, g(), schedule.chunks / g()};
  }
  void send(int to, const ChunkSet& what) const { out.push_back({node, to, what, phase.reduce}); }
};

void send_ring(const Sender& s) {
  s.send(s.rank_at((s.index() + 1) % s.size()), s.block(mod(s.index() + s.phase.shift - s.step, s.size())));
}

void send_to_offset(const Sender& s, int offset) {
  const int peer = (s.index() + offset) % s.size();
  if (peer == s.index()) return;
  switch (s.phase.blocks) {
    case Blocks::receivers:
      return s.send(s.rank_at(peer), s.block(peer));
    case Blocks::own:
      return s.send(s.rank_at(peer), s.block(s.index()));
    case Blocks::all:
      return s.send(s.rank_at(peer), s.all());
    case Blocks::slots:
      return s.send(s.rank_at(peer), s.phase.across ? ChunkSet{offset * s.g(), s.g(), 1, 1} : s.block(offset));
  }
}

bool has_root(Operation operation) {
  return operation == Operation::broadcast || operation == Operation::reduce || operation == Operation::gather ||
         operation == Operation::scatter;
}

void send_spread(const Sender& s) {
  if (has_root(s.schedule.operation)) {
    const bool is_root = s.node == s.schedule.root;
    if (s.phase.towards_root && !is_root) return send_to_offset(s, mod(s.schedule.root - s.node, s.n()));
    if (s.phase.towards_root || !is_root) return;
  }
  for (int offset = 1; offset < s.size(); ++offset) send_to_offset(s, offset);
}

void send_chain(const Sender& s) {
  const int from_root = s.relative();
  const int place = s.phase.towards_root ? s.n() - 1 - from_root : from_root;
  const int piece = s.step - place;
  if (place == s.n() - 1 || piece < 0 || piece >= s.schedule.pieces) return;
  s.send(s.absolute(s.phase.towards_root ? from_root - 1 : from_root + 1), {piece, 1, 1, 1});
}

// A double tree over all ranks, over the servers (one for each local index), or over all but a root that stands above
// the roots of both.
struct TreeRun {
  const Sender& s;
  int nodes;
  int index;  // -1: the root above
  int height;
  bool rooted;

  explicit TreeRun(const Sender& sender) : s(sender) {
    rooted = has_root(s.schedule.operation);
    nodes = rooted ? s.n() - 1 : s.phase.across ? s.schedule.servers() : s.n();
    index = rooted ? s.relative() - 1 : s.phase.across ? s.server() : s.node;
    const int passes = s.phase.up && s.phase.down ? 2 : 1;
    height = (s.phase.steps - s.schedule.pieces + 1) / passes;
  }
  [[nodiscard]] int rank_of(int i) const {
    if (rooted) return s.absolute(i + 1);
    return s.phase.across ? s.rank_at(i) : i;
  }
  [[nodiscard]] int depth(int tree) const { return index < 0 ? 0 : tree_depth(index, nodes, tree) + (rooted ? 1 : 0); }
  [[nodiscard]] int parent(int tree) const {
    if (index < 0) return -1;
    const int above = tree_parent(index, nodes, tree);
    if (above >= 0) return rank_of(above);
    return rooted ? s.schedule.root : -1;
  }
  [[nodiscard]] int tree_root(int tree) const {
    for (int at = 0;;) {
      const int above = tree_parent(at, nodes, tree);
      if (above < 0) return at;
      at = above;
    }
  }
  void send_piece(int tree, int piece, int to, bool reduce) const {
    if (piece < 0 || piece >= s.schedule.pieces || to < 0) return;
    const int head = s.phase.across ? 2 * s.local() : 0;
    s.out.push_back({s.node, to, {(head + tree) * s.schedule.pieces + piece, 1, 1, 1}, reduce});
  }
  void send(int tree) const {
    const int at = depth(tree);
    if (s.phase.up && at > 0) send_piece(tree, s.step - (height - at), parent(tree), true);
    if (!s.phase.down) return;
    const int piece = s.step - (s.phase.up ? height : 0) - at;
    if (index < 0) return send_piece(tree, piece, rank_of(tree_root(tree)), false);
    for (const int child : tree_children(index, nodes, tree))
      send_piece(tree, piece, child < 0 ? -1 : rank_of(child), false);
  }
};

void send_double_tree(const Sender& s) {
  const TreeRun run(s);
  for (int tree = 0; tree < 2; ++tree) run.send(tree);
}

void send_fold(const Sender& s) {
  const Places places(s.n());
  if (s.node >= 2 * places.extra || (s.node % 2 == 1) != s.phase.towards_root) return;
  const int peer = s.node ^ 1;
  const int even = s.node & ~1;
  const bool all = s.schedule.operation == Operation::all_reduce ||
                   s.phase.towards_root == (s.schedule.operation == Operation::all_gather);
  s.send(peer, all ? s.all() : ChunkSet{even, 1, 1, 1});
}

void send_power_of_two(const Sender& s) {
  const Places places(s.n());
  const int place = places.place_of(s.node);
  if (place < 0) return;
  const int size = s.phase.pattern == Pattern::halving ? places.power >> (s.step + 1) : 1 << s.step;
  const int peer = place ^ size;
  if (s.phase.pattern == Pattern::exchange) return s.send(places.rank_of(peer), s.all());
  const int base = (s.phase.pattern == Pattern::halving ? peer : place) / size * size;
  s.send(places.rank_of(peer), {places.begin(base), places.begin(base + size) - places.begin(base), 1, 1});
}

void send_binomial(const Sender& s) {
  const int v = s.relative();
  const int bit = 1 << (s.phase.towards_root ? s.step : s.phase.steps - 1 - s.step);
  const auto subtree = [&](int from) {
    return s.phase.blocks == Blocks::all ? s.all() : ChunkSet{s.absolute(from), std::min(bit, s.n() - from), 1, 1};
  };
  if (s.phase.towards_root) {
    if (v % (2 * bit) == bit) s.send(s.absolute(v - bit), subtree(v));
  } else if (v % (2 * bit) == 0 && v + bit < s.n()) {
    s.send(s.absolute(v + bit), subtree(v + bit));
  }
}

void send_bruck(const Sender& s) {
  const int bit = 1 << s.step;
  const int peer = (s.node + bit) % s.n();
  const int whole = s.n() / (2 * bit);
  const int rest = std::min(bit, s.n() - whole * 2 * bit - bit);
  if (whole > 0) s.send(peer, {bit, bit, 2 * bit, whole});
  if (rest > 0) s.send(peer, {whole * 2 * bit + bit, rest, 1, 1});
}

void send_bruck_gather(const Sender& s) {
  const int bit = 1 << s.step;
  s.send(mod(s.node - bit, s.n()), {s.node, std::min(bit, s.n() - bit), 1, 1});
}

// A binomial tree from each rank, farthest first; a rank is in all of them at different places. Reduce-scatter is the
// same backwards. Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter operations at scale" (2025).
void send_pat(const Sender& s) {
  const int bit = 1 << (s.phase.reduce ? s.step : s.phase.steps - 1 - s.step);
  const int trees = (s.n() - bit + 2 * bit - 1) / (2 * bit);
  const int nearest = s.phase.reduce ? s.node - bit : s.node;
  s.send(mod(s.phase.reduce ? s.node - bit : s.node + bit, s.n()),
         {mod(nearest - (trees - 1) * 2 * bit, s.n()), 1, 2 * bit, trees});
}

// What a local index is the head of.
ChunkSet heads_block(const Sender& s, int local) {
  const int each = s.schedule.chunks / s.g();
  return {local * each, each, 1, 1};
}

void send_to_switch(const Sender& s) {
  if (s.node >= s.n()) return;
  s.send(s.phase.across ? s.n() : s.n() + s.server(),
         s.phase.blocks == Blocks::all ? s.all() : heads_block(s, s.local()));
}

void send_from_switch(const Sender& s) {
  if (s.node < s.n()) return;
  const int first = s.phase.across ? 0 : (s.node - s.n()) * s.g();
  const int receivers = s.phase.across ? s.n() : s.g();
  for (int rank = first; rank < first + receivers; ++rank)
    s.send(rank, s.phase.blocks == Blocks::all ? s.all() : heads_block(s, rank % s.g()));
}

}  // namespace

void transfers_from(const Schedule& schedule, const Phase& phase, int step, int node, std::vector<Transfer>& out) {
  const Sender sender{schedule, phase, step, node, out};
  if (phase.pattern == Pattern::from_switch) return send_from_switch(sender);
  if (node >= schedule.ranks) return;
  switch (phase.pattern) {
    case Pattern::ring:
      return send_ring(sender);
    case Pattern::spread:
      return send_spread(sender);
    case Pattern::shift:
      return send_to_offset(sender, step + 1);
    case Pattern::chain:
      return send_chain(sender);
    case Pattern::double_tree:
      return send_double_tree(sender);
    case Pattern::fold:
      return send_fold(sender);
    case Pattern::exchange:
    case Pattern::halving:
    case Pattern::doubling:
      return send_power_of_two(sender);
    case Pattern::binomial:
      return send_binomial(sender);
    case Pattern::bruck:
      return send_bruck(sender);
    case Pattern::bruck_gather:
      return send_bruck_gather(sender);
    case Pattern::pat:
      return send_pat(sender);
    case Pattern::to_switch:
      return send_to_switch(sender);
    case Pattern::from_switch:
      return;
  }
}

void transfers_of_step(const Schedule& schedule, const Phase& phase, int step, std::vector<Transfer>& out) {
  int first = phase.pattern == Pattern::from_switch ? schedule.ranks : 0;
  int last = phase.pattern == Pattern::from_switch ? schedule.nodes() : schedule.ranks;
  if (phase.pattern == Pattern::chain) {
    // Only those whom a piece has reached, or everyone would be asked at each of as many steps as there are ranks.
    const int from = std::max(0, step - schedule.pieces + 1);
    const int to = std::min(schedule.ranks - 2, step);
    first = phase.towards_root ? schedule.ranks - 1 - to : from;
    last = 1 + (phase.towards_root ? schedule.ranks - 1 - from : to);
    for (int place = first; place < last; ++place)
      transfers_from(schedule, phase, step, (place + schedule.root) % schedule.ranks, out);
    return;
  }
  for (int node = first; node < last; ++node) transfers_from(schedule, phase, step, node, out);
}

}  // namespace weft::collective
