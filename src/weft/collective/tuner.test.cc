#include "weft/collective/tuner.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collective/tuner.test.h"

namespace weft::collective {
namespace {

Algorithm algorithm_for(const TunerTable& table, Operation operation, std::int64_t bytes) {
  return table.choose({operation, Bytes(bytes)})->algorithm;
}

TEST(Tuner, ChoosesAsIsKnown) {
  const TunerTable one(tuner("nccl-2.27.7"), servers(1));
  const Choice small = *one.choose({Operation::all_reduce, Bytes(1024)});
  EXPECT_EQ(small.protocol, Protocol::ll);
  EXPECT_EQ(small.channels, 1);
  EXPECT_EQ(algorithm_for(one, Operation::all_reduce, 64 << 20), Algorithm::nvls);
  EXPECT_EQ(algorithm_for(one, Operation::broadcast, 64 << 20), Algorithm::ring);
  const TunerTable two(tuner("nccl-2.27.7"), servers(2));
  EXPECT_EQ(algorithm_for(two, Operation::all_reduce, 1024), Algorithm::tree);
  EXPECT_EQ(algorithm_for(two, Operation::all_reduce, std::int64_t{1} << 30), Algorithm::nvls_tree);
  const TunerTable many(tuner("nccl-2.27.7"), servers(64, 80));
  EXPECT_EQ(algorithm_for(many, Operation::all_reduce, 1 << 20), Algorithm::tree);
  EXPECT_EQ(algorithm_for(many, Operation::all_reduce, std::int64_t{16} << 30), Algorithm::ring);
  EXPECT_FALSE(many.choose({Operation::all_to_all, Bytes(1024)}));
}

TEST(Tuner, DoesWhatIsForcedOrNothing) {
  const TunerTable one(tuner("nccl-2.27.7"), servers(1));
  const Choice ring = *one.choose({Operation::all_reduce, Bytes(1 << 30), Algorithm::ring, Protocol::ll});
  EXPECT_EQ(ring.algorithm, Algorithm::ring);
  EXPECT_EQ(ring.protocol, Protocol::ll);
  EXPECT_EQ(ring.channels, 32);
  EXPECT_FALSE(one.choose({Operation::all_reduce, Bytes(1024), Algorithm::nvls, Protocol::ll}));
  EXPECT_FALSE(one.choose({Operation::all_reduce, Bytes(1024), Algorithm::collnet_chain}));
}

TEST(Tuner, PatIsForOneGpuAServer) {
  TunerSystem lone = servers(1);
  lone.ranks = lone.servers = 32;
  const TunerTable table(tuner("nccl-2.27.7"), lone);
  EXPECT_EQ(algorithm_for(table, Operation::all_gather, 1 << 20), Algorithm::pat);
  EXPECT_EQ(TunerTable(tuner("nccl-2.27.7"), servers(4))
                .cell(Operation::all_gather, Algorithm::pat, Protocol::simple)
                .gbyte_per_s,
            0);
  EXPECT_EQ(algorithm_for(TunerTable(tuner("nccl-2.18.3"), lone), Operation::all_gather, 1 << 20), Algorithm::ring);
}

// From 2.30 on the correction of trees holds for trees over in-switch reduction too: Blackwell beside x86 only.
TEST(Tuner, TreesOfSwitchesAreCorrectedOnBlackwell) {
  const auto believed = [](std::string_view library, int capability, TunerSystem::Cpu cpu) {
    TunerSystem system = servers(4, capability);
    system.cpu = cpu;
    const TunerTable table(tuner(library), system);
    const TunerCell& cell = table.cell(Operation::all_reduce, Algorithm::nvls_tree, Protocol::simple);
    const double bytes = 1 << 20;
    const double us = table.choose({Operation::all_reduce, Bytes(1 << 20), Algorithm::nvls_tree})->believed_us;
    return bytes / (1000 * cell.gbyte_per_s) / (us - cell.latency_us);
  };
  EXPECT_NEAR(believed("nccl-2.30.7", 100, TunerSystem::Cpu::intel), 0.5, 1e-6);
  EXPECT_NEAR(believed("nccl-2.30.7", 100, TunerSystem::Cpu::other), 1, 1e-6);
  EXPECT_NEAR(believed("nccl-2.30.7", 90, TunerSystem::Cpu::intel), 1, 1e-6);
  EXPECT_NEAR(believed("nccl-2.27.7", 100, TunerSystem::Cpu::intel), 1, 1e-6);
}

// 256 KiB and 1 MiB over LL: 0.4 and 0.5 of the tree's rate; from 512 MiB on nothing is taken off.
TEST(Tuner, TreesReachLessAtMiddleSizes) {
  const TunerTable table(tuner("nccl-2.27.7"), servers(4, 80));
  const auto share = [&](std::int64_t bytes, Protocol protocol) {
    const TunerCell& cell = table.cell(Operation::all_reduce, Algorithm::tree, protocol);
    const double us = table.choose({Operation::all_reduce, Bytes(bytes), Algorithm::tree, protocol})->believed_us;
    return static_cast<double>(bytes) / (1000 * cell.gbyte_per_s) / (us - cell.latency_us);
  };
  EXPECT_NEAR(share(1 << 18, Protocol::ll), 0.4, 1e-6);
  EXPECT_NEAR(share(1 << 20, Protocol::ll), 0.5, 1e-6);
  EXPECT_NEAR(share((1 << 20) - 1, Protocol::simple), 0.5, 1e-6);
  EXPECT_NEAR(share(1 << 15, Protocol::simple), 0.6, 1e-6);
  EXPECT_NEAR(share(std::int64_t{1} << 29, Protocol::simple), 1, 1e-6);
}

TEST(Tuner, LongRingsOfSimpleCostMoreOncePastTheirPlateau) {
  const auto cost = [](std::string_view library, int capability, std::int64_t bytes) {
    const TunerTable table(tuner(library), servers(2, capability));
    const TunerCell& cell = table.cell(Operation::all_reduce, Algorithm::ring, Protocol::simple);
    const double us =
        table.choose({Operation::all_reduce, Bytes(bytes), Algorithm::ring, Protocol::simple})->believed_us;
    return (us - static_cast<double>(bytes) / (1000 * cell.gbyte_per_s)) / cell.latency_us;
  };
  // 48 channels of 16 GPUs, 64 bytes each; in 2.10 4 KiB a GPU.
  constexpr std::int64_t kPlateau = std::int64_t{48} * 16 * 64;
  EXPECT_NEAR(cost("nccl-2.27.7", 80, kPlateau - 1), 1, 1e-6);
  EXPECT_NEAR(cost("nccl-2.27.7", 80, kPlateau), 1.4, 1e-6);
  EXPECT_NEAR(cost("nccl-2.27.7", 70, kPlateau), 1.9, 1e-6);
  EXPECT_NEAR(cost("nccl-2.10.3", 80, 65535), 1, 1e-6);
  EXPECT_NEAR(cost("nccl-2.10.3", 80, 65536), 1.9, 1e-6);
}

TEST(Tuner, FewBytesTakeFewChannelsThenFewThreads) {
  const TunerTable one(tuner("nccl-2.27.7"), servers(1));
  const auto forced = [&](Algorithm algorithm, Protocol protocol, std::int64_t bytes) {
    return *one.choose({Operation::all_reduce, Bytes(bytes), algorithm, protocol});
  };
  // A ring's thread of LL is worth 8 bytes a GPU: 512 threads of 64 bytes are 32 KiB a channel.
  constexpr std::int64_t kChannel = 32768;
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, 32 * kChannel).channels, 32);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, 32 * kChannel - 1).channels, 31);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, 3 * kChannel).channels, 3);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, kChannel).threads, 512);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, kChannel - 1).threads, 256);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, 8).threads, 96);
  // A warp waits beside a ring's 512 threads of Simple, four beside a tree's.
  EXPECT_EQ(forced(Algorithm::ring, Protocol::simple, 1 << 30).threads, 544);
  EXPECT_EQ(forced(Algorithm::tree, Protocol::simple, 1 << 30).threads, 640);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll128, 1 << 30).threads, 640);
  EXPECT_EQ(one.choose({Operation::all_reduce, Bytes(8), Algorithm::nvls})->channels, 16);
}

struct Question {
  std::string_view library;
  TunerSystem system;
  Operation operation;
};

Question any_question() {
  constexpr std::array kOperations = {Operation::all_reduce, Operation::all_gather, Operation::reduce_scatter,
                                      Operation::broadcast, Operation::reduce};
  Question question;
  question.library = kVersions[*rc::gen::inRange<std::size_t>(0, kVersions.size())];
  question.system = servers(*rc::gen::inRange(1, 65), *rc::gen::element(70, 80, 90, 100));
  question.system.cpu = *rc::gen::element(TunerSystem::Cpu::intel, TunerSystem::Cpu::amd, TunerSystem::Cpu::other);
  question.system.nic_latency_us = *rc::gen::inRange(0, 20);
  question.operation = kOperations[*rc::gen::inRange<std::size_t>(0, kOperations.size())];
  return question;
}

std::int64_t any_size() { return (std::int64_t{1} << *rc::gen::inRange(0, 34)) + *rc::gen::inRange(0, 1000); }

RC_GTEST_PROP(Tuner, NothingThatIsForcedIsBelievedFasterThanItsOwnChoice, ()) {
  const Question question = any_question();
  const TunerTable table(tuner(question.library), question.system);
  const std::int64_t bytes = any_size();
  const std::optional<Choice> own = table.choose({question.operation, Bytes(bytes)});
  RC_ASSERT(own.has_value());
  RC_ASSERT(own->channels > 0 && own->threads >= 96 && own->believed_us > 0);
  for (const Algorithm algorithm : kTunedAlgorithms) {
    for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple}) {
      const std::optional<Choice> forced = table.choose({question.operation, Bytes(bytes), algorithm, protocol});
      const bool usable = table.cell(question.operation, algorithm, protocol).gbyte_per_s > 0;
      RC_ASSERT(forced.has_value() == usable);
      if (forced) RC_ASSERT(forced->believed_us >= own->believed_us);
    }
  }
}

RC_GTEST_PROP(Tuner, MoreBytesTakeALongerTimeAndNoFewerChannelsOfARing, ()) {
  const Question question = any_question();
  const TunerTable table(tuner(question.library), question.system);
  const std::int64_t small = any_size();
  const std::int64_t large = small + *rc::gen::inRange(1, 1 << 20);
  for (const Protocol protocol : {Protocol::ll, Protocol::simple}) {
    const auto ring = [&](std::int64_t bytes) {
      return *table.choose({question.operation, Bytes(bytes), Algorithm::ring, protocol});
    };
    RC_ASSERT(ring(large).believed_us > ring(small).believed_us);
    RC_ASSERT(ring(large).channels >= ring(small).channels);
    RC_ASSERT(ring(large).threads >= ring(small).threads || ring(large).channels > 1);
  }
}

RC_GTEST_PROP(Tuner, MoreServersSlowerNicsAndAmdNeverShortenALatency, ()) {
  const Question question = any_question();
  const auto latencies = [&](const TunerSystem& system) {
    const TunerTable table(tuner(question.library), system);
    std::vector<double> all;
    for (const Algorithm algorithm : {Algorithm::ring, Algorithm::tree})
      for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple})
        all.push_back(table.cell(Operation::all_reduce, algorithm, protocol).latency_us);
    return all;
  };
  const auto no_shorter = [](const std::vector<double>& than, const std::vector<double>& these) {
    return std::equal(than.begin(), than.end(), these.begin(), [](double a, double b) { return a <= b + 1e-9; });
  };
  const std::vector<double> here = latencies(question.system);
  TunerSystem more = question.system;
  more.servers += 1;
  more.ranks += 8;
  RC_ASSERT(no_shorter(here, latencies(more)));
  TunerSystem slower = question.system;
  slower.nic_latency_us += 1;
  RC_ASSERT(no_shorter(here, latencies(slower)));
  TunerSystem amd = question.system;
  TunerSystem intel = question.system;
  amd.cpu = TunerSystem::Cpu::amd;
  intel.cpu = TunerSystem::Cpu::intel;
  RC_ASSERT(no_shorter(latencies(intel), latencies(amd)));
}

TEST(Tuner, TakesTheNewestVersionThatIsNotNewer) {
  EXPECT_EQ(tuner("nccl-2.19.3").id(), "nccl-tuner-2.18");
  EXPECT_EQ(tuner("nccl-2.21").id(), "nccl-tuner-2.21");
  EXPECT_EQ(tuner("nccl-unknown").id(), "nccl-tuner-2.27");
  EXPECT_EQ(tuner("nccl-2.4.8").id(), "nccl-tuner-2.10");
  EXPECT_EQ(tuner("nccl-2.31.1").id(), "nccl-tuner-2.30");
}

TEST(Tuner, SaysWhatACalibrationLacks) {
  const Result<Tuner> none = Tuner::of(catalog::Calibration::load({}).value(), *library_from("nccl-2.27"));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().id, "WEFT-COL-0024");
}

}  // namespace
}  // namespace weft::collective
