// A schedule is a program, not a list: who sends what to whom at each step, as a function of rank and step.
//
// A buffer is cut into `chunks` equal chunks. A schedule is a short list of phases; in a phase every node does the same
// thing at each step, to a peer and with chunks that follow from its rank and the step alone (patterns below). So a
// ring over 16,384 ranks is two phases of a few dozen bytes. transfers_from() expands one node's part of one step;
// nothing is stored per transfer. Transfers of one step read what stood before it.
//
// Ranks stand in groups: `group` of them a server, n = servers x group; rank r is local r % group of server r / group.
// What heeds no servers has one group. Nodes above the ranks are switches that reduce and multicast: one a server
// (NVSwitch), or one for the network (SHARP).
//
//   pattern       peer of rank r at step s              chunks
//   ring          next in the server, or next server's  block of index + shift - s
//   spread        all others of the server at once      the receiver's block, one's own, all, or the slots for it
//   shift         the s + 1st next                      the same
//   chain         next from the root on, or to it       piece s - distance: pipelined
//   double_tree   parents and children in two binary trees, up, down or both; pieces pipelined
//   fold          the odd one of a pair, so that a power of two is left (in), and back (out)
//   exchange      r ^ 2^s                               all (recursive doubling)
//   halving       r ^ (p / 2^(s+1))                     the half that the peer keeps
//   doubling      r ^ 2^s                               what r has gathered so far
//   binomial      2^k away from the root                all, or the block of the peer's subtree
//   bruck         r + 2^s                               slots with bit s set
//   bruck_gather  r - 2^s                               what r has gathered so far
//   pat           2^k away, farthest first              one of each of the trees that r is in
//   to_switch, from_switch                              all, own block
//
// A slot is a chunk by offset: of an all-to-all, slot o of rank r first holds its block for rank r + o and in the end
// the block from rank r - o.
#pragma once

#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/collective/operation.h"

namespace weft::collective {

enum class Pattern {
  ring,
  spread,
  shift,
  chain,
  double_tree,
  fold,
  exchange,
  halving,
  doubling,
  binomial,
  bruck,
  bruck_gather,
  pat,
  to_switch,
  from_switch
};

// Which chunks a transfer carries, where the pattern leaves it open.
enum class Blocks { receivers, own, all, slots };

struct Phase {
  Pattern pattern = Pattern::ring;
  int steps = 0;
  bool reduce = false;        // the receiver adds to what it has; otherwise it overwrites
  bool across = false;        // between servers, among ranks of the same local index; otherwise inside a server
  bool towards_root = false;  // chain, binomial; fold: out
  bool up = false;            // double_tree
  bool down = false;
  int shift = 0;  // ring
  Blocks blocks = Blocks::receivers;
};

// `count` runs of `run` chunks, `stride` apart, from `first` on; indices wrap around.
struct ChunkSet {
  int first = 0;
  int run = 1;
  int stride = 1;
  int count = 1;
  [[nodiscard]] int chunks() const { return run * count; }
};

struct Transfer {
  int from = 0;
  int to = 0;
  ChunkSet what;
  bool reduce = false;
};

// How the ranks stand, and how finely pipelined algorithms cut their part.
struct Layout {
  int ranks = 1;
  int group = 0;   // ranks a server; 0 = all on one
  int root = 0;    // of broadcast, reduce, gather, scatter
  int pieces = 1;  // of chain and double_tree, a tree
};

struct Schedule {
  Operation operation = Operation::all_reduce;
  Algorithm algorithm = Algorithm::ring;
  int ranks = 0;
  int group = 0;
  int root = 0;
  int pieces = 1;
  int chunks = 1;
  int switches = 0;  // nodes above the ranks
  std::vector<Phase> phases;

  [[nodiscard]] int servers() const { return ranks / group; }
  [[nodiscard]] int nodes() const { return ranks + switches; }
  // All ranks do the same, seen from where they stand: one stands for all.
  [[nodiscard]] bool symmetric() const;
};

// Error when the algorithm does not do this operation, or the layout is none.
Result<Schedule> make_schedule(Operation operation, Algorithm algorithm, const Layout& layout);
// Algorithms that do an operation, in the order of the enumeration.
[[nodiscard]] std::vector<Algorithm> algorithms_for(Operation operation);
// Those that make a difference between ranks of one server and of another.
[[nodiscard]] bool heeds_servers(Algorithm algorithm);

// Appends what `node` sends at one step of a phase.
void transfers_from(const Schedule& schedule, const Phase& phase, int step, int node, std::vector<Transfer>& out);
// Appends what anyone sends at one step; asks only those who can have something to send.
void transfers_of_step(const Schedule& schedule, const Phase& phase, int step, std::vector<Transfer>& out);

}  // namespace weft::collective
