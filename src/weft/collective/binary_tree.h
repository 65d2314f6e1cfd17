// The two complementary in-order binary trees of Sanders, Speck & Träff (2009), as NCCL builds them: each is interior
// where the other is a leaf; the second is the first mirrored (even n) or shifted (odd n).
#pragma once

#include <array>

namespace weft::collective {

// Parent of a node in the in-order tree over n nodes; -1 for the root. tree 0 or 1 = the complement.
[[nodiscard]] int tree_parent(int node, int nodes, int tree);
// Children, -1 where there is none; the root of tree 0 (node 0) has one.
[[nodiscard]] std::array<int, 2> tree_children(int node, int nodes, int tree);
[[nodiscard]] int tree_depth(int node, int nodes, int tree);
[[nodiscard]] int tree_height(int nodes);  // of both

}  // namespace weft::collective
