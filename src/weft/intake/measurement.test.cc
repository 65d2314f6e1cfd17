#include "weft/intake/measurement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "weft/intake/measured_cluster.h"

namespace weft::intake {
namespace {

using collective::Algorithm;
using collective::LaunchMode;
using collective::Operation;
using collective::Protocol;
using formats::MeasuredTable;

const catalog::Catalog& test_catalog() {
  static const Result<catalog::Catalog> catalog = catalog::Catalog::builtin();
  EXPECT_TRUE(catalog);
  return *catalog;
}

MeasuredTable table_of(std::string server, int servers, int gpus) {
  MeasuredTable table;
  table.server = std::move(server);
  table.servers = servers;
  table.gpus_per_server = gpus;
  table.operation = Operation::all_reduce;
  table.library = collective::Library{collective::LibraryFamily::nccl, 2, 27, 3};
  table.launch = LaunchMode::process_per_gpu;
  table.rows.push_back({Bytes(1024), 10, 1});
  return table;
}

Measurement join(MeasuredTable table) { return MeasurementJoiner(test_catalog()).join(std::move(table)); }

bool assumes(const Measurement& measurement, std::string_view part) {
  return std::any_of(measurement.assumed.begin(), measurement.assumed.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(Measurement, TheFirstGpusOfEachServer) {
  const Measurement measurement = join(table_of("hgx-h100-8", 2, 4));
  ASSERT_TRUE(measurement.usable()) << measurement.why_not;
  const fabric::Fabric& fabric = measurement.cluster->fabric;
  ASSERT_EQ(measurement.group.size(), 8U);
  EXPECT_EQ(measurement.group[0], fabric.gpu(0, 0));
  EXPECT_EQ(measurement.group[3], fabric.gpu(0, 3));
  EXPECT_EQ(measurement.group[4], fabric.gpu(1, 0));
  EXPECT_EQ(measurement.shape.ranks, 8);
  EXPECT_EQ(measurement.shape.servers, 2);
  const collective::Call call = measurement.call(Bytes(64));
  EXPECT_EQ(call.operation, Operation::all_reduce);
  EXPECT_EQ(call.bytes, Bytes(64));
  EXPECT_EQ(call.launch, LaunchMode::process_per_gpu);
}

TEST(Measurement, NothingIsAssumedOfAServerThatSaysAll) {
  const Measurement measurement = join(table_of("hgx-h100-8", 1, 8));
  EXPECT_TRUE(measurement.usable());
  EXPECT_TRUE(measurement.assumed.empty());
  EXPECT_EQ(collective::to_text(measurement.library), "nccl-2.27.3");
  EXPECT_EQ(measurement.gpus_per_process, 1);
}

TEST(Measurement, OnlyFourThingsCannotBeAssumed) {
  const auto why = [](void (*change)(MeasuredTable&)) {
    MeasuredTable table = table_of("hgx-h100-8", 1, 8);
    change(table);
    return join(std::move(table)).why_not;
  };
  EXPECT_EQ(why([](MeasuredTable& t) { t.server.clear(); }), "the server is unknown");
  EXPECT_EQ(why([](MeasuredTable& t) { t.servers.reset(); }), "the number of servers is unknown");
  EXPECT_EQ(why([](MeasuredTable& t) { t.gpus_per_server.reset(); }), "the number of GPUs a server is unknown");
  EXPECT_EQ(why([](MeasuredTable& t) { t.operation.reset(); }), "the collective is unknown");
  EXPECT_EQ(why([](MeasuredTable& t) { t.gpus_per_server = 1; }), "one GPU has nobody to send to");
  EXPECT_EQ(why([](MeasuredTable& t) { t.gpus_per_server = 9; }), "hgx-h100-8 has 8 GPUs, and 9 took part");
  EXPECT_EQ(why([](MeasuredTable& t) { t.servers = 200'000; }), "more servers than can be built here");
  EXPECT_NE(why([](MeasuredTable& t) { t.server = "hgx-h100-9"; }), "");
  EXPECT_EQ(why([](MeasuredTable& t) {
              t = MeasuredTable{};
              t.server = "gh200-quad";
              t.servers = 2;
              t.gpus_per_server = 4;
              t.operation = Operation::reduce;
            }),
            "");
}

TEST(Measurement, AnUnknownLibraryIsGuessedAndSaid) {
  MeasuredTable table = table_of("hgx-a100-8", 1, 8);
  table.library = collective::Library{collective::LibraryFamily::nccl, 0, 0, 0};
  table.launch = LaunchMode::unknown;
  const Measurement measurement = join(table);
  EXPECT_EQ(collective::to_text(measurement.library), "nccl-2.18");
  EXPECT_TRUE(assumes(measurement, "the library is nccl-2.18 (usual for ampere GPUs)"));
  EXPECT_TRUE(assumes(measurement, "the launch mode is unknown"));
}

TEST(Measurement, WhatTheEnvironmentForces) {
  MeasuredTable table = table_of("hgx-h100-8", 1, 8);
  table.env = "NCCL_DEBUG=INFO NCCL_ALGO=NVLSTree NCCL_PROTO=Simple";
  const collective::Call call = join(table).call(Bytes(1));
  EXPECT_EQ(call.algorithm, Algorithm::nvls_tree);
  EXPECT_EQ(call.protocol, Protocol::simple);
  table.env = "MY_NCCL_ALGO=Ring NCCL_PROTO=^LL";
  EXPECT_EQ(join(table).call(Bytes(1)).algorithm, std::nullopt);
  EXPECT_EQ(join(table).call(Bytes(1)).protocol, std::nullopt);
  table.algorithm = Algorithm::tree;
  table.env = "NCCL_ALGO=Ring";
  EXPECT_EQ(join(table).call(Bytes(1)).algorithm, Algorithm::tree);
}

// 32 x 100 Gb/s of EFA, 4 x 200 of Slingshot, 8 x 200 of TCPX: what a server's NICs carry together, in Gb/s of line.
TEST(Measurement, NicsAndNetworkAreThoseOfTheHeader) {
  struct Case {
    const char* fabric;
    int nics;
    double gbps;
    const char* link;
  };
  for (const Case& each :
       {Case{"efa", 32, 100, "efa-100g"}, Case{"efa", 16, 200, "efa-200g"}, Case{"slingshot", 4, 200, "slingshot-11"},
        Case{"tcpx", 8, 200, "tcpx-200g"}, Case{"ib", 8, 400, "ib-ndr"}, Case{"roce", 8, 400, "roce-v2-400g"},
        Case{"tcp", 2, 100, "tcp-100g"}, Case{"ib", 8, 800, "ib-xdr"}}) {
    MeasuredTable table = table_of("hgx-h100-8", 2, 8);
    table.fabric = each.fabric;
    table.nics_per_server = each.nics;
    table.nic_gbps = each.gbps;
    const Measurement measurement = join(table);
    ASSERT_TRUE(measurement.usable()) << each.link << ": " << measurement.why_not;
    EXPECT_EQ(measurement.shape.between_link, each.link);
    EXPECT_EQ(measurement.shape.nics_per_server, each.nics) << each.link;
    EXPECT_TRUE(measurement.assumed.empty()) << each.link << ": " << measurement.assumed.front();
    // Goodput: at most the line rate, at least nine tenths of it or of what PCIe lets through.
    const double line = each.nics * each.gbps / 8;
    EXPECT_LE(measurement.shape.nic_rate_per_server.gbytes(), line) << each.link;
    EXPECT_GE(measurement.shape.nic_rate_per_server.gbytes(), 0.9 * std::min(line, 8 * 55.0)) << each.link;
  }
}

TEST(Measurement, ARateOfNoPartIsTakenAsItIs) {
  MeasuredTable table = table_of("hgx-h100-8", 2, 8);
  table.fabric = "ib";
  table.nic_gbps = 300;
  const Measurement measurement = join(table);
  EXPECT_EQ(measurement.shape.between, catalog::LinkClass::infiniband);
  EXPECT_NEAR(measurement.shape.nic_rate_per_rank.gbytes(), 300.0 / 8, 0.02 * 300 / 8);
  EXPECT_TRUE(assumes(measurement, "at 300 Gb/s"));
}

TEST(Measurement, AnUnknownNetworkIsInfinibandOrTheServersOwn) {
  MeasuredTable table = table_of("hgx-h100-8", 2, 8);
  const Measurement own = join(table);
  EXPECT_EQ(own.shape.between_link, "ib-ndr");
  EXPECT_TRUE(assumes(own, "the NICs and the network are the server's own (cx7-ndr)"));
  table.nic_gbps = 200;
  const Measurement rated = join(table);
  EXPECT_EQ(rated.shape.between, catalog::LinkClass::infiniband);
  EXPECT_NEAR(rated.shape.nic_rate_per_rank.gbytes(), 25, 0.5);
  EXPECT_TRUE(assumes(rated, "the network between servers is InfiniBand"));
  table = table_of("hgx-h100-8", 2, 8);
  table.fabric = "efa";
  table.nics_per_server = 32;
  const Measurement efa = join(table);
  EXPECT_EQ(efa.shape.between_link, "efa-100g");
  EXPECT_TRUE(assumes(efa, "the NICs run at 100 Gb/s"));
  const Measurement cards = join(table_of("pcie-l4", 2, 2));
  ASSERT_TRUE(cards.usable()) << cards.why_not;
  EXPECT_TRUE(assumes(cards, "no NICs of its own: cx6-hdr"));
  EXPECT_TRUE(assumes(cards, "each server has one NIC"));
}

TEST(Measurement, BridgesAndPeerToPeerByWhatIsStated) {
  const auto inside = [](std::string server, int gpus, std::string interconnect, std::optional<bool> p2p = {}) {
    MeasuredTable table = table_of(std::move(server), 1, gpus);
    table.interconnect = std::move(interconnect);
    table.p2p = p2p;
    return join(std::move(table));
  };
  EXPECT_EQ(inside("pcie-h100", 2, "NVLink bridges between two PCIe cards").shape.inside_link, "nvlink3-bridge");
  EXPECT_EQ(inside("pcie-a100", 2, "PCIe Gen4, NVLink bridges not reported").shape.inside_link, "pcie4-x16");
  EXPECT_FALSE(inside("pcie-a100", 4, "").shape.inside_bounce);
  EXPECT_TRUE(inside("pcie-a100", 4, "", false).shape.inside_bounce);
  EXPECT_TRUE(inside("pcie-a100", 4, "PCIe, no P2P (SHM)").shape.inside_bounce);
  EXPECT_TRUE(inside("pcie-a100", 4, "both under one switch, peer access NOT available (driver)").shape.inside_bounce);
  EXPECT_TRUE(inside("pcie-rtx4090", 4, "").shape.inside_bounce);
  EXPECT_FALSE(inside("pcie-rtx4090", 4, "PCIe Gen4, P2P driver").shape.inside_bounce);
  EXPECT_FALSE(inside("pcie-rtx4090", 4, "", true).shape.inside_bounce);
  // Prose elsewhere is nothing.
  EXPECT_FALSE(inside("pcie-a100", 4, "someone asked about peer-to-peer").shape.inside_bounce);
}

TEST(Measurement, WithoutGpudirectTheNetworkGoesThroughTheHost) {
  MeasuredTable table = table_of("hgx-h100-8", 2, 8);
  EXPECT_FALSE(join(table).shape.network_bounce);
  table.gdr = false;
  EXPECT_TRUE(join(table).shape.network_bounce);
}

TEST(Measurement, OneProcessDrivesAllOrAsManyAsItSays) {
  MeasuredTable table = table_of("hgx-h100-8", 1, 8);
  table.launch = LaunchMode::single_process;
  EXPECT_EQ(join(table).gpus_per_process, 8);
  table.gpus_per_process = 2;
  EXPECT_EQ(join(table).gpus_per_process, 2);
  table.launch = LaunchMode::thread_per_gpu;
  EXPECT_EQ(join(table).gpus_per_process, 1);
}

MeasuredTable log_of(std::string gpu, int servers, int gpus) {
  MeasuredTable table = table_of("", servers, gpus);
  table.raw_log = true;
  table.gpu = std::move(gpu);
  return table;
}

TEST(Measurement, ALogsServerIsGuessedByItsGpu) {
  const Measurement measurement = join(log_of("NVIDIA H100 80GB HBM3", 1, 8));
  EXPECT_EQ(measurement.table.server, "hgx-h100-8");
  EXPECT_TRUE(assumes(measurement, "the server is hgx-h100-8, by the GPU's name \"NVIDIA H100 80GB HBM3\""));
  EXPECT_EQ(join(log_of("AMD Radeon Graphics", 1, 8)).why_not,
            "\"AMD Radeon Graphics\" does not tell the server: name the cluster");
  EXPECT_EQ(join(log_of("", 1, 8)).why_not, "the log does not say on which GPUs it ran: name the cluster");
  const Measurement cards = join(log_of("NVIDIA L40S", 1, 4));
  EXPECT_TRUE(cards.usable()) << cards.why_not;
  EXPECT_EQ(cards.shape.ranks, 4);
}

TEST(Measurement, TraysOfARackAreOneServer) {
  const Measurement rack = join(log_of("NVIDIA GB200", 18, 4));
  ASSERT_TRUE(rack.usable()) << rack.why_not;
  EXPECT_EQ(rack.shape.servers, 1);
  EXPECT_EQ(rack.shape.ranks, 72);
  EXPECT_TRUE(assumes(rack, "the 18 hosts are trays of 1 rack"));
  const Measurement two = join(log_of("NVIDIA GB200", 36, 4));
  EXPECT_EQ(two.shape.servers, 2);
  EXPECT_EQ(two.shape.ranks, 144);
  // A measured table says what it means.
  EXPECT_EQ(join(table_of("gb200-nvl72", 2, 4)).shape.servers, 2);
}

TEST(Measurement, TheUsersClusterOverrides) {
  std::istringstream none;
  MeasurementJoiner by_name(test_catalog());
  ASSERT_TRUE(by_name.use_cluster("mi355x-8", "", none));
  const Measurement named = by_name.join(log_of("AMD Radeon Graphics", 2, 8));
  ASSERT_TRUE(named.usable()) << named.why_not;
  EXPECT_EQ(named.shape.servers, 2);
  EXPECT_EQ(named.shape.inside_link, "xgmi-mi350");

  MeasurementJoiner given(test_catalog());
  ASSERT_TRUE(given.use_cluster("4xhgx-a100-8", "", none));
  const Measurement part = given.join(table_of("hgx-h100-8", 2, 8));
  ASSERT_TRUE(part.usable()) << part.why_not;
  EXPECT_EQ(part.shape.inside_link, "nvlink3");
  EXPECT_EQ(part.shape.servers, 2);
  EXPECT_EQ(given.join(table_of("hgx-h100-8", 5, 8)).why_not, "the cluster has 4 servers, and 5 took part");
  EXPECT_EQ(given.join(table_of("hgx-h100-8", 2, 9)).why_not, "server0 has 8 GPUs, and 9 took part");

  const Result<void> wrong = MeasurementJoiner(test_catalog()).use_cluster("no-such-thing", "", none);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().id, "WEFT-INT-0010");
}

TEST(Measurement, WhatCannotBeBuiltSaysWhy) {
  MeasuredTable table = table_of("hgx-h100-8", 2, 8);
  table.fabric = "string";
  const Result<MeasuredCluster> network = describe_cluster(test_catalog(), table);
  ASSERT_FALSE(network);
  EXPECT_EQ(network.error().id, "WEFT-INT-0020");
  EXPECT_EQ(join(table).why_not, "no link of the network \"string\" is known");
  const Result<MeasuredCluster> gpus = describe_cluster(test_catalog(), table_of("hgx-h100-4", 1, 8));
  ASSERT_FALSE(gpus);
  EXPECT_EQ(gpus.error().id, "WEFT-INT-0021");
}

TEST(Measurement, TheSameClusterIsBuiltOnce) {
  MeasurementJoiner joiner(test_catalog());
  const Measurement a = joiner.join(table_of("hgx-h100-8", 2, 8));
  const Measurement b = joiner.join(table_of("hgx-h100-8", 2, 4));
  MeasuredTable other = table_of("hgx-h100-8", 2, 8);
  other.gdr = false;
  const Measurement c = joiner.join(other);
  EXPECT_EQ(a.cluster, b.cluster);
  EXPECT_NE(a.cluster, c.cluster);
}

}  // namespace
}  // namespace weft::intake
