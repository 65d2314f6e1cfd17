#include "weft/collective/tuner_cell.h"

#include <gtest/gtest.h>

#include "weft/collective/tuner.test.h"

namespace weft::collective {
namespace {

constexpr double kTenth = 0.05;  // to 0.1 us

double latency(std::string_view library, const TunerSystem& system, Algorithm algorithm, Protocol protocol) {
  return TunerTable(tuner(library), system).cell(Operation::all_reduce, algorithm, protocol).latency_us;
}

struct Row {
  int servers;
  double ring_ll, ring_ll128, ring_simple, ring_simple_amd, tree_ll, tree_ll128, tree_simple;
};

// All-reduce latencies of 2.27.7, 8 GPUs a server, NICs without a latency of their own: published constants of
// src/graph/tuning.cc put through its rules by hand.
TEST(TunerCell, LatenciesOfTwoTwentySevenAreExact) {
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

TEST(TunerCell, LatenciesOfOlderAndNewerReleasesFollowTheirOwnRules) {
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
TEST(TunerCell, LatenciesOfTheOtherVersionsAreExact) {
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

TEST(TunerCell, BandwidthsAreCappedByGenerationAndServers) {
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

TEST(TunerCell, Ll128NeedsAGpuThatTheVersionTrusts) {
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

TEST(TunerCell, Ll128ReachesANeighbourOfANeighbourFromTwoEighteenOn) {
  TunerSystem mesh = servers(1, 80);
  for (ChannelGraph& graph : mesh.graphs) graph.intra = Reach::nvb;
  const auto rate = [&](std::string_view library) {
    return TunerTable(tuner(library), mesh).cell(Operation::all_reduce, Algorithm::ring, Protocol::ll128).gbyte_per_s;
  };
  EXPECT_EQ(rate("nccl-2.10.3"), 0);
  EXPECT_GT(rate("nccl-2.18.3"), 0);
}

TEST(TunerCell, Ll128NeedsNvlinkInsideAndANearNic) {
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

TEST(TunerCell, SwitchesThatReduceAlsoGather) {
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

TEST(TunerCell, NetworksThatReduceAreUsedOnlyWhereThereAreSome) {
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

}  // namespace
}  // namespace weft::collective
