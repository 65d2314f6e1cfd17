// Whose contributions a piece of data is made of: how often each rank's is in it.
//
// As arcs of ranks with a count, sorted, none empty, equal neighbours joined: rings, trees and subtrees of ranks are
// one or two arcs, however many ranks there are.
#pragma once

#include <string>
#include <vector>

namespace weft::collective {

class Contributions {
 public:
  struct Arc {
    int begin = 0;
    int end = 0;
    int count = 1;
    bool operator==(const Arc&) const = default;
  };

  Contributions() = default;
  // Ranks [begin, end), once each.
  Contributions(int begin, int end) {
    if (begin < end) arcs_.push_back({begin, end, 1});
  }
  // False: some rank's is in it more than once.
  bool add(const Contributions& other);
  // The same seen from a rank that stands `servers` servers and `locals` places farther: (server, local) -> (server +
  // servers, local + locals), each around, over `groups` servers of `group`.
  [[nodiscard]] Contributions moved(int servers, int locals, int groups, int group) const;
  // The first of [0, ranks) whose count is not what `wanted` has, and its count; -1: all are.
  struct Difference {
    int rank = -1;
    int count = 0;
  };
  [[nodiscard]] Difference difference(const Contributions& wanted, int ranks) const;
  [[nodiscard]] const std::vector<Arc>& arcs() const { return arcs_; }
  bool operator==(const Contributions&) const = default;

 private:
  void append(int begin, int end, int count);
  std::vector<Arc> arcs_;
};

}  // namespace weft::collective
