#include "weft/collective/contributions.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft::collective {
namespace {

constexpr int kServers = 3;
constexpr int kGroup = 4;
constexpr int kRanks = kServers * kGroup;
using Counts = std::vector<int>;

Contributions from(const Counts& counts) {
  Contributions all;
  for (int rank = 0; rank < static_cast<int>(counts.size()); ++rank) {
    for (int i = 0; i < counts[static_cast<std::size_t>(rank)]; ++i) all.add(Contributions(rank, rank + 1));
  }
  return all;
}

Counts some_counts() { return *rc::gen::container<Counts>(kRanks, rc::gen::inRange(0, 3)); }

RC_GTEST_PROP(Contributions, AddingIsAddingTheCountsOfEachRank, ()) {
  const Counts a = some_counts();
  const Counts b = some_counts();
  Counts sum(kRanks, 0);
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = a[i] + b[i];
  Contributions added = from(a);
  added.add(from(b));
  RC_ASSERT(added == from(sum));
  RC_ASSERT(added.difference(from(sum), kRanks).rank == -1);
}

RC_GTEST_PROP(Contributions, MovingMovesEachRankAroundItsServerAndTheServersAround, ()) {
  const Counts counts = some_counts();
  const int servers = *rc::gen::inRange(0, kServers);
  const int locals = *rc::gen::inRange(0, kGroup);
  Counts moved(kRanks, 0);
  for (int rank = 0; rank < kRanks; ++rank) {
    const int to = (rank / kGroup + servers) % kServers * kGroup + (rank % kGroup + locals) % kGroup;
    moved[static_cast<std::size_t>(to)] = counts[static_cast<std::size_t>(rank)];
  }
  RC_ASSERT(from(counts).moved(servers, locals, kServers, kGroup) == from(moved));
}

TEST(Contributions, FindTheFirstDifference) {
  Contributions held(0, 4);
  held.add(Contributions(2, 3));
  const Contributions::Difference twice = held.difference(Contributions(0, 4), 4);
  EXPECT_EQ(twice.rank, 2);
  EXPECT_EQ(twice.count, 2);
  EXPECT_EQ(Contributions(0, 3).difference(Contributions(0, 4), 4).rank, 3);
}

}  // namespace
}  // namespace weft::collective
