#include "weft/formats/cluster_toml.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "weft/fabric/diff.h"
#include "weft/fabric/path.h"
#include "weft/formats/catalog.test.h"

namespace weft::formats {
namespace {

using fabric::DeviceKind;

ClusterFile parse(std::string text) {
  auto file = parse_cluster_toml({"c.toml", std::move(text)});
  EXPECT_TRUE(file) << (file ? "" : file.error().to_string());
  return file ? std::move(*file) : ClusterFile();
}

Error refused(std::string text) {
  auto cluster = read_cluster_toml(test_catalog(), {"c.toml", std::move(text)});
  EXPECT_FALSE(cluster);
  return cluster ? Error() : cluster.error();
}

SourceText example(const std::string& name) {
  std::ifstream file("examples/" + name);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(file) << name;
  return {name, text.str()};
}

fabric::Cluster built(const std::string& name) {
  auto cluster = read_cluster_toml(test_catalog(), example(name));
  EXPECT_TRUE(cluster) << (cluster ? "" : cluster.error().to_string());
  return cluster ? std::move(*cluster) : fabric::Cluster();
}

constexpr const char* kServers = "[[servers]]\nserver = \"hgx-h100-8\"\n";

TEST(ClusterToml, EveryKeyReachesTheSpec) {
  const ClusterFile file = parse(R"(name = "all of it"
conditions = ["down server0.nic3", "loss 0.1 leaf0"]
[[servers]]
server = "pcie-l40s"
count = 3
gpus = 4
nics = 2
nic = "cx7-ndr"
servers_per_rack = 8
gpudirect_rdma = false
name = "node"
[[servers]]
server = "host"
[network]
kind = "leaf_spine"
switch = "qm9700"
link = "ib-ndr"
radix = 32
rate = "200Gb/s"
latency = "1.5us"
oversubscription = "3:2"
tiers = 2
servers_per_leaf = 4
uplinks = 2
[management]
switch = "sn2201"
)");
  ASSERT_EQ(file.spec.groups.size(), 2U);
  const fabric::ServerGroup& group = file.spec.groups[0];
  EXPECT_EQ(group.count, 3);
  EXPECT_EQ(group.options.gpus, 4);
  EXPECT_EQ(group.options.nics, 2);
  EXPECT_EQ(group.options.nic, "cx7-ndr");
  EXPECT_EQ(group.servers_per_rack, 8);
  EXPECT_FALSE(group.options.gpudirect_rdma);
  EXPECT_EQ(group.name, "node");
  EXPECT_EQ(file.spec.groups[1].count, 1);
  EXPECT_EQ(file.spec.conditions, (std::vector<std::string>{"down server0.nic3", "loss 0.1 leaf0"}));
  const fabric::NetworkSpec& network = file.spec.network;
  EXPECT_TRUE(file.spec.network_given);
  EXPECT_EQ(network.kind, fabric::NetworkKind::leaf_spine);
  EXPECT_EQ(network.switch_part, "qm9700");
  EXPECT_EQ(network.link, "ib-ndr");
  EXPECT_EQ(network.radix, 32);
  EXPECT_EQ(network.rate, Rate::gbit_per_s(200));
  EXPECT_EQ(network.latency, Duration::nanoseconds(1500));
  EXPECT_TRUE(network.latency_given);
  EXPECT_DOUBLE_EQ(network.oversubscription, 1.5);
  EXPECT_EQ(network.tiers, 2);
  EXPECT_EQ(network.servers_per_leaf, 4);
  EXPECT_EQ(network.uplinks, 2);
  EXPECT_TRUE(network.management);
  EXPECT_EQ(network.management_switch, "sn2201");
}

TEST(ClusterToml, KindsAreToldByTheirKeys) {
  const std::string head = "[[servers]]\nserver = \"host\"\n[network]\nrate = \"1Gb/s\"\n";
  EXPECT_EQ(parse(head + "k = 4\n").spec.network.kind, fabric::NetworkKind::fat_tree);
  EXPECT_EQ(parse(head + "dimensions = [2, 2]\n").spec.network.dimensions, (std::vector<int>{2, 2}));
  EXPECT_EQ(parse(head).spec.network.kind, fabric::NetworkKind::rail);
  const ClusterFile fly =
      parse(head + "kind = \"dragonfly\"\nrouters_per_group = 4\nhosts_per_router = 2\nglobal_links = 2\ngroups = 9\n");
  EXPECT_EQ(fly.spec.network.groups, 9);
  EXPECT_FALSE(parse("[[servers]]\nserver = \"host\"\n").spec.network_given);
  EXPECT_TRUE(parse("management = true\n[servers]\nserver = \"host\"\n").spec.network.management);
  EXPECT_FALSE(parse("[servers]\nserver = \"host\"\n[management]\nenabled = false\n").spec.network.management);
}

TEST(ClusterToml, UnknownKeysGetADidYouMean) {
  EXPECT_EQ(refused("[[servers]]\nserver = \"hgx-h100-8\"\ncuont = 2\n").to_string(),
            "error WEFT-FMT-0304: c.toml:3:1: \"cuont\" is not a key of [[servers]]\n"
            "  3 | cuont = 2\n"
            "    | ^\n"
            "  expected: one of server, count, name, nics, nic, gpus, servers_per_rack and gpudirect_rdma\n"
            "  hint: did you mean count?\n");
  EXPECT_EQ(refused(std::string("serverss = 1\n") + kServers).hint, "did you mean servers?");
  EXPECT_EQ(refused(std::string(kServers) + "[management]\nswich = \"sn2201\"\n").hint, "did you mean switch?");
}

TEST(ClusterToml, KeysOfAnotherKindOfNetwork) {
  EXPECT_EQ(refused(std::string(kServers) + "[network]\nkind = \"rail\"\nk = 8\n").to_string(),
            "error WEFT-FMT-0304: c.toml:5:1: \"k\" is not a key of a rail network\n"
            "  5 | k = 8\n"
            "    | ^\n"
            "  expected: one of kind, switch, link, radix, rate, latency, oversubscription, tiers, servers_per_leaf "
            "and uplinks\n"
            "  hint: it belongs to kind = fat-tree\n");
}

TEST(ClusterToml, RatesAndTimesNeedUnits) {
  EXPECT_EQ(refused(std::string(kServers) + "[network]\nrate = 400\n").to_string(),
            "error WEFT-FMT-0305: c.toml:4:8: network.rate is a number without a unit\n"
            "  4 | rate = 400\n"
            "    |        ^\n"
            "  expected: a text with a unit, such as \"400Gb/s\"\n");
  const Error unit = refused(std::string(kServers) + "[network]\nrate = \"400\"\n");
  EXPECT_EQ(unit.id, "WEFT-UNIT-0003");
  EXPECT_EQ(unit.where.line, 4);
  EXPECT_EQ(unit.where.column, 8);
  EXPECT_EQ(refused(std::string(kServers) + "[network]\nlatency = 1.5\n").expected,
            "a text with a unit, such as \"1us\"");
  EXPECT_EQ(refused(std::string(kServers) + "[network]\nlatency = \"2s\"\n").id, "WEFT-FMT-0306");
  EXPECT_EQ(refused(std::string(kServers) + "[network]\nrate = \"0Gb/s\"\n").id, "WEFT-FMT-0306");
}

TEST(ClusterToml, RangesAndTypes) {
  EXPECT_EQ(refused("[[servers]]\nserver = \"hgx-h100-8\"\ncount = 0\n").to_string(),
            "error WEFT-FMT-0306: c.toml:3:9: servers.count is 0\n"
            "  3 | count = 0\n"
            "    |         ^\n"
            "  expected: a whole number from 1 to 1000000\n");
  EXPECT_EQ(refused("[[servers]]\nserver = 3\n").message, "servers.server is a whole number");
  EXPECT_EQ(refused("servers = 3\n").message, "servers is a whole number");
  EXPECT_EQ(refused("servers = [3]\n").message, "an entry of servers is a whole number");
  EXPECT_EQ(refused(std::string(kServers) + "[network]\noversubscription = \"1:2\"\n").id, "WEFT-FMT-0306");
  EXPECT_EQ(refused(std::string(kServers) + "[network]\noversubscription = nan\n").id, "WEFT-FMT-0306");
  EXPECT_EQ(refused(std::string(kServers) + "[network]\nk = 7\n").expected, "an even number of ports");
  EXPECT_EQ(refused(std::string(kServers) + "[network]\ndimensions = [4096, 4096]\n").id, "WEFT-FMT-0306");
  EXPECT_EQ(refused("[[servers]]\nserver=\"host\"\ncount=1000000\n[[servers]]\nserver=\"host\"\ncount=1\n").message,
            "more than 1000000 servers in all");
  EXPECT_EQ(refused("[[servers]]\nserver = 2026-01-01\n").message, "servers.server is a date or time");
}

TEST(ClusterToml, WhatIsMissing) {
  EXPECT_EQ(refused("").id, "WEFT-FMT-0301");
  EXPECT_EQ(refused("name = \"x\"\n").id, "WEFT-FMT-0307");
  EXPECT_EQ(refused("[[servers]]\ncount = 2\n").message, "[[servers]] does not say which server");
  EXPECT_EQ(refused(std::string(kServers) + "[network]\nkind = \"fat-tree\"\n").id, "WEFT-FMT-0307");
  EXPECT_EQ(refused(std::string(kServers) + "[network]\nkind = \"custom\"\n").expected, "[[network.switches]]");
}

TEST(ClusterToml, UnknownNames) {
  const Error server = refused("[[servers]]\nserver = \"hgx-h100\"\ncount = 2\n");
  EXPECT_EQ(server.where.line, 2);
  EXPECT_EQ(server.where.column, 10);
  EXPECT_NE(server.hint.find("hgx-h100-8"), std::string::npos);
  EXPECT_EQ(refused(std::string(kServers) + "[network]\nkind = \"leafspine\"\n").hint, "did you mean leaf-spine?");
  const Error part = refused("[[servers]]\nserver = \"hgx-h100-8\"\ncount = 2\n[network]\nswitch = \"qm9701\"\n");
  EXPECT_EQ(part.where.line, 4);
  EXPECT_NE(part.hint.find("qm9700"), std::string::npos);
  const std::string custom =
      std::string(kServers) +
      "[network]\n[[network.switches]]\nname = \"ib0\"\n[[network.cables]]\nfrom = \"server0.nic0\"\nto = \"ib1\"\n";
  EXPECT_EQ(refused(custom).message, "a cable ends at \"ib1\", which is no NIC and no switch of this file");
  EXPECT_EQ(refused(custom).hint, "did you mean ib0?");
}

TEST(ClusterToml, ConditionsPointAtTheirOwnLine) {
  const Error unknown =
      refused(std::string("conditions = [\n  \"down server0.nic0\",\n  \"dwon server0.nic3\",\n]\n") + kServers);
  EXPECT_EQ(unknown.where.line, 3);
  EXPECT_EQ(unknown.where.column, 3);
  EXPECT_EQ(unknown.hint, "did you mean down?");
}

TEST(ClusterToml, BrokenTomlSaysWhere) {
  const Error broken = refused("[[servers]\nserver = \"x\"\n");
  EXPECT_EQ(broken.id, "WEFT-FMT-0303");
  EXPECT_EQ(broken.where.line, 1);
  EXPECT_EQ(refused("name = \"\xff\"\n").id, "WEFT-FMT-0303");
  std::string deep = "a";
  for (int i = 0; i < 100'000; ++i) deep += ".a";
  EXPECT_EQ(refused(deep + " = 1\n").id, "WEFT-FMT-0302");
  EXPECT_EQ(refused("x = " + std::string(100'000, '[')).id, "WEFT-FMT-0303");
  EXPECT_EQ(refused(std::string(9U << 20U, '#')).id, "WEFT-FMT-0302");
}

TEST(ClusterToml, AnUnknownKindOfNetworkIsNamed) {
  EXPECT_EQ(refused("[[servers]]\nserver = \"host\"\n[network]\nkind = \"rial\"\n").id, "WEFT-FMT-0308");
}

TEST(ClusterToml, ColumnsCountBytes) {
  const Error after = refused("[[servers]]\nserver = \"host\"\nname = \"\xc3\xa4\xc3\xb6\" #\nnix = 1\n");
  EXPECT_EQ(after.where.line, 4);
  const Error same_line = refused("servers = [{ name = \"\xc3\xa4\", nix = 1 }]\n");
  EXPECT_EQ(same_line.where.column, 27);  // 26 characters in, one of two bytes among them
}

// Three servers, three switches: each server on two of them, each pair with one in common.
TEST(ClusterToml, DualHomedExample) {
  const fabric::Cluster cluster = built("three-hgx-h100-dual-homed.toml");
  const fabric::Fabric& fabric = cluster.fabric;
  EXPECT_EQ(fabric.gpus().size(), 24U);
  EXPECT_EQ(fabric.nics().size(), 6U);
  EXPECT_EQ(fabric.devices_of(DeviceKind::leaf).size(), 3U);
  EXPECT_EQ(fabric.devices_of(DeviceKind::management).size(), 1U);
  const char* expected[3][2] = {{"ib0", "ib1"}, {"ib1", "ib2"}, {"ib2", "ib0"}};
  for (std::uint32_t s = 0; s < 3; ++s) {
    for (std::uint32_t n = 0; n < 2; ++n) {
      EXPECT_EQ(fabric.operator_name(fabric.leaf_of(fabric.nic(s, n))), expected[s][n]);
    }
  }
  // Any one switch may fail: every pair of servers still has a way.
  for (const char* lost : {"down ib0", "down ib1", "down ib2"}) {
    fabric::Conditions conditions;
    conditions.add(*fabric::parse_condition(fabric, lost));
    for (std::uint32_t a = 0; a < 3; ++a) {
      for (std::uint32_t b = a + 1; b < 3; ++b) {
        const bool shared_lost = (std::string(lost) == "down ib1" && a == 0 && b == 1) ||
                                 (std::string(lost) == "down ib2" && a == 1 && b == 2) ||
                                 (std::string(lost) == "down ib0" && a == 0 && b == 2);
        // The pair that shared the lost switch has no other: it goes through the third server only, which does not
        // forward.
        EXPECT_EQ(fabric::find_path(fabric, fabric.gpu(a, 0), fabric.gpu(b, 0), conditions).has_value(), !shared_lost)
            << lost << a << b;
      }
    }
  }
}

TEST(ClusterToml, OtherExamples) {
  EXPECT_EQ(built("sixteen-hgx-h100-rail.toml").fabric.devices_of(DeviceKind::leaf).size(), 8U);
  EXPECT_EQ(built("leaf-spine-roce-2to1.toml").fabric.gpus().size(), 64U);
  EXPECT_EQ(built("nvl72-pair.toml").fabric.gpus().size(), 144U);
  const fabric::Cluster tcp = built("l40s-tcp.toml");
  EXPECT_FALSE(tcp.fabric.servers()[0].gpudirect_rdma);
  const fabric::Cluster down = built("hgx-h100-nic-down.toml");
  ASSERT_EQ(down.conditions.list().size(), 1U);
  EXPECT_EQ(down.conditions.list()[0].target.device, down.fabric.nic(0, 3));
}

TEST(ClusterToml, TheFatTreeExampleIsItsShortForm) {
  const auto spec = fabric::parse_short_form("fat-tree:k=8,rate=400Gb/s,latency=1us");
  ASSERT_TRUE(spec);
  const auto cluster = fabric::build_cluster(test_catalog(), *spec);
  ASSERT_TRUE(cluster);
  EXPECT_TRUE(fabric::diff(built("fat-tree-k8.toml").fabric, cluster->fabric).empty());
}

TEST(ClusterToml, EveryExampleReads) {
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("examples")) {
    if (entry.path().extension() != ".toml" ||
        example(entry.path().filename()).text.find("[[servers]]") == std::string::npos)
      continue;
    built(entry.path().filename());
    ++seen;
  }
  EXPECT_GE(seen, 7);
}

}  // namespace
}  // namespace weft::formats
