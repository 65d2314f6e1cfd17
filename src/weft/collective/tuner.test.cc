#include "weft/collective/tuner.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace weft::collective {
namespace {

constexpr double kTenth = 0.05;  // to 0.1 us
constexpr std::array<std::string_view, 5> kVersions = {"nccl-2.10.3", "nccl-2.18.3", "nccl-2.21.5", "nccl-2.27.7",
                                                       "nccl-2.30.7"};

Tuner tuner(std::string_view library) {
  static const catalog::Calibration calibration = catalog::Calibration::builtin().value();
  return Tuner::of(calibration, *library_from(library)).value();
}

// Eight GPUs a server behind NVSwitches, a NIC each.
TunerSystem servers(int count, int capability = 90) {
  TunerSystem system;
  system.servers = count;
  system.ranks = 8 * count;
  system.capability = capability;
  system.nvswitch = true;
  const bool hopper = capability >= 90;
  const ChannelGraph ring{hopper ? 16 : 24, hopper ? 20.6 : 10, hopper ? 20.6 : 10, Reach::nvl, Reach::pix, false};
  system.graphs = {ring,
                   ring,
                   ring,
                   ring,
                   hopper ? ChannelGraph{8, 45, 45, Reach::nvl, Reach::pix, false} : ChannelGraph{},
                   hopper ? ChannelGraph{8, 45, 45, Reach::nvl, Reach::pix, false} : ChannelGraph{}};
  system.nvls = hopper;
  return system;
}

double latency(std::string_view library, const TunerSystem& system, Algorithm algorithm, Protocol protocol) {
  return TunerTable(tuner(library), system).cell(Operation::all_reduce, algorithm, protocol).latency_us;
}

struct Row {
  int servers;
  double ring_ll, ring_ll128, ring_simple, ring_simple_amd, tree_ll, tree_ll128, tree_simple;
};

// All-reduce latencies of 2.27.7, 8 GPUs a server, NICs without a latency of their own: published constants of
// src/graph/tuning.cc put through its rules by hand.
TEST(Tuner, LatenciesOfTwoTwentySevenAreExact) {
  constexpr std::array<Row, 7> kRows = {{{1, 15.0, 40.6, 56.0, 56.0, 15.2, 31.5, 64.4},
                                         {2, 40.0, 75.2, 131.6, 204.4, 25.2, 48.5, 92.4},
                                         {4, 78.8, 144.4, 282.8, 428.4, 35.2, 65.5, 120.4},
                                         {8, 156.4, 282.8, 585.2, 876.4, 45.2, 82.5, 148.4},
                                         {16, 311.6, 559.6, 1190.0, 1772.4, 55.2, 99.5, 176.4},
                                         {32, 622.0, 1113.2, 2399.6, 3564.4, 65.2, 116.5, 204.4},
                                         {128, 2484.4, 4434.8, 9657.2, 14316.4, 85.2, 150.5, 260.4}}};
  for (const Row& row : kRows) {
    const TunerSystem intel = servers(row.servers);
    TunerSystem amd = intel;
    amd.cpu = TunerSystem::Cpu::amd;
    const std::string_view v = "nccl-2.27.7";
    EXPECT_NEAR(latency(v, intel, Algorithm::ring, Protocol::ll), row.ring_ll, kTenth) << row.servers;
    EXPECT_NEAR(latency(v, intel, Algorithm::ring, Protocol::ll128), row.ring_ll128, kTenth) << row.servers;
    EXPECT_NEAR(latency(v, intel, Algorithm::ring, Protocol::simple), row.ring_simple, kTenth) << row.servers;
    EXPECT_NEAR(latency(v, amd, Algorithm::ring, Protocol::simple), row.ring_simple_amd, kTenth) << row.servers;
    EXPECT_NEAR(latency(v, intel, Algorithm::tree, Protocol::ll), row.tree_ll, kTenth) << row.servers;
    EXPECT_NEAR(latency(v, intel, Algorithm::tree, Protocol::ll128), row.tree_ll128, kTenth) << row.servers;
    EXPECT_NEAR(latency(v, intel, Algorithm::tree, Protocol::simple), row.tree_simple, kTenth) << row.servers;
  }
}

TEST(Tuner, LatenciesOfOlderAndNewerReleasesFollowTheirOwnRules) {
  const TunerSystem two = servers(2);
  // 2.10: LL inside servers counts 1.8 times once there are several; no cost of posting.
  EXPECT_NEAR(latency("nccl-2.10.3", two, Algorithm::ring, Protocol::ll), 3.6 + 28 * 0.47 * 1.8 + 2 * 2.7, kTenth);
  EXPECT_NEAR(latency("nccl-2.10.3", two, Algorithm::tree, Protocol::ll), 4.4 + 2 * (7 * 0.52 * 1.8 + 5.0), kTenth);
  EXPECT_NEAR(latency("nccl-2.10.3", servers(1), Algorithm::tree, Protocol::simple), 14 * 28.0, kTenth);
  // 2.18 and 2.21 count two crossings more.
  EXPECT_NEAR(latency("nccl-2.18.3", two, Algorithm::ring, Protocol::simple), 8.4 + 26 * 3.4 + 4 * 14.0, kTenth);
  EXPECT_NEAR(latency("nccl-2.18.3", two, Algorithm::tree, Protocol::simple), 2 * (7 * 4.0 + 14.0), kTenth);
  EXPECT_NEAR(latency("nccl-2.18.3", servers(1), Algorithm::nvls, Protocol::simple), 23, kTenth);
  EXPECT_NEAR(latency("nccl-2.21.5", two, Algorithm::ring, Protocol::ll), 6.6 + 26 * 1.0 + 4 * 2.7, kTenth);
  EXPECT_NEAR(latency("nccl-2.21.5", two, Algorithm::tree, Protocol::simple), 2 * (7 * 28.0 + 28.0), kTenth);
  EXPECT_NEAR(latency("nccl-2.21.5", servers(1), Algorithm::nvls, Protocol::simple), 25, kTenth);
  EXPECT_NEAR(latency("nccl-2.27.7", servers(4), Algorithm::nvls_tree, Protocol::simple), 25 + 4 * 14, kTenth);
  EXPECT_NEAR(latency("nccl-2.30.7", servers(4), Algorithm::nvls_tree, Protocol::simple), 25 + 4 * 20.9, kTenth);
  // From 2.27 on one GPU a server waits for the whole network; a NIC's own latency counts twice with Simple.
  TunerSystem lone = servers(1);
  lone.ranks = lone.servers = 4;
  EXPECT_NEAR(latency("nccl-2.27.7", lone, Algorithm::ring, Protocol::ll), 6.6 + 6 * 5.0, kTenth);
  EXPECT_NEAR(latency("nccl-2.21.5", lone, Algorithm::ring, Protocol::ll), 6.6 + -2 * 1.0 + 8 * 2.7, kTenth);
  TunerSystem slow = two;
  slow.nic_latency_us = 3;
  EXPECT_NEAR(latency("nccl-2.27.7", slow, Algorithm::tree, Protocol::simple), 92.4 + 2 * 2 * 3, kTenth);
  EXPECT_NEAR(latency("nccl-2.27.7", slow, Algorithm::tree, Protocol::ll), 25.2 + 2 * 3, kTenth);
}

struct OfVersion {
  std::string_view library;
  int servers;
  double ring_ll, ring_ll128, ring_simple, ring_simple_amd, tree_ll, tree_ll128, tree_simple;
};

// The same for the other versions, worked out by hand from their constants. Of m servers of 8, n = 8 m:
//   ring  base + (2(n-1) - x) i + x e   x = 2(m-1); 2m in 2.18 and 2.21; i is at least the posting of 1 us, 3 of Simple
//   tree  base + 2 (7 i + floor(log2 m) e)
TEST(Tuner, LatenciesOfTheOtherVersionsAreExact) {
  constexpr std::array<OfVersion, 8> kRows = {{
      {"nccl-2.10.3", 1, 10.18, 36.6, 56.0, 56.0, 11.68, 21.9, 392.0},
      {"nccl-2.10.3", 4, 67.176, 140.4, 256.4, 256.4, 37.504, 55.9, 504.0},
      {"nccl-2.18.3", 1, 15.0, 40.6, 56.0, 56.0, 15.2, 31.5, 56.0},
      {"nccl-2.18.3", 4, 82.2, 148.6, 304.0, 444.4, 35.2, 65.5, 112.0},
      {"nccl-2.21.5", 1, 15.0, 40.6, 56.0, 56.0, 15.2, 31.5, 392.0},
      {"nccl-2.21.5", 4, 82.2, 148.6, 304.0, 444.4, 35.2, 65.5, 504.0},
      {"nccl-2.30.7", 1, 15.0, 40.6, 56.0, 56.0, 15.2, 31.5, 64.4},
      {"nccl-2.30.7", 4, 78.8, 144.4, 282.8, 428.4, 35.2, 65.5, 120.4},
  }};
  for (const OfVersion& row : kRows) {
    const TunerSystem intel = servers(row.servers);
    TunerSystem amd = intel;
    amd.cpu = TunerSystem::Cpu::amd;
    const auto is = [&](const TunerSystem& system, Algorithm algorithm, Protocol protocol, double expected) {
      EXPECT_NEAR(latency(row.library, system, algorithm, protocol), expected, kTenth)
          << row.library << " " << row.servers << " " << name_of(algorithm) << " " << name_of(protocol);
    };
    is(intel, Algorithm::ring, Protocol::ll, row.ring_ll);
    is(intel, Algorithm::ring, Protocol::ll128, row.ring_ll128);
    is(intel, Algorithm::ring, Protocol::simple, row.ring_simple);
    is(amd, Algorithm::ring, Protocol::simple, row.ring_simple_amd);
    is(intel, Algorithm::tree, Protocol::ll, row.tree_ll);
    is(intel, Algorithm::tree, Protocol::ll128, row.tree_ll128);
    is(intel, Algorithm::tree, Protocol::simple, row.tree_simple);
  }
}

TEST(Tuner, BandwidthsAreCappedByGenerationAndServers) {
  const TunerTable one(tuner("nccl-2.27.7"), servers(1));
  const auto rate = [&](Algorithm algorithm, Protocol protocol) {
    return one.cell(Operation::all_reduce, algorithm, protocol).gbyte_per_s;
  };
  EXPECT_NEAR(rate(Algorithm::ring, Protocol::simple), 16 * 20.6 * 8 / 14, 0.01);
  EXPECT_NEAR(rate(Algorithm::ring, Protocol::ll), 141.0 * 8 / 14, 0.01);
  EXPECT_NEAR(rate(Algorithm::ring, Protocol::ll128), 16 * 20.6 * 0.92 * 8 / 14, 0.01);
  EXPECT_NEAR(rate(Algorithm::nvls, Protocol::simple), 8 * 45 * 5.0 / 6, 0.01);
  EXPECT_EQ(rate(Algorithm::nvls_tree, Protocol::simple), 0);
  const TunerTable new_one(tuner("nccl-2.30.7"), servers(1));
  EXPECT_NEAR(new_one.cell(Operation::all_reduce, Algorithm::nvls, Protocol::simple).gbyte_per_s,
              8 * 45 * 0.85 * 7 / 8 * 2 * 8 / 14, 0.01);
  // A100s of 2.10 never believe in more than 235 GB/s.
  const TunerTable old(tuner("nccl-2.10.3"), servers(1, 80));
  EXPECT_NEAR(old.cell(Operation::all_gather, Algorithm::ring, Protocol::simple).gbyte_per_s, 235.0 * 8 / 7, 0.01);
}

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

TEST(Tuner, Ll128NeedsAGpuThatTheVersionTrusts) {
  const auto trusts = [](std::string_view library, int capability) {
    TunerSystem system = servers(1, 80);
    system.capability = capability;
    return TunerTable(tuner(library), system)
               .cell(Operation::all_reduce, Algorithm::ring, Protocol::ll128)
               .gbyte_per_s > 0;
  };
  for (const std::string_view library : kVersions) {
    EXPECT_FALSE(trusts(library, 61)) << library;
    EXPECT_TRUE(trusts(library, 70)) << library;
    EXPECT_TRUE(trusts(library, 80)) << library;
  }
  EXPECT_FALSE(trusts("nccl-2.10.3", 90));
  EXPECT_TRUE(trusts("nccl-2.18.3", 90));
  EXPECT_FALSE(trusts("nccl-2.21.5", 86));
  EXPECT_TRUE(trusts("nccl-2.27.7", 86));
  EXPECT_FALSE(trusts("nccl-2.18.3", 100));
  EXPECT_TRUE(trusts("nccl-2.26.2", 100));
}

TEST(Tuner, Ll128ReachesANeighbourOfANeighbourFromTwoEighteenOn) {
  TunerSystem mesh = servers(1, 80);
  for (ChannelGraph& graph : mesh.graphs) graph.intra = Reach::nvb;
  const auto rate = [&](std::string_view library) {
    return TunerTable(tuner(library), mesh).cell(Operation::all_reduce, Algorithm::ring, Protocol::ll128).gbyte_per_s;
  };
  EXPECT_EQ(rate("nccl-2.10.3"), 0);
  EXPECT_GT(rate("nccl-2.18.3"), 0);
}

TEST(Tuner, SwitchesThatReduceAlsoGather) {
  const auto rate = [](std::string_view library, const TunerSystem& system) {
    return TunerTable(tuner(library), system)
        .cell(Operation::all_gather, Algorithm::nvls, Protocol::simple)
        .gbyte_per_s;
  };
  EXPECT_EQ(rate("nccl-2.10.3", servers(1)), 0);
  EXPECT_NEAR(rate("nccl-2.21.5", servers(1)), 8 * 45 * 5.0 / 6, 0.01);
  EXPECT_NEAR(rate("nccl-2.27.7", servers(1)), 8 * 45 * 7.0 / 8, 0.01);
  EXPECT_NEAR(rate("nccl-2.30.7", servers(1)), 8 * 45 * 0.85 * 7 / 8 * 7 / 8, 0.01);
  TunerSystem rack = servers(1, 100);
  rack.ranks = 32;
  EXPECT_GT(rate("nccl-2.27.7", rack), 0);
  rack.ranks = 72;
  EXPECT_EQ(rate("nccl-2.27.7", rack), 0);
  EXPECT_GT(
      TunerTable(tuner("nccl-2.27.7"), rack).cell(Operation::all_reduce, Algorithm::nvls, Protocol::simple).gbyte_per_s,
      0);
}

TEST(Tuner, NetworksThatReduceAreUsedOnlyWhereThereAreSome) {
  TunerSystem four = servers(4);
  four.graphs[static_cast<std::size_t>(GraphPattern::collnet_direct)] = {8, 40, 20, Reach::nvl, Reach::pix, false};
  const auto cell = [](std::string_view library, const TunerSystem& system, Operation operation, Algorithm algorithm) {
    return TunerTable(tuner(library), system).cell(operation, algorithm, Protocol::simple);
  };
  constexpr Algorithm kDirect = Algorithm::collnet_direct;
  EXPECT_EQ(cell("nccl-2.27.7", four, Operation::all_reduce, kDirect).gbyte_per_s, 0);
  four.collnet = true;
  const TunerCell reduced = cell("nccl-2.27.7", four, Operation::all_reduce, kDirect);
  EXPECT_NEAR(reduced.gbyte_per_s, 8 * 40 * 0.85 / 2, 0.01);
  EXPECT_NEAR(reduced.latency_us, 2 * (3.7 + 7 * 0.4) + 31, kTenth);
  EXPECT_NEAR(cell("nccl-2.10.3", four, Operation::all_reduce, kDirect).latency_us, 2 * (8 + 7 * 0.5) + 10.7, kTenth);
  EXPECT_NEAR(cell("nccl-2.27.7", four, Operation::all_gather, kDirect).gbyte_per_s, 8 * 18, 0.01);
  EXPECT_NEAR(cell("nccl-2.21.5", four, Operation::all_gather, kDirect).gbyte_per_s, 8 * 40 * 0.85, 0.01);
  // 2.10 has one such algorithm, not a chain beside it.
  EXPECT_EQ(cell("nccl-2.10.3", four, Operation::all_reduce, Algorithm::collnet_chain).gbyte_per_s, 0);
  EXPECT_NEAR(cell("nccl-2.21.5", four, Operation::all_reduce, Algorithm::collnet_chain).latency_us, 2 * 7 * 2.8 + 30,
              kTenth);
  // Two GPUs a NIC.
  four.graphs[static_cast<std::size_t>(GraphPattern::collnet_direct)].channels = 4;
  EXPECT_NEAR(cell("nccl-2.27.7", four, Operation::all_reduce, kDirect).gbyte_per_s, 4 * 40 / 1.5 * 0.85 / 2, 0.01);
  EXPECT_EQ(cell("nccl-2.27.7", four, Operation::all_gather, kDirect).gbyte_per_s, 0);
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
  EXPECT_NEAR(cost("nccl-2.27.7", 80, 48 * 16 * 64 - 1), 1, 1e-6);
  EXPECT_NEAR(cost("nccl-2.27.7", 80, 48 * 16 * 64), 1.4, 1e-6);
  EXPECT_NEAR(cost("nccl-2.27.7", 70, 48 * 16 * 64), 1.9, 1e-6);
  EXPECT_NEAR(cost("nccl-2.10.3", 80, 65535), 1, 1e-6);
  EXPECT_NEAR(cost("nccl-2.10.3", 80, 65536), 1.9, 1e-6);
}

TEST(Tuner, FewBytesTakeFewChannelsThenFewThreads) {
  const TunerTable one(tuner("nccl-2.27.7"), servers(1));
  const auto forced = [&](Algorithm algorithm, Protocol protocol, std::int64_t bytes) {
    return *one.choose({Operation::all_reduce, Bytes(bytes), algorithm, protocol});
  };
  // A ring's thread of LL is worth 8 bytes a GPU: 512 threads of 64 bytes are 32 KiB a channel.
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, 32 * 32768).channels, 32);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, 32 * 32768 - 1).channels, 31);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, 3 * 32768).channels, 3);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, 32768).threads, 512);
  EXPECT_EQ(forced(Algorithm::ring, Protocol::ll, 32767).threads, 256);
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

TEST(Tuner, Ll128NeedsNvlinkInsideAndANearNic) {
  TunerSystem far = servers(2, 80);
  const auto rate = [](const TunerSystem& system) {
    return TunerTable(tuner("nccl-2.27.7"), system)
        .cell(Operation::all_reduce, Algorithm::ring, Protocol::ll128)
        .gbyte_per_s;
  };
  EXPECT_GT(rate(far), 0);
  for (ChannelGraph& graph : far.graphs) graph.inter = Reach::phb;
  EXPECT_EQ(rate(far), 0);
  TunerSystem pcie = servers(1, 80);
  for (ChannelGraph& graph : pcie.graphs) graph.intra = Reach::phb;
  EXPECT_EQ(rate(pcie), 0);
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
