#include "weft/formats/nccl_xml_tree.h"

#include <gtest/gtest.h>

namespace weft::formats {
namespace {

NcclSystem read(std::string text) {
  auto system = read_nccl_tree({"topo.xml", std::move(text)});
  EXPECT_TRUE(system) << (system ? "" : system.error().to_string());
  return system ? *system : NcclSystem();
}

Error refused(std::string text) {
  auto system = read_nccl_tree({"topo.xml", std::move(text)});
  EXPECT_FALSE(system);
  return system ? Error() : system.error();
}

constexpr const char* kFull = R"(<!-- by hand -->
<system version="1">
  <cpu host_hash="0xabc" numaid="0" affinity="ff,00000000" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">
    <pci busid="0000:1A:00.0" class="0x060400" vendor="0x1000" device="0xC030" link_speed="32.0 GT/s PCIe" link_width="16">
      <pcilink target="0000:2a:00.0"/>
      <pci busid="0000:1b:00.0" class="0x030200" vendor="0x10de" device="0x2330" link_speed="" link_width="0">
        <gpu dev="3" sm="90" rank="3" gdr="1">
          <nvlink target="0000:03:00.0" count="5" tclass="0x068000"/>
          <c2c bw="44712" count="5"/>
          <future x="1"/>
        </gpu>
      </pci>
      <pci busid="0000:1c:00.0" class="0x020700" vendor="0x15b3" device="0x1021">
        <nic>
          <net name="mlx5_0" dev="0" speed="400000" port="1" guid="0x1e1407effa1517ea" maxconn="131072" gdr="1" coll="1" latency="0.000000"/>
        </nic>
      </pci>
    </pci>
    <nic><net name="eth0" dev="1" speed="10000" guid="0x0" gdr="0"/></nic>
  </cpu>
  <cpu numaid="-1"/>
</system>
)";

TEST(NcclTree, EverythingStandsWhereTheFileHasIt) {
  const NcclSystem system = read(kFull);
  ASSERT_EQ(system.cpus.size(), 2U);
  const NcclCpu& cpu = system.cpus[0];
  EXPECT_EQ(cpu.host_hash, "0xabc");
  EXPECT_EQ(cpu.modelid, 143);
  EXPECT_EQ(system.cpus[1].numaid, -1);
  EXPECT_EQ(system.cpus[1].familyid, std::nullopt);
  ASSERT_EQ(cpu.pcis.size(), 1U);
  const NcclPci& top = cpu.pcis[0];
  EXPECT_EQ(top.busid, "0000:1a:00.0");
  EXPECT_EQ(top.device, "0xc030");
  EXPECT_EQ(top.pcilinks, std::vector<std::string>{"0000:2a:00.0"});
  ASSERT_EQ(top.children.size(), 2U);
  const NcclPci& gpu_pci = top.children[0];
  EXPECT_EQ(gpu_pci.link_speed, "");
  EXPECT_EQ(gpu_pci.link_width, 0);
  ASSERT_TRUE(gpu_pci.gpu);
  EXPECT_EQ(gpu_pci.gpu->dev, 3);
  EXPECT_EQ(gpu_pci.gpu->gdr, true);
  ASSERT_EQ(gpu_pci.gpu->links.size(), 1U);
  EXPECT_EQ(gpu_pci.gpu->links[0].count, 5);
  EXPECT_FALSE(gpu_pci.gpu->links[0].xgmi);
  EXPECT_EQ(gpu_pci.gpu->c2c[0].bandwidth, 44712);
  const NcclPci& nic_pci = top.children[1];
  EXPECT_EQ(nic_pci.link_speed, std::nullopt);
  ASSERT_EQ(nic_pci.nics.size(), 1U);
  EXPECT_EQ(nic_pci.nics[0].nets[0].guid, 0x1e1407effa1517eaU);
  EXPECT_EQ(nic_pci.nics[0].nets[0].speed, 400000);
  ASSERT_EQ(cpu.nics.size(), 1U);
  EXPECT_EQ(cpu.nics[0].nets[0].gdr, false);
}

TEST(NcclTree, UnknownElementsAreNamedNotLost) {
  const NcclSystem system = read(kFull);
  ASSERT_EQ(system.ignored.size(), 1U);
  EXPECT_EQ(system.ignored[0].element, "future");
  EXPECT_EQ(system.ignored[0].parent, "gpu");
}

TEST(NcclTree, OffsetsPointAtTheTag) {
  const SourceText source{"topo.xml", kFull};
  auto system = read_nccl_tree(source);
  ASSERT_TRUE(system);
  const SourcePosition where = source.position(system->cpus[0].pcis[0].children[0].gpu->links[0].offset);
  EXPECT_EQ(where.line, 8);
  EXPECT_EQ(where.column, 11);
}

TEST(NcclTree, RcclFilesAreVersionTwo) {
  const NcclSystem system = read(
      "<system version='2'><cpu><pci busid='a' class='0x120000'><gpu dev='0' sm='304' gcn='gfx942'>"
      "<xgmi target='0000:15:00.0' count='1' tclass='0x120000'/></gpu></pci></cpu></system>");
  EXPECT_EQ(system.version, 2);
  EXPECT_EQ(system.cpus[0].pcis[0].gpu->gcn, "gfx942");
  EXPECT_TRUE(system.cpus[0].pcis[0].gpu->links[0].xgmi);
}

TEST(NcclTree, VersionsThatNcclDoesNotKnow) {
  EXPECT_EQ(refused("<system version=\"3\"><cpu/></system>").to_string(),
            "error WEFT-FMT-0112: topo.xml:1:18: version 3 of <system> is not known\n"
            "  1 | <system version=\"3\"><cpu/></system>\n"
            "    |                  ^\n"
            "  expected: version=\"1\" (NCCL) or version=\"2\" (RCCL)\n"
            "  hint: if a newer NCCL wrote it, try the file with the version changed to 1\n");
  EXPECT_EQ(refused("<system><cpu/></system>").id, "WEFT-FMT-0112");
}

TEST(NcclTree, OtherFilesGivenByMistake) {
  EXPECT_EQ(
      refused("<graphs version=\"1\"><graph id=\"0\"/></graphs>").to_string(),
      "error WEFT-FMT-0111: topo.xml:1:1: this is an NCCL graph file (the search result: rings, trees, channels), "
      "not a topology\n"
      "  1 | <graphs version=\"1\"><graph id=\"0\"/></graphs>\n"
      "    | ^\n"
      "  expected: NCCL or RCCL topology XML: <system version=\"1\">\n"
      "  hint: write the topology with NCCL_TOPO_DUMP_FILE=topo.xml; NCCL_GRAPH_DUMP_FILE wrote this one\n");
  EXPECT_NE(refused("<topology version='2.0'/>").message.find("hwloc"), std::string::npos);
  EXPECT_NE(refused("<cpu numaid='0'/>").hint.find("first line"), std::string::npos);
  EXPECT_EQ(refused("<html></html>").message, "the root element is <html>, not <system>");
}

TEST(NcclTree, NothingInside) {
  EXPECT_EQ(refused("<system version=\"1\"></system>").id, "WEFT-FMT-0113");
  EXPECT_EQ(refused("<system version=\"1\"><cpu><pci class=\"0x03\"/></cpu></system>").id, "WEFT-FMT-0114");
}

TEST(NcclTree, BadNumbersAreShown) {
  EXPECT_EQ(refused("<system version=\"1\">\n <cpu>\n  <pci busid=\"1\" link_width=\"x16\"/>\n </cpu>\n</system>")
                .to_string(),
            "error WEFT-FMT-0116: topo.xml:3:30: <pci> has link_width=\"x16\"\n"
            "  3 |   <pci busid=\"1\" link_width=\"x16\"/>\n"
            "    |                              ^\n"
            "  expected: a whole number\n");
  const std::string head = "<system version=\"1\"><cpu><pci busid=\"1\"";
  const std::string tail = "</pci></cpu></system>";
  EXPECT_EQ(refused(head + " link_width=\"64\">" + tail).expected, "a number from 0 to 32");
  EXPECT_EQ(refused(head + "><gpu><nvlink count=\"-4\"/></gpu>" + tail).expected, "a number from 0 to 1024");
  EXPECT_EQ(refused(head + "><nic><net speed=\"fast\"/></nic>" + tail).expected, "a whole number");
  EXPECT_EQ(refused(head + "><nic><net speed=\"-1\"/></nic>" + tail).expected, "a number 0 or more");
  EXPECT_EQ(refused(head + "><nic><net guid=\"mlx\"/></nic>" + tail).id, "WEFT-FMT-0116");
  EXPECT_EQ(read(head + "><gpu dev='0'/><gpu dev='1'/>" + tail).cpus[0].pcis[0].gpu->dev, 0);
  EXPECT_EQ(refused("<system version=\"1\"><cpu numaid=\"99999999999\"/></system>").expected, "a whole number");
}

TEST(NcclTree, RolesFollowTheClassAndWhatHangsBelow) {
  const auto role = [](const char* pci) {
    return role_of(read("<system version=\"1\"><cpu>" + std::string(pci) + "</cpu></system>").cpus[0].pcis[0]);
  };
  EXPECT_EQ(role("<pci busid='1' class='0x060400'/>"), PciRole::bridge);
  EXPECT_EQ(role("<pci busid='1' class='0x030000'/>"), PciRole::gpu);
  EXPECT_EQ(role("<pci busid='1' class='0x038000'/>"), PciRole::gpu);
  EXPECT_EQ(role("<pci busid='1' class='0x120000'/>"), PciRole::gpu);
  EXPECT_EQ(role("<pci busid='1'><gpu/></pci>"), PciRole::gpu);
  EXPECT_EQ(role("<pci busid='1' class='0x068000'/>"), PciRole::nvswitch);
  EXPECT_EQ(role("<pci busid='1' class='0x028000'/>"), PciRole::nic);
  EXPECT_EQ(role("<pci busid='1' class='0x060000'><nic><net/></nic></pci>"), PciRole::nic);
  EXPECT_EQ(role("<pci busid='1' class='0x080100'><nic><net/></nic></pci>"), PciRole::nic);
}

TEST(NcclTree, WhatTheScanLetsThroughMustStillBeXml) {
  EXPECT_EQ(refused("<system version=\"1\"><cpu/><!DOCTYPE y></system>").id, "WEFT-FMT-0110");
}

}  // namespace
}  // namespace weft::formats
