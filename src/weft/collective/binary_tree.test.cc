#include "weft/collective/binary_tree.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace weft::collective {
namespace {

TEST(BinaryTree, ChildrenAndParentsAgreeAndEveryoneIsReached) {
  for (int n = 1; n <= 300; ++n) {
    for (int tree = 0; tree < 2; ++tree) {
      int edges = 0;
      int roots = 0;
      for (int node = 0; node < n; ++node) {
        roots += tree_parent(node, n, tree) < 0 ? 1 : 0;
        for (const int child : tree_children(node, n, tree)) {
          if (child < 0) continue;
          ++edges;
          EXPECT_EQ(tree_parent(child, n, tree), node) << n;
        }
      }
      EXPECT_EQ(edges, n - 1) << n;
      EXPECT_EQ(roots, 1) << n;
    }
  }
}

TEST(BinaryTree, TheTwoAreComplementaryAndShallow) {
  for (int n = 2; n <= 300; ++n) {
    int interior_in_both = 0;
    for (int node = 0; node < n; ++node) {
      bool interior[2] = {false, false};
      for (int tree = 0; tree < 2; ++tree) {
        const auto children = tree_children(node, n, tree);
        interior[tree] = (children[0] >= 0 || children[1] >= 0) && tree_parent(node, n, tree) >= 0;
      }
      interior_in_both += interior[0] && interior[1] ? 1 : 0;
    }
    EXPECT_EQ(interior_in_both, 0) << n;
    EXPECT_LE(tree_height(n), std::bit_width(static_cast<unsigned>(n))) << n;
  }
}

}  // namespace
}  // namespace weft::collective
