#include "weft/collective/tuner.h"

#include <gtest/gtest.h>

namespace weft::collective {
namespace {

constexpr double kTenth = 0.05;  // to 0.1 us

Tuner tuner(std::string_view library) {
  return Tuner::of(catalog::Calibration::builtin().value(), *library_from(library)).value();
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
