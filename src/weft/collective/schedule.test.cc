#include "weft/collective/schedule.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "weft/collective/checker.h"

namespace weft::collective {
namespace {

constexpr int kMostRanks = 64;

void expect_right(Operation operation, Algorithm algorithm, int ranks) {
  const Result<Schedule> schedule = make_schedule(operation, algorithm, ranks);
  ASSERT_TRUE(schedule) << schedule.error().to_string();
  EXPECT_EQ(check_schedule(*schedule), "") << name_of(operation) << " by " << name_of(algorithm) << " over " << ranks;
}

TEST(Schedule, RingDoesWhatItPromisesForEveryRankCount) {
  for (int n = 1; n <= kMostRanks; ++n) {
    expect_right(Operation::all_reduce, Algorithm::ring, n);
    expect_right(Operation::all_gather, Algorithm::ring, n);
    expect_right(Operation::reduce_scatter, Algorithm::ring, n);
  }
}

TEST(Schedule, TreeOneShotAndTwoShotDoWhatTheyPromiseForEveryRankCount) {
  for (int n = 1; n <= kMostRanks; ++n) {
    expect_right(Operation::all_reduce, Algorithm::tree, n);
    expect_right(Operation::all_reduce, Algorithm::one_shot, n);
    expect_right(Operation::all_reduce, Algorithm::two_shot, n);
  }
}

TEST(Schedule, DoublingNeedsAPowerOfTwo) {
  for (int n = 1; n <= kMostRanks; ++n) {
    for (const Algorithm algorithm : {Algorithm::recursive_doubling, Algorithm::halving_doubling}) {
      if (std::has_single_bit(static_cast<unsigned>(n))) {
        expect_right(Operation::all_reduce, algorithm, n);
      } else {
        EXPECT_FALSE(make_schedule(Operation::all_reduce, algorithm, n));
      }
    }
  }
}

// The checker must see what is wrong, or the tests above prove nothing.
TEST(Checker, FindsAMissingStepAndADoubledOne) {
  Schedule schedule = *make_schedule(Operation::all_reduce, Algorithm::ring, 8);
  schedule.phases[0].steps = 6;
  EXPECT_NE(check_schedule(schedule).find("lacks"), std::string::npos);
  Schedule doubled = *make_schedule(Operation::all_reduce, Algorithm::recursive_doubling, 8);
  doubled.phases.push_back(doubled.phases.front());
  EXPECT_NE(check_schedule(doubled).find("times"), std::string::npos);
}

// Closed forms: Thakur, Rabenseifner & Gropp 2005; Sanders, Speck & Traeff 2009.
TEST(Schedule, StepsAndBytesAreThoseOfTheClosedForms) {
  for (int n = 2; n <= kMostRanks; ++n) {
    const ScheduleCost ring = cost_of(*make_schedule(Operation::all_reduce, Algorithm::ring, n));
    EXPECT_EQ(ring.steps, 2 * (n - 1));
    EXPECT_DOUBLE_EQ(ring.sent_share, bus_factor(Operation::all_reduce, n));
    const ScheduleCost gather = cost_of(*make_schedule(Operation::all_gather, Algorithm::ring, n));
    EXPECT_EQ(gather.steps, n - 1);
    EXPECT_DOUBLE_EQ(gather.sent_share, bus_factor(Operation::all_gather, n));
    const ScheduleCost one_shot = cost_of(*make_schedule(Operation::all_reduce, Algorithm::one_shot, n));
    EXPECT_EQ(one_shot.steps, 1);
    EXPECT_DOUBLE_EQ(one_shot.sent_share, n - 1);
    const ScheduleCost two_shot = cost_of(*make_schedule(Operation::all_reduce, Algorithm::two_shot, n));
    EXPECT_EQ(two_shot.steps, 2);
    EXPECT_DOUBLE_EQ(two_shot.sent_share, bus_factor(Operation::all_reduce, n));
    if (!std::has_single_bit(static_cast<unsigned>(n))) continue;
    const ScheduleCost halving = cost_of(*make_schedule(Operation::all_reduce, Algorithm::halving_doubling, n));
    EXPECT_EQ(halving.steps, 2 * static_cast<int>(std::log2(n)));
    EXPECT_DOUBLE_EQ(halving.sent_share, bus_factor(Operation::all_reduce, n));
  }
}

TEST(Schedule, TheTwoTreesAreComplementary) {
  for (int n = 2; n <= 200; ++n) {
    int interior_in_both = 0;
    for (int rank = 0; rank < n; ++rank) {
      bool interior[2] = {false, false};
      for (int tree = 0; tree < 2; ++tree) {
        for (int child = 0; child < n; ++child) {
          if (child != rank && tree_parent(child, n, tree) == rank && tree_parent(rank, n, tree) >= 0)
            interior[tree] = true;
        }
      }
      interior_in_both += interior[0] && interior[1] ? 1 : 0;
    }
    EXPECT_EQ(interior_in_both, 0) << n;
    EXPECT_LE(tree_height(n), static_cast<int>(std::floor(std::log2(n))) + 1) << n;
  }
}

TEST(Schedule, ARingOverManyRanksIsSmall) {
  const Result<Schedule> schedule = make_schedule(Operation::all_reduce, Algorithm::ring, 16'384);
  ASSERT_TRUE(schedule);
  EXPECT_LE(schedule->phases.size() * sizeof(Phase) + sizeof(Schedule), 300U);
}

TEST(Schedule, RefusesWhatAnAlgorithmCannotDo) {
  const Result<Schedule> schedule = make_schedule(Operation::broadcast, Algorithm::one_shot, 8);
  ASSERT_FALSE(schedule);
  EXPECT_EQ(make_schedule(Operation::all_reduce, Algorithm::ring, 0).error().id, "WEFT-COL-0002");
  EXPECT_EQ(schedule.error().to_string(), "error WEFT-COL-0001: one_shot does not do broadcast\n");
}

}  // namespace
}  // namespace weft::collective
