#include "weft/collective/checker.h"

#include <gtest/gtest.h>

namespace weft::collective {
namespace {

constexpr int kMostRanks = 64;  // each; above, what a class stands for
constexpr int kMany = 16'384;

constexpr std::array kOperations = {Operation::all_reduce, Operation::all_gather, Operation::reduce_scatter,
                                    Operation::all_to_all, Operation::broadcast,  Operation::reduce,
                                    Operation::gather,     Operation::scatter,    Operation::send_recv};

std::string title(const Schedule& schedule) {
  return std::string(name_of(schedule.operation)) + " by " + std::string(name_of(schedule.algorithm)) + " over " +
         std::to_string(schedule.servers()) + " x " + std::to_string(schedule.group) + ", root " +
         std::to_string(schedule.root) + ", pieces " + std::to_string(schedule.pieces);
}

void expect_right(Operation operation, Algorithm algorithm, const Layout& layout) {
  const Result<Schedule> schedule = make_schedule(operation, algorithm, layout);
  ASSERT_TRUE(schedule) << schedule.error().to_string();
  EXPECT_EQ(check_every_rank(*schedule), "") << title(*schedule);
  EXPECT_EQ(check_schedule(*schedule), "") << title(*schedule);
}

TEST(Checker, EveryOperationByEveryAlgorithmIsRightForEveryRankCount) {
  for (const Operation operation : kOperations) {
    ASSERT_FALSE(algorithms_for(operation).empty());
    for (const Algorithm algorithm : algorithms_for(operation)) {
      for (int n = 1; n <= kMostRanks; ++n) expect_right(operation, algorithm, {n, 0, 0, 1});
    }
  }
}

TEST(Checker, ServersOfEverySizeAreRight) {
  for (const Operation operation : kOperations) {
    for (const Algorithm algorithm : algorithms_for(operation)) {
      if (!heeds_servers(algorithm)) continue;
      for (int group = 1; group <= 9; ++group) {
        for (int servers = 1; servers * group <= kMostRanks; ++servers)
          expect_right(operation, algorithm, {servers * group, group, 0, 1});
      }
    }
  }
}

TEST(Checker, AnyRootAndAnyNumberOfPiecesAreRight) {
  for (const Operation operation :
       {Operation::broadcast, Operation::reduce, Operation::gather, Operation::scatter, Operation::all_reduce}) {
    for (const Algorithm algorithm : algorithms_for(operation)) {
      for (const int n : {1, 2, 3, 7, 12, 16}) {
        for (int root = 0; root < n; ++root) expect_right(operation, algorithm, {n, 0, root, 1 + root % 5});
      }
    }
  }
}

// checker.bench.cc has them all; here one of each way of folding.
TEST(Checker, SixteenThousandRanksAreRight) {
  for (const auto& [operation, algorithm] :
       {std::pair{Operation::all_reduce, Algorithm::ring}, std::pair{Operation::all_reduce, Algorithm::hierarchical},
        std::pair{Operation::all_reduce, Algorithm::nvls}, std::pair{Operation::reduce_scatter, Algorithm::pat},
        std::pair{Operation::all_to_all, Algorithm::bruck}, std::pair{Operation::scatter, Algorithm::binomial}}) {
    const Result<Schedule> schedule = make_schedule(operation, algorithm, {kMany, 8, 5, 4});
    ASSERT_TRUE(schedule);
    EXPECT_EQ(check_schedule(*schedule), "") << title(*schedule);
  }
}

// The checker must see what is wrong, or the tests above prove nothing: every phase left out, cut short, run twice,
// adding where it should overwrite or the other way round, and sent to the wrong place.
int faults_missed(const Schedule& right, std::string (*check)(const Schedule&)) {
  int missed = 0;
  const auto plant = [&](const Schedule& wrong) {
    if (!check(wrong).empty()) return;
    ++missed;
    ADD_FAILURE() << "missed in " << title(right);
  };
  for (std::size_t i = 0; i < right.phases.size(); ++i) {
    Schedule wrong = right;
    wrong.phases.erase(wrong.phases.begin() + static_cast<std::ptrdiff_t>(i));
    plant(wrong);
    wrong = right;
    --wrong.phases[i].steps;
    if (right.phases[i].pattern != Pattern::halving && right.phases[i].pattern != Pattern::double_tree) plant(wrong);
    if (right.phases[i].reduce) {
      wrong = right;
      wrong.phases[i].reduce = false;
      plant(wrong);
      wrong = right;
      wrong.phases.insert(wrong.phases.begin() + static_cast<std::ptrdiff_t>(i), right.phases[i]);
      plant(wrong);
    }
    if (right.phases[i].pattern == Pattern::ring) {
      wrong = right;
      wrong.phases[i].shift += 1;
      plant(wrong);
    }
  }
  return missed;
}

TEST(Checker, FindsPlantedFaults) {
  for (const Operation operation : kOperations) {
    for (const Algorithm algorithm : algorithms_for(operation)) {
      const Schedule schedule = *make_schedule(operation, algorithm, {24, 4, 0, 2});
      EXPECT_EQ(faults_missed(schedule, check_every_rank), 0);
      EXPECT_EQ(faults_missed(schedule, check_schedule), 0);
    }
  }
}

TEST(Checker, FindsPlantedFaultsAmongSixteenThousandRanks) {
  for (const auto& [operation, algorithm] : {std::pair{Operation::all_reduce, Algorithm::ring},
                                             std::pair{Operation::reduce_scatter, Algorithm::halving_doubling},
                                             std::pair{Operation::all_to_all, Algorithm::bruck},
                                             std::pair{Operation::all_reduce, Algorithm::recursive_doubling}})
    EXPECT_EQ(faults_missed(*make_schedule(operation, algorithm, {kMany, 8, 0, 1}), check_schedule), 0);
}

TEST(Checker, SaysWhatIsWrong) {
  Schedule ring = *make_schedule(Operation::reduce_scatter, Algorithm::ring, {8});
  ring.phases[0].steps = 6;
  EXPECT_EQ(check_schedule(ring), "rank 0 lacks the contribution of rank 1 in chunk 0");
  Schedule doubled = *make_schedule(Operation::all_reduce, Algorithm::recursive_doubling, {8});
  doubled.phases.push_back(doubled.phases.front());
  EXPECT_EQ(check_schedule(doubled), "rank 1 adds a contribution twice in chunk 0");
  Schedule gather = *make_schedule(Operation::all_gather, Algorithm::ring, {8});
  gather.phases[0].shift = 1;
  EXPECT_EQ(check_schedule(gather), "rank 0 sends a chunk that it does not have");
}

}  // namespace
}  // namespace weft::collective
