#include "weft/collective/schedule.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "weft/collective/schedule_cost.h"

namespace weft::collective {
namespace {

ScheduleCost cost(Operation operation, Algorithm algorithm, const Layout& layout) {
  return cost_of(*make_schedule(operation, algorithm, layout));
}

void expect_cost(const ScheduleCost& cost, int steps, double path_share, const std::string& what) {
  EXPECT_EQ(cost.steps, steps) << what;
  EXPECT_NEAR(cost.path_share, path_share, 1e-9) << what;
}

int log2_up(int n) { return n == 1 ? 0 : std::bit_width(static_cast<unsigned>(n - 1)); }

// t = steps alpha + path S / B: Thakur, Rabenseifner & Gropp (2005), Sanders, Speck & Träff (2009), Bruck et al.
// (1997).
TEST(Schedule, StepsAndBytesAreThoseOfTheClosedForms) {
  using enum Operation;
  using enum Algorithm;
  for (int n = 2; n <= 64; ++n) {
    const std::string over = std::to_string(n);
    const double once = (n - 1.0) / n;
    expect_cost(cost(all_reduce, ring, {n}), 2 * (n - 1), 2 * once, "ring " + over);
    expect_cost(cost(all_gather, ring, {n}), n - 1, once, "ring all-gather " + over);
    expect_cost(cost(reduce_scatter, ring, {n}), n - 1, once, "ring reduce-scatter " + over);
    for (const int k : {1, 4, 32}) {
      expect_cost(cost(broadcast, ring, {n, 0, 0, k}), n - 2 + k, (n - 2.0 + k) / k, "ring broadcast " + over);
      expect_cost(cost(reduce, ring, {n, 0, 0, k}), n - 2 + k, (n - 2.0 + k) / k, "ring reduce " + over);
    }
    expect_cost(cost(broadcast, binomial, {n}), log2_up(n), log2_up(n), "binomial broadcast " + over);
    expect_cost(cost(reduce, binomial, {n}), log2_up(n), log2_up(n), "binomial reduce " + over);
    expect_cost(cost(all_to_all, pairwise, {n}), n - 1, once, "pairwise " + over);
    expect_cost(cost(all_to_all, direct, {n}), 1, once, "spread " + over);
    expect_cost(cost(all_reduce, one_shot, {n}), 1, n - 1, "one-shot " + over);
    expect_cost(cost(all_reduce, two_shot, {n}), 2, 2 * once, "two-shot " + over);
    expect_cost(cost(all_gather, bruck, {n}), log2_up(n), once, "Bruck all-gather " + over);
    expect_cost(cost(all_gather, pat, {n}), log2_up(n), once, "PAT all-gather " + over);
    expect_cost(cost(reduce_scatter, pat, {n}), log2_up(n), once, "PAT reduce-scatter " + over);
    expect_cost(cost(send_recv, direct, {n}), 1, 1, "send/recv " + over);
    expect_cost(cost(scatter, direct, {n}), 1, once, "scatter " + over);
    expect_cost(cost(gather, binomial, {n}), log2_up(n), once, "binomial gather " + over);
  }
}

TEST(Schedule, PowersOfTwoReachTheirOwnClosedForms) {
  using enum Operation;
  using enum Algorithm;
  for (int n = 2; n <= 256; n *= 2) {
    const int levels = log2_up(n);
    const double once = (n - 1.0) / n;
    expect_cost(cost(all_reduce, recursive_doubling, {n}), levels, levels, "recursive doubling");
    expect_cost(cost(all_gather, recursive_doubling, {n}), levels, once, "recursive doubling all-gather");
    expect_cost(cost(all_reduce, halving_doubling, {n}), 2 * levels, 2 * once, "halving-doubling");
    expect_cost(cost(reduce_scatter, halving_doubling, {n}), levels, once, "halving");
    // n blocks of s = S / n a pair: levels x n s / 2.
    expect_cost(cost(all_to_all, bruck, {n}), levels, levels / 2.0, "Bruck");
  }
}

// 2(g-1) alpha + 2(g-1)/g S/B inside and 2(m-1) alpha + 2(m-1)/m S/g/B across.
TEST(Schedule, AHierarchyPaysInsideAndThenAPartAcross) {
  for (const int g : {2, 4, 8}) {
    for (const int m : {2, 3, 16}) {
      const ScheduleCost all = cost(Operation::all_reduce, Algorithm::hierarchical, {g * m, g});
      expect_cost(all, 2 * (g - 1) + 2 * (m - 1), 2 * (g - 1.0) / g + 2 * (m - 1.0) / m / g, "hierarchical");
    }
  }
}

TEST(Schedule, ADoubleTreeMovesTwiceTheBufferAndALittle) {
  for (const int n : {8, 64, 100}) {
    const ScheduleCost once = cost(Operation::all_reduce, Algorithm::tree, {n});
    EXPECT_LE(once.steps, 2 * (log2_up(n) + 1));
    const int pieces = 512;
    const ScheduleCost piped = cost(Operation::all_reduce, Algorithm::tree, {n, 0, 0, pieces});
    EXPECT_EQ(piped.steps, once.steps + pieces - 1);
    EXPECT_LE(piped.sent_share, 2);
    EXPECT_LE(piped.received_share, 2);
    EXPECT_NEAR(piped.path_share, 2, 0.1);
  }
}

// In-switch reduction: each rank hands over S and gets its nth part, and the same backwards; SHARP behind a spread in
// the server: the fabric carries each byte once up and once down.
TEST(Schedule, SwitchesThatReduceHalveTheBytesOfARing) {
  for (const int n : {4, 8, 72}) {
    const ScheduleCost nvls = cost(Operation::all_reduce, Algorithm::nvls, {n});
    EXPECT_NEAR(nvls.sent_share, 1 + 1.0 / n, 1e-9);
    EXPECT_NEAR(nvls.received_share, 1 + 1.0 / n, 1e-9);
  }
  const ScheduleCost sharp = cost(Operation::all_reduce, Algorithm::collnet_direct, {64, 1});
  expect_cost(sharp, 2, 2, "SHARP, a GPU a server");
  EXPECT_NEAR(sharp.sent_share, 1, 1e-9);
}

TEST(Schedule, ARingOverManyRanksIsSmall) {
  const Result<Schedule> schedule = make_schedule(Operation::all_reduce, Algorithm::ring, {16'384});
  ASSERT_TRUE(schedule);
  EXPECT_LE(schedule->phases.size() * sizeof(Phase) + sizeof(Schedule), 300U);
  EXPECT_TRUE(schedule->symmetric());
}

TEST(Schedule, RefusesWhatAnAlgorithmCannotDo) {
  const Result<Schedule> schedule = make_schedule(Operation::broadcast, Algorithm::one_shot, {8});
  ASSERT_FALSE(schedule);
  EXPECT_EQ(schedule.error().to_string(),
            "error WEFT-COL-0001: one_shot does not do broadcast\n  hint: these do: ring, tree, binomial, direct\n");
  EXPECT_EQ(make_schedule(Operation::all_reduce, Algorithm::ring, {0}).error().id, "WEFT-COL-0002");
  EXPECT_EQ(make_schedule(Operation::all_reduce, Algorithm::hierarchical, {10, 4}).error().id, "WEFT-COL-0022");
  EXPECT_EQ(make_schedule(Operation::broadcast, Algorithm::ring, {8, 0, 8}).error().id, "WEFT-COL-0023");
  EXPECT_EQ(make_schedule(Operation::broadcast, Algorithm::ring, {8, 0, 0, 0}).error().id, "WEFT-COL-0023");
}

}  // namespace
}  // namespace weft::collective
