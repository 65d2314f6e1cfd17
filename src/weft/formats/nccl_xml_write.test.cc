#include "weft/formats/nccl_xml_write.h"

#include <gtest/gtest.h>

#include <sstream>

#include "weft/fabric/cluster.h"
#include "weft/fabric/diff.h"
#include "weft/formats/catalog.test.h"
#include "weft/formats/nccl_xml.h"

namespace weft::formats {
namespace {

using fabric::Fabric;

Fabric build(const std::vector<std::string>& servers, int count = 1) {
  fabric::ClusterSpec spec;
  for (const std::string& server : servers) {
    fabric::ServerGroup group;
    group.server = server;
    group.count = count;
    spec.groups.push_back(group);
  }
  spec.network_given = true;
  auto cluster = fabric::build_cluster(test_catalog(), spec);
  EXPECT_TRUE(cluster) << (cluster ? "" : cluster.error().to_string());
  return cluster ? std::move(cluster->fabric) : Fabric();
}

void expect_same(const Fabric& fabric, const std::string& name) {
  const auto text = write_nccl_xml(test_catalog(), fabric);
  ASSERT_TRUE(text) << name << text.error().to_string();
  const auto back = read_nccl_xml(test_catalog(), {name, text->xml});
  ASSERT_TRUE(back) << name << back.error().to_string();
  for (const fabric::Difference& d : fabric::diff(fabric, back->fabric)) {
    ADD_FAILURE() << name << ": " << d.what << ": \"" << d.first << "\" against \"" << d.second << '"';
  }
  EXPECT_TRUE(back->observed.empty()) << name;
  for (std::size_t s = 0; s < fabric.servers().size(); ++s) {
    EXPECT_EQ(fabric.servers()[s].gpudirect_rdma || fabric.servers()[s].nics == 0,
              back->fabric.servers()[s].gpudirect_rdma || fabric.servers()[s].nics == 0)
        << name;
    EXPECT_EQ(fabric.servers()[s].peer_to_peer || fabric.servers()[s].gpus == 1, back->fabric.servers()[s].peer_to_peer)
        << name;
  }
}

TEST(NcclXmlWrite, EveryServerOfTheCatalogReadsBack) {
  const std::vector<std::string> names = test_catalog().ids(catalog::Kind::server);
  ASSERT_GT(names.size(), 30U);
  for (const std::string& name : names) expect_same(build({name}), name);
}

TEST(NcclXmlWrite, CountsAndAdaptersOfPcieServers) {
  for (const char* name : {"pcie-a100:1", "pcie-l40s:3", "pcie-h100-bridged:6", "pcie-rtx4090:2"})
    expect_same(build({name}), name);
  fabric::ClusterSpec spec;
  spec.groups.resize(1);
  spec.groups[0].server = "pcie-l40s:4";
  spec.groups[0].options.nic = "cx6dx-100g";
  spec.groups[0].options.nics = 2;
  spec.network_given = true;
  expect_same(fabric::build_cluster(test_catalog(), spec)->fabric, "l40s with NICs");
}

TEST(NcclXmlWrite, SeveralServersAreFused) {
  const Fabric fabric = build({"hgx-h100-8", "gb200-nvl72", "pcie-l40s:3"}, 2);
  expect_same(fabric, "fused");
  const auto text = write_nccl_xml(test_catalog(), fabric);
  EXPECT_NE(text->xml.find("host_hash="), std::string::npos);
  const auto one = write_nccl_xml(test_catalog(), fabric, 1);
  EXPECT_EQ(one->xml.find("host_hash="), std::string::npos);
  EXPECT_TRUE(fabric::diff(build({"hgx-h100-8"}), read_nccl_xml(test_catalog(), {"one", one->xml})->fabric).empty());
}

// A hand-made tree: a shared root complex, a switch below a switch, a narrow slot, and a peer link between switches.
TEST(NcclXmlWrite, OddPcieTreesReadBack) {
  const auto technology = [](const char* id) { return *fabric::technology_of(test_catalog(), id); };
  fabric::FabricBuilder builder;
  builder.open_server({});
  using enum fabric::DeviceKind;
  const catalog::CpuPart spr = *test_catalog().cpu("xeon-spr");
  const std::uint16_t socket = builder.model({spr.id, Duration(0), spr.p2p_rate});
  const std::uint16_t root = builder.model({"", Duration(0), spr.p2p_rate});
  const std::uint16_t chip = builder.model({"pex89144", test_catalog().network_switch("pex89144")->latency, Rate(0)});
  const std::uint16_t slot = builder.technology(technology("pcie5-x16"));
  const std::uint16_t narrow = builder.technology(technology("pcie4-x8"));
  const std::uint16_t die =
      builder.technology({"on-die", catalog::LinkClass::cpu_bus, spr.memory_rate, spr.memory_rate, Duration(0)});
  std::vector<fabric::DeviceId> gpus;
  for (int i = 0; i < 4; ++i)
    gpus.push_back(builder.add_server_device(gpu, builder.model({"l40s", Duration(0), Rate(0)})));
  const auto nic0 = builder.add_server_device(nic, builder.model({"cx7-ndr", Duration(0), Rate(0)}));
  const auto cpu0 = builder.add_server_device(cpu, socket);
  const auto root0 = builder.add_server_device(root_complex, root);
  const auto root1 = builder.add_server_device(root_complex, root);
  const auto top = builder.add_server_device(pcie_switch, chip);
  const auto below = builder.add_server_device(pcie_switch, chip);
  const auto other = builder.add_server_device(pcie_switch, chip);
  builder.add_cable(root0, cpu0, die);
  builder.add_cable(root1, cpu0, die);
  builder.add_cable(top, root0, slot);
  builder.add_cable(below, top, slot);
  builder.add_cable(other, root1, slot);
  builder.add_cable(top, other, slot);
  builder.add_cable(gpus[0], below, slot);
  builder.add_cable(gpus[1], below, narrow);
  builder.add_cable(gpus[2], other, slot);
  builder.add_cable(gpus[3], root0, slot);  // shares the root complex with the switches
  builder.add_cable(nic0, top, slot);
  expect_same(std::move(builder).finish(), "odd");
}

TEST(NcclXmlWrite, BusIdsOfTheOperatorAreKept) {
  const std::string text =
      "<system version=\"1\"><cpu numaid=\"0\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\">"
      "<pci busid=\"0000:1b:00.0\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x2330\" link_speed=\"32.0 GT/s "
      "PCIe\" link_width=\"16\">"
      "<gpu dev=\"0\" sm=\"90\" rank=\"0\" gdr=\"1\"/></pci></cpu></system>";
  const auto read = read_nccl_xml(test_catalog(), {"t", text});
  const auto written = write_nccl_xml(test_catalog(), read->fabric);
  EXPECT_NE(written->xml.find("busid=\"0000:1b:00.0\""), std::string::npos);
  EXPECT_FALSE(says(written->notes, "made up"));
}

TEST(NcclXmlWrite, WhatTheFormatCannotHoldIsSaid) {
  fabric::ClusterSpec spec;
  spec.groups.resize(1);
  spec.groups[0].server = "hgx-h100-8";
  spec.groups[0].count = 2;
  const auto cluster = fabric::build_cluster(test_catalog(), spec);
  const auto text = write_nccl_xml(test_catalog(), cluster->fabric);
  EXPECT_TRUE(says(text->notes, "the network between servers (switches, cables) is left out"));
  EXPECT_TRUE(says(text->notes, "bus ids that the fabric does not know are made up"));
  EXPECT_TRUE(says(write_nccl_xml(test_catalog(), build({"mi300x-8"}))->notes, "version 2, for RCCL"));
}

// NCCL's own parser: no declaration, one blank between attributes, no blank before the end of a tag, at most 16
// attributes of at most 255 bytes, no elements inside one that it does not know.
TEST(NcclXmlWrite, KeepsToWhatNcclsParserTakes) {
  for (const char* name : {"hgx-h100-8", "dgx2-v100", "gb200-nvl72", "mi300x-8"}) {
    const auto text = write_nccl_xml(test_catalog(), build({name}));
    EXPECT_TRUE(text->xml.starts_with("<system version=\""));
    std::istringstream lines(text->xml);
    for (std::string line; std::getline(lines, line);) {
      const std::string tag = line.substr(line.find_first_not_of(' '));
      EXPECT_EQ(tag.find("  "), std::string::npos) << tag;
      EXPECT_EQ(tag.find(" />"), std::string::npos) << tag;
      EXPECT_EQ(tag.find('\t'), std::string::npos) << tag;
      EXPECT_LE(std::count(tag.begin(), tag.end(), '='), 16) << tag;
      EXPECT_LT(tag.size(), 512U) << tag;
      const bool own = tag.starts_with("<nvswitch") || tag.starts_with("<trunk");
      EXPECT_TRUE(!own || tag.ends_with("/>")) << tag;
    }
  }
}

TEST(NcclXmlWrite, ServersWithoutGpusAreRefused) {
  const Fabric hosts = build({"host"});
  EXPECT_EQ(write_nccl_xml(test_catalog(), hosts).error().id, "WEFT-FMT-0131");
  EXPECT_EQ(write_nccl_xml(test_catalog(), build({"hgx-h100-8"}), 7).error().expected, "server0 to server0");
}

}  // namespace
}  // namespace weft::formats
