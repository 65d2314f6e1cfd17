// A schedule is a program, not a list: who sends what to whom at each step, as a function of rank and step.
//
// A buffer is cut into `chunks` equal chunks. A schedule is a short list of phases; in a phase every rank does the
// same thing at each step, to a peer and with chunks that follow from its rank and the step alone. So a ring over
// 16,384 ranks is two phases of a few dozen bytes, and ranks that a rotation or a relabelling maps onto each other
// are one. visit() expands one step lazily; nothing is stored per transfer.
//
//   pattern        peer of rank r at step s                     chunks sent
//   ring           r + 1 mod n                                  r + shift - s (mod n), one
//   xor_all        r ^ 2^s                                      all (recursive doubling)
//   xor_halving    r ^ (n / 2^(s+1))                            the half that the peer keeps
//   xor_doubling   r ^ 2^s                                      what r has gathered so far
//   tree_up/down   parent / children in a binary tree           the tree's half of the chunks
//   spread         every other rank at once                     the receiver's chunk, own chunk, or all
//
// Trees are the two complementary in-order binary trees of Sanders, Speck & Träff (2009), as NCCL builds them: each is
// interior where the other is a leaf; the second is the first mirrored (even n) or shifted (odd n).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/collective/operation.h"

namespace weft::collective {

enum class Pattern { ring, xor_all, xor_halving, xor_doubling, tree_up, tree_down, spread };
enum class SpreadOf { receivers_chunk, own_chunk, all };

struct Phase {
  Pattern pattern = Pattern::ring;
  int steps = 0;
  bool reduce = false;  // the receiver adds to what it has; otherwise it overwrites
  int shift = 0;        // ring
  int tree = 0;         // 0 or 1: which of the two trees
  SpreadOf spread = SpreadOf::receivers_chunk;
  bool with_previous = false;  // runs side by side with the phase before (the second tree)
};

struct Transfer {
  int from = 0;
  int to = 0;
  int first_chunk = 0;
  int chunks = 0;
  bool reduce = false;
};

struct Schedule {
  Operation operation = Operation::all_reduce;
  Algorithm algorithm = Algorithm::ring;
  int ranks = 0;
  int chunks = 1;
  std::vector<Phase> phases;
};

// Error when the algorithm does not do this operation or needs a power of two.
Result<Schedule> make_schedule(Operation operation, Algorithm algorithm, int ranks);

// Calls `visit` for every transfer of one step of one phase, in rank order.
void visit_step(const Schedule& schedule, const Phase& phase, int step,
                const std::function<void(const Transfer&)>& visit);

// Steps one after another, and the most that one rank sends, as a share of the whole buffer.
struct ScheduleCost {
  int steps = 0;
  double sent_share = 0;
};
[[nodiscard]] ScheduleCost cost_of(const Schedule& schedule);

// Parent of a rank in the in-order binary tree over n ranks; -1 for the root. tree 1 = the complement.
[[nodiscard]] int tree_parent(int rank, int ranks, int tree);
[[nodiscard]] int tree_depth(int rank, int ranks, int tree);
[[nodiscard]] int tree_height(int ranks);

}  // namespace weft::collective
