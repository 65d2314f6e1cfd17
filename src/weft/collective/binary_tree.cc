#include "weft/collective/binary_tree.h"

#include <algorithm>

namespace weft::collective {
namespace {

// Node 0 is the root, above the highest power of two below n; a node's lowest set bit is its level.
int in_order_parent(int node, int nodes) {
  if (node == 0) return -1;
  const int bit = node & -node;
  const int up = (node ^ bit) | (bit << 1);
  return up >= nodes ? node ^ bit : up;
}

int highest_bit_below(int nodes) {
  int bit = 1;
  while (bit << 1 < nodes) bit <<= 1;
  return bit;
}

std::array<int, 2> in_order_children(int node, int nodes) {
  if (nodes < 2) return {-1, -1};
  if (node == 0) return {highest_bit_below(nodes), -1};
  const int bit = node & -node;
  std::array<int, 2> children = {-1, -1};
  if (bit == 1) return children;
  children[0] = node - bit / 2;
  // The upper half may be cut off: its topmost node that exists is the child.
  for (int step = bit / 2; step > 0 && children[1] < 0; step /= 2) {
    if (node + step < nodes) children[1] = node + step;
  }
  return children;
}

int to_first(int node, int nodes, int tree) {
  if (tree == 0) return node;
  return nodes % 2 == 0 ? nodes - 1 - node : (node + nodes - 1) % nodes;
}

int from_first(int node, int nodes, int tree) {
  if (node < 0 || tree == 0) return node;
  return nodes % 2 == 0 ? nodes - 1 - node : (node + 1) % nodes;
}

}  // namespace

int tree_parent(int node, int nodes, int tree) {
  return from_first(in_order_parent(to_first(node, nodes, tree), nodes), nodes, tree);
}

std::array<int, 2> tree_children(int node, int nodes, int tree) {
  std::array<int, 2> children = in_order_children(to_first(node, nodes, tree), nodes);
  for (int& child : children) child = from_first(child, nodes, tree);
  return children;
}

int tree_depth(int node, int nodes, int tree) {
  int depth = 0;
  for (int at = tree_parent(node, nodes, tree); at >= 0; at = tree_parent(at, nodes, tree)) ++depth;
  return depth;
}

int tree_height(int nodes) {
  int height = 0;
  // The deepest node is on the way to the last ones: below the root the tree is full but for its right edge.
  for (int node = 0; node < nodes; ++node) height = std::max(height, tree_depth(node, nodes, 0));
  return height;
}

}  // namespace weft::collective
