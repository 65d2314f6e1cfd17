#include "weft/formats/nccl_xml.h"

#include <gtest/gtest.h>

#include "weft/fabric/path.h"
#include "weft/formats/catalog.test.h"

namespace weft::formats {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;

OperatorFabric read(std::string text, std::string gpu = "") {
  auto result = read_nccl_xml(test_catalog(), {"topo.xml", std::move(text)}, {std::move(gpu)});
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result ? std::move(*result) : OperatorFabric();
}

Error refused(std::string text, std::string gpu = "") {
  auto result = read_nccl_xml(test_catalog(), {"topo.xml", std::move(text)}, {std::move(gpu)});
  EXPECT_FALSE(result);
  return result ? Error() : result.error();
}

std::string system(const std::string& cpus, int version = 1) {
  return "<system version=\"" + std::to_string(version) + "\">" + cpus + "</system>";
}
std::string cpu(int numa, const std::string& inside, const std::string& more = "") {
  return "<cpu numaid=\"" + std::to_string(numa) +
         "\" arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\" " + more + ">" + inside + "</cpu>";
}
std::string bridge(const std::string& busid, const std::string& inside, const std::string& speed = "32.0 GT/s PCIe",
                   int width = 16) {
  return "<pci busid=\"" + busid + "\" class=\"0x060400\" link_speed=\"" + speed + "\" link_width=\"" +
         std::to_string(width) + "\">" + inside + "</pci>";
}
std::string gpu(const std::string& busid, int dev, const std::string& links = "",
                const std::string& speed = "32.0 GT/s PCIe", const std::string& id = "0x2330") {
  return "<pci busid=\"" + busid + "\" class=\"0x030200\" vendor=\"0x10de\" device=\"" + id + "\" link_speed=\"" +
         speed + "\" link_width=\"16\"><gpu dev=\"" + std::to_string(dev) + "\" sm=\"90\" rank=\"" +
         std::to_string(dev) + "\" gdr=\"1\">" + links + "</gpu></pci>";
}
std::string nvlink(const std::string& target, int count, const std::string& tclass = "0x068000") {
  return "<nvlink target=\"" + target + "\" count=\"" + std::to_string(count) + "\" tclass=\"" + tclass + "\"/>";
}
std::string net(const std::string& name, int dev, std::int64_t speed, const std::string& guid,
                const std::string& more = "port=\"1\" gdr=\"1\"") {
  return "<net name=\"" + name + "\" dev=\"" + std::to_string(dev) + "\" speed=\"" + std::to_string(speed) +
         "\" guid=\"" + guid + "\" " + more + "/>";
}
std::string nic(const std::string& busid, const std::string& nets, const std::string& device = "0x1021",
                const std::string& type = "0x020700") {
  return "<pci busid=\"" + busid + "\" class=\"" + type + "\" vendor=\"0x15b3\" device=\"" + device +
         "\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"><nic>" + nets + "</nic></pci>";
}

std::string technology_between(const Fabric& fabric, std::string_view a, std::string_view b) {
  const fabric::LinkId link = fabric.link_between(fabric.find(a), fabric.find(b));
  return link.valid() ? std::to_string(fabric.link(link).count) + " x " + fabric.technology(link).id : "none";
}

std::string part(const Fabric& fabric, std::string_view name) { return fabric.model(fabric.find(name)).part; }

// Two GPUs and a NIC each behind a switch, on two sockets, four links to each of four NVSwitches… of H100.
std::string h100_pair() {
  const std::string links =
      nvlink("0000:03:00.0", 5) + nvlink("0000:04:00.0", 4) + nvlink("0000:05:00.0", 4) + nvlink("0000:06:00.0", 5);
  return system(
      cpu(0, bridge("0000:15:00.0", gpu("0000:18:00.0", 0, links) +
                                        nic("0000:17:00.0", net("mlx5_0", 0, 400000, "0x1d10000000000001")))) +
      cpu(1, bridge("0000:85:00.0", gpu("0000:88:00.0", 1, links) +
                                        nic("0000:87:00.0", net("mlx5_1", 1, 400000, "0x1d10000000000002")))));
}

TEST(NcclXml, AFullDumpBecomesTheServerItDescribes) {
  const OperatorFabric h100 = read(h100_pair());
  const Fabric& fabric = h100.fabric;
  EXPECT_EQ(fabric.servers().size(), 1U);
  EXPECT_EQ(part(fabric, "server0.gpu1"), "h100-sxm5");
  EXPECT_EQ(part(fabric, "server0.cpu0"), "xeon-spr");
  EXPECT_EQ(part(fabric, "server0.nic1"), "cx7-ndr");
  EXPECT_EQ(part(fabric, "server0.nvswitch3"), "nvswitch3");
  EXPECT_EQ(technology_between(fabric, "server0.gpu0", "server0.nvswitch0"), "5 x nvlink4");
  EXPECT_EQ(technology_between(fabric, "server0.gpu1", "server0.nvswitch1"), "4 x nvlink4");
  EXPECT_EQ(technology_between(fabric, "server0.gpu0", "server0.pcisw0"), "1 x pcie5-x16");
  EXPECT_EQ(technology_between(fabric, "server0.pcisw1", "server0.root1"), "1 x pcie5-x16");
  EXPECT_EQ(technology_between(fabric, "server0.cpu0", "server0.cpu1"), "4 x upi2");
  EXPECT_EQ(fabric.operator_name(fabric.gpu(0, 1)), "0000:88:00.0");
  EXPECT_EQ(fabric.operator_name(fabric.nic(0, 0)), "mlx5_0");
  EXPECT_EQ(fabric::closeness(fabric, fabric.gpu(0, 0), fabric.nic(0, 0)), fabric::PathType::pix);
  EXPECT_EQ(fabric::closeness(fabric, fabric.gpu(0, 0), fabric.nic(0, 1)), fabric::PathType::sys);
  EXPECT_TRUE(h100.observed.empty());
  EXPECT_TRUE(fabric.servers()[0].gpudirect_rdma);
}

TEST(NcclXml, GpusAreNumberedByDevAndSocketsByNumaid) {
  const OperatorFabric mixed =
      read(system(cpu(3, gpu("0000:0f:00.0", 1)) + cpu(1, gpu("0000:51:00.0", 0)) + "<cpu numaid=\"-1\"/>"));
  EXPECT_EQ(mixed.fabric.operator_name(mixed.fabric.gpu(0, 0)), "0000:51:00.0");
  EXPECT_EQ(mixed.fabric.operator_name(mixed.fabric.find("server0.cpu0")), "numa1");
  EXPECT_EQ(mixed.fabric.operator_name(mixed.fabric.find("server0.cpu1")), "numa3");
  EXPECT_TRUE(says(mixed.assumed, "3 NUMA nodes, all joined alike"));
}

TEST(NcclXml, ASkeletonGetsTheLinksOfTheServerWithItsGpus) {
  std::string pcis;
  for (int i = 8; i >= 1; --i) {
    const std::string n = std::to_string(i);
    pcis += bridge("ffff:ff:0" + n + ".0",
                   "<pci busid=\"000" + n +
                       ":00:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"/>"
                       "<pci busid=\"010" +
                       n + ":00:00.0\" class=\"0x020700\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"/>");
  }
  const OperatorFabric guessed = read(system(cpu(0, pcis)));
  EXPECT_EQ(part(guessed.fabric, "server0.gpu0"), "h100-sxm5");
  EXPECT_EQ(guessed.fabric.operator_name(guessed.fabric.gpu(0, 0)), "0001:00:00.0");
  EXPECT_EQ(technology_between(guessed.fabric, "server0.gpu7", "server0.nvswitch0"), "5 x nvlink4");
  EXPECT_TRUE(says(guessed.assumed,
                   "the GPU is h100-sxm5 (the file does not name the GPU; 8 GPUs on PCIe 5); name it with --gpu"));
  EXPECT_TRUE(says(guessed.assumed, "NVLink as in hgx-h100-8"));
  EXPECT_TRUE(says(guessed.assumed, "adapters are cx7-ndr"));
  EXPECT_TRUE(says(guessed.notes, "a skeleton"));

  const OperatorFabric named = read(system(cpu(0, pcis)), "b200-sxm");
  EXPECT_EQ(part(named.fabric, "server0.gpu0"), "b200-sxm");
  EXPECT_EQ(technology_between(named.fabric, "server0.gpu0", "server0.nvswitch1"), "9 x nvlink5");
  EXPECT_FALSE(says(named.assumed, "the GPU is"));
}

TEST(NcclXml, TheFilesOwnGpuIdWinsOverTheNamedOne) {
  const OperatorFabric both = read(system(cpu(0, gpu("0000:01:00.0", 0))), "b200-sxm");
  EXPECT_EQ(part(both.fabric, "server0.gpu0"), "h100-sxm5");
  EXPECT_TRUE(says(both.notes, "b200-sxm as named is not used"));
  EXPECT_EQ(refused(system(cpu(0, gpu("0000:01:00.0", 0))), "h100-smx5").hint.substr(0, 12), "did you mean");
}

TEST(NcclXml, UnknownGpusAreTheLikeliestOfTheirArchitecture) {
  const OperatorFabric nearest = read(system(cpu(0, gpu("0000:01:00.0", 0, "", "8 GT/s", "0x9999"))));
  EXPECT_EQ(test_catalog().gpu(part(nearest.fabric, "server0.gpu0"))->sm, 90);
  EXPECT_TRUE(says(nearest.assumed, "PCI id 0x10de 0x9999 is not in the catalog; compute capability 9.0"));
}

TEST(NcclXml, AmdFilesOfVersionTwo) {
  const auto mi300 = [](const char* busid, int dev, const char* peer) {
    return "<pci busid=\"" + std::string(busid) +
           "\" class=\"0x120000\" vendor=\"0x1002\" device=\"0x74a1\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">"
           "<gpu dev=\"" +
           std::to_string(dev) +
           "\" sm=\"304\" gcn=\"gfx942\" arch=\"38911\" rank=\"0\" gdr=\"1\">"
           "<xgmi target=\"" +
           peer + "\" count=\"1\" tclass=\"0x120000\"/></gpu></pci>";
  };
  const OperatorFabric pair =
      read(system(cpu(0, mi300("0000:0c:00.0", 0, "0000:15:00.0") + mi300("0000:15:00.0", 1, "0000:0c:00.0")), 2));
  EXPECT_EQ(part(pair.fabric, "server0.gpu0"), "mi300x");
  EXPECT_EQ(technology_between(pair.fabric, "server0.gpu0", "server0.gpu1"), "1 x xgmi-mi300");
}

TEST(NcclXml, WhatIsNotStatedIsTakenAsNcclTakesIt) {
  const OperatorFabric blank = read(system(cpu(0,
                                               "<pci busid=\"0001:00:00.0\" class=\"0x030200\" vendor=\"0x10de\" "
                                               "device=\"0x20b5\" link_speed=\"\" link_width=\"0\"/>")));
  EXPECT_EQ(technology_between(blank.fabric, "server0.gpu0", "server0.root0"), "1 x pcie3-x16");
  EXPECT_TRUE(says(blank.assumed, "no PCIe speed in the file: generation 3, as NCCL takes it (0001:00:00.0)"));
  EXPECT_TRUE(says(blank.assumed, "no PCIe width in the file: 16 lanes"));
  const OperatorFabric odd = read(system(cpu(0, gpu("0000:01:00.0", 0, "", "16.0 GT/s"))));
  EXPECT_EQ(technology_between(odd.fabric, "server0.gpu0", "server0.root0"), "1 x pcie4-x16");
  EXPECT_TRUE(says(odd.notes, "NCCL does not know this spelling and plans with generation 3: \"16.0 GT/s\""));
}

TEST(NcclXml, AnIdleGpuIsNotASlowOne) {
  const OperatorFabric idle = read(system(cpu(0, gpu("0000:01:00.0", 0, "", "2.5 GT/s PCIe"))));
  EXPECT_EQ(technology_between(idle.fabric, "server0.gpu0", "server0.root0"), "1 x pcie5-x16");
  EXPECT_TRUE(says(idle.assumed,
                   "GPUs at 2.5 GT/s are idle and save power: taken at generation 5 of h100-sxm5 (0000:01:00.0)"));
  EXPECT_TRUE(idle.observed.empty());
}

TEST(NcclXml, ASlowBridgeIsBelievedAndPointedAt) {
  const OperatorFabric bad = read(
      system(cpu(0, bridge("ffff:ff:00.0", gpu("0000:07:00.0", 0, "", "16.0 GT/s PCIe", "0x20b0"), "2.5 GT/s", 1))));
  EXPECT_EQ(technology_between(bad.fabric, "server0.pcisw0", "server0.root0"), "1 x pcie1-x1");
  EXPECT_TRUE(says(bad.notes, "a PCIe bridge states less than half the rate of what hangs below it"));
  EXPECT_TRUE(says(bad.notes, "ffff:ff:00.0 at 2.5 GT/s x1"));
}

TEST(NcclXml, TwoLevelBroadcomSwitchesAreOneChip) {
  const auto broadcom = [](const char* busid, const char* subdevice, const std::string& inside) {
    return "<pci busid=\"" + std::string(busid) +
           "\" class=\"0x060400\" vendor=\"0x1000\" device=\"0xc030\" subsystem_vendor=\"0x1000\" subsystem_device=\"" +
           subdevice + "\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">" + inside + "</pci>";
  };
  const std::string nested = broadcom(
      "0000:08:00.0", "0x0072",
      broadcom("0000:0d:00.0", "0x1003", gpu("0000:0f:00.0", 0)) +
          broadcom("0000:0a:00.0", "0x1003", nic("0000:0c:00.0", net("mlx5_0", 0, 400000, "0x1d10000000000001"))));
  const OperatorFabric flat = read(system(cpu(0, nested)));
  EXPECT_EQ(flat.fabric.devices_of(DeviceKind::pcie_switch).size(), 1U);
  EXPECT_EQ(fabric::closeness(flat.fabric, flat.fabric.gpu(0, 0), flat.fabric.nic(0, 0)), fabric::PathType::pix);
  EXPECT_TRUE(says(flat.notes, "two-level Broadcom switches are taken as one chip"));
}

TEST(NcclXml, PeerLinksBetweenSwitches) {
  const std::string text =
      system(cpu(0, bridge("0000:10:00.0", "<pcilink target=\"0000:20:00.0\"/>" + gpu("0000:11:00.0", 0)) +
                        bridge("0000:20:00.0", "<pcilink target=\"0000:10:00.0\"/><pcilink target=\"0000:99:00.0\"/>" +
                                                   gpu("0000:21:00.0", 1))));
  const OperatorFabric peers = read(text);
  EXPECT_EQ(technology_between(peers.fabric, "server0.pcisw0", "server0.pcisw1"), "1 x pcie5-x16");
  EXPECT_EQ(fabric::closeness(peers.fabric, peers.fabric.gpu(0, 0), peers.fabric.gpu(0, 1)), fabric::PathType::pxb);
  EXPECT_TRUE(says(peers.notes, "a pcilink leads to a switch that is not in the file (0000:20:00.0 to 0000:99:00.0)"));
}

TEST(NcclXml, EmptyBridgesAreLeftOut) {
  const OperatorFabric trimmed =
      read(system(cpu(0, bridge("0000:10:00.0", bridge("0000:12:00.0", "")) + gpu("0000:21:00.0", 0))));
  EXPECT_TRUE(trimmed.fabric.devices_of(DeviceKind::pcie_switch).empty());
  EXPECT_TRUE(says(trimmed.notes, "PCIe bridges with no GPU or NIC below are left out (0000:10:00.0)"));
}

TEST(NcclXml, AGpuThatLostItsLinksIsObserved) {
  const std::string all = nvlink("fffffff:ff:ff.0", 18);
  const OperatorFabric b200 =
      read(system(cpu(0, gpu("0000:01:00.0", 0, all, "32.0 GT/s PCIe", "0x2901") +
                             gpu("0000:02:00.0", 1, "", "32.0 GT/s PCIe", "0x2901") +
                             gpu("0000:03:00.0", 2, nvlink("fffffff:ff:ff.0", 12), "32.0 GT/s PCIe", "0x2901"))));
  ASSERT_EQ(b200.observed.list().size(), 2U);
  const fabric::Condition& none = b200.observed.list()[0];
  EXPECT_EQ(none.text, "links 0 server0.gpu1");
  EXPECT_EQ(none.kind, fabric::ConditionKind::links);
  EXPECT_EQ(b200.fabric.name(none.target.device), "server0.gpu1");
  EXPECT_EQ(b200.observed.list()[1].text, "links 12 server0.gpu2");
  EXPECT_TRUE(says(b200.notes,
                   "a GPU has no NVLink where its siblings have 18: taken as a fault (server0.gpu1, 0000:02:00.0)"));
  // Built as it should be, and found as it is.
  const fabric::LinkId link = b200.fabric.link_between(b200.fabric.gpu(0, 1), b200.fabric.find("server0.nvswitch0"));
  ASSERT_TRUE(link.valid());
  EXPECT_FALSE(b200.observed.state(b200.fabric, link).up);
  EXPECT_TRUE(says(b200.assumed, "2 NVSwitches behind the NVLink fabric, as in hgx-b200-8"));
}

TEST(NcclXml, AGpuThatLostASwitch) {
  const std::string four =
      nvlink("0000:03:00.0", 5) + nvlink("0000:04:00.0", 4) + nvlink("0000:05:00.0", 4) + nvlink("0000:06:00.0", 5);
  const std::string three = nvlink("0000:03:00.0", 5) + nvlink("0000:04:00.0", 4) + nvlink("0000:05:00.0", 4);
  const OperatorFabric h100 =
      read(system(cpu(0, gpu("0000:11:00.0", 0, four) + gpu("0000:12:00.0", 1, four) + gpu("0000:13:00.0", 2, three))));
  ASSERT_EQ(h100.observed.list().size(), 1U);
  EXPECT_EQ(h100.observed.list()[0].text, "links 13 server0.gpu2");
  EXPECT_EQ(technology_between(h100.fabric, "server0.gpu2", "server0.nvswitch3"), "5 x nvlink4");
}

TEST(NcclXml, OddLinksAreToldAndLeftOut) {
  const OperatorFabric self = read(system(cpu(0, gpu("0001:00:00.0", 0, nvlink("0001:00:00.0", 12, "0x030200")) +
                                                     gpu("0002:00:00.0", 1, nvlink("00b3:00:00.0", 2, "0x030200")))));
  EXPECT_EQ(self.fabric.nvlink_domain(self.fabric.gpu(0, 0)), Fabric::kNoDomain);
  EXPECT_TRUE(says(self.notes, "lead back to the same GPU"));
  EXPECT_TRUE(says(self.notes, "links to a GPU that is not in the file are left out: 2 to 00b3:00:00.0"));
  const OperatorFabric uneven = read(system(cpu(0, gpu("0000:01:00.0", 0, nvlink("0000:02:00.0", 4, "0x030200")) +
                                                       gpu("0000:02:00.0", 1, nvlink("0000:01:00.0", 2, "0x030200")) +
                                                       gpu("0000:03:00.0", 2, nvlink("0000:01:00.0", 1, "0x030200")))));
  EXPECT_EQ(technology_between(uneven.fabric, "server0.gpu0", "server0.gpu1"), "2 x nvlink4");
  EXPECT_EQ(technology_between(uneven.fabric, "server0.gpu0", "server0.gpu2"), "1 x nvlink4");
  EXPECT_TRUE(says(uneven.notes, "different numbers of links"));
  EXPECT_TRUE(says(uneven.notes, "listed by one of them only"));
}

TEST(NcclXml, Power9BridgesJoinGpusToTheProcessorOnly) {
  const std::string text =
      "<system version=\"1\"><cpu numaid=\"0\" arch=\"ppc64\">" +
      gpu("0004:04:00.0", 0, nvlink("0004:00:00.0", 3, "0x068001") + nvlink("0004:05:00.0", 3, "0x030200"), "8 GT/s",
          "0x1db1") +
      gpu("0004:05:00.0", 1, nvlink("0004:00:01.0", 3, "0x068001") + nvlink("0004:04:00.0", 3, "0x030200"), "8 GT/s",
          "0x1db1") +
      "</cpu></system>";
  const OperatorFabric p9 = read(text);
  EXPECT_EQ(technology_between(p9.fabric, "server0.gpu0", "server0.cpu0"), "3 x nvlink2-to-cpu");
  EXPECT_EQ(technology_between(p9.fabric, "server0.gpu0", "server0.gpu1"), "3 x nvlink2");
  EXPECT_EQ(part(p9.fabric, "server0.cpu0"), "power9");
}

TEST(NcclXml, HostsOfOneNvlinkFabricAreOneServer) {
  const auto tray = [](const char* hash, const std::string& second) {
    const std::string c2c = "<c2c bw=\"44712\" count=\"5\"/>";
    const std::string link = nvlink("fffffff:ff:ff.0", 18) + c2c;
    return "<cpu host_hash=\"" + std::string(hash) + "\" numaid=\"0\" arch=\"arm64\">" +
           gpu("0008:06:00.0", 0, link, "32.0 GT/s PCIe", "0x31c2") + "</cpu><cpu host_hash=\"" + hash +
           "\" numaid=\"1\" arch=\"arm64\">" +
           gpu("0018:06:00.0", 1, second.empty() ? link : c2c, "32.0 GT/s PCIe", "0x31c2") + "</cpu>";
  };
  const OperatorFabric rack = read(system(tray("0xa", "") + tray("0xb", "lost")));
  const Fabric& fabric = rack.fabric;
  EXPECT_EQ(fabric.servers().size(), 1U);
  EXPECT_EQ(fabric.gpus().size(), 4U);
  EXPECT_EQ(fabric.devices_of(DeviceKind::nvswitch).size(), 18U);  // as the catalog's rack
  EXPECT_EQ(fabric.nvlink_domain(fabric.gpu(0, 0)), fabric.nvlink_domain(fabric.gpu(0, 2)));
  EXPECT_EQ(technology_between(fabric, "server0.gpu0", "server0.cpu0"), "1 x nvlink-c2c-blackwell");
  EXPECT_EQ(technology_between(fabric, "server0.cpu0", "server0.cpu1"), "1 x grace-clink");
  EXPECT_EQ(technology_between(fabric, "server0.cpu1", "server0.cpu2"), "none");  // other host
  ASSERT_EQ(rack.observed.list().size(), 1U);
  EXPECT_EQ(rack.observed.list()[0].text, "links 0 server0.gpu3");
  EXPECT_TRUE(says(rack.notes, "fused from 2 hosts of one NVLink fabric: one server here"));
}

TEST(NcclXml, HostsWithoutACommonFabricAreServersOfTheirOwn) {
  const OperatorFabric two = read(system(cpu(0, gpu("0000:01:00.0", 0), "host_hash=\"0x1\"") +
                                         cpu(0, gpu("0000:01:00.0", 0), "host_hash=\"0x2\"")));
  EXPECT_EQ(two.fabric.servers().size(), 2U);
  EXPECT_TRUE(says(two.notes, "fused from 2 hosts: one server each"));
}

TEST(NcclXml, PortsWithOneGuidAreOneAdapter) {
  const OperatorFabric dual = read(system(
      cpu(0, gpu("0000:01:00.0", 0) +
                 nic("0000:02:00.0",
                     net("mlx5_0", 0, 200000, "0x1e1407effa1517ea") +
                         net("mlx5_1", 1, 200000, "0x1e1407effa1517ea", "port=\"2\""),
                     "0x1021", "0x020000") +
                 nic("0000:03:00.0", net("mlx5_2", 2, 100000, "0x11") + net("mlx5_3", 3, 400000, "0x1f66000000000001") +
                                         net("mlx5_4", 4, 400000, "0x1f66000000000002")))));
  EXPECT_EQ(dual.fabric.nics().size(), 4U);
  EXPECT_EQ(part(dual.fabric, "server0.nic0"), "cx7-400g");
  EXPECT_EQ(part(dual.fabric, "server0.nic2"), "cx7-ndr");
  EXPECT_TRUE(says(dual.notes, "ports with one GUID are one adapter (mlx5_0+mlx5_1)"));
}

TEST(NcclXml, FunctionsOfOneDeviceShareItsGuid) {
  const std::string guid = "0x1d1baa6df85cf8ef";
  const std::string data_direct =
      "<pci busid=\"0009:03:00.1\" class=\"0x080100\" vendor=\"0x15b3\" device=\"0x1023\" link_speed=\"32.0 GT/s "
      "PCIe\" link_width=\"16\"><nic>" +
      net("mlx5_1_dma", 1, 400000, guid) + "</nic></pci>";
  const OperatorFabric cx8 = read(system(cpu(
      0, gpu("0000:01:00.0", 0) + nic("0009:03:00.0", net("mlx5_0_dma", 0, 400000, guid), "0x1023") + data_direct)));
  EXPECT_EQ(cx8.fabric.nics().size(), 1U);
  EXPECT_EQ(part(cx8.fabric, "server0.nic0"), "cx8-xdr");
  EXPECT_TRUE(says(cx8.notes, "data-direct functions of ConnectX-8"));
}

TEST(NcclXml, SpeedsThatNoPortHas) {
  const OperatorFabric odd = read(system(
      cpu(0, gpu("0000:01:00.0", 0) + nic("0000:02:00.0", net("mlx5_0", 0, 180000, "0x1e14000000000001"), "0x101b") +
                 "<pci busid=\"0000:04:00.0\" class=\"0x020000\" vendor=\"0x17db\" device=\"0x0501\" link_speed=\"16.0 "
                 "GT/s PCIe\" link_width=\"16\"><nic>" +
                 net("cxi0", 1, 200000000, "0x0") + "</nic></pci>")));
  EXPECT_EQ(part(odd.fabric, "server0.nic0"), "cx6-hdr");
  EXPECT_EQ(part(odd.fabric, "server0.nic1"), "cassini");
  EXPECT_TRUE(says(odd.assumed, "ports state 180000 Mb/s, which no port has: taken as 200 Gb/s (mlx5_0)"));
  EXPECT_TRUE(says(odd.assumed, "ports state 200000000 Mb/s, which no port has: not believed"));
}

TEST(NcclXml, InterfacesThatAreNoClusterNetwork) {
  const std::string wifi =
      "<pci busid=\"0009:01:00.0\" class=\"0x028000\" link_speed=\"5.0 GT/s PCIe\" link_width=\"1\"><nic>" +
      net("wlP9s9", 5, 10000, "0x0", "gdr=\"0\"") + "</nic></pci>";
  const std::string virtuals =
      "<nic>" + net("tailscale0", 6, 10000, "0x1", "gdr=\"0\"") + net("veth1", 7, 10000, "0x2", "gdr=\"0\"") + "</nic>";
  const std::string wired = nic("0000:05:00.0", net("eno1", 4, 10000, "0x0", "gdr=\"0\""), "0x1521", "0x020000");
  const OperatorFabric rdma =
      read(system(cpu(0, gpu("0000:01:00.0", 0) + wifi + virtuals + wired +
                             nic("0000:02:00.0", net("mlx5_0", 0, 400000, "0x1d10000000000001")))));
  EXPECT_EQ(rdma.fabric.nics().size(), 1U);
  EXPECT_TRUE(says(rdma.notes,
                   "virtual and wireless interfaces are no cluster network: left out (wlP9s9, tailscale0 and veth1)"));
  EXPECT_TRUE(says(rdma.notes, "interfaces for sockets beside RDMA adapters are for management: left out (eno1)"));
  const OperatorFabric plain = read(system(cpu(0, gpu("0000:01:00.0", 0) + wifi + virtuals + wired)));
  EXPECT_EQ(plain.fabric.nics().size(), 1U);
  EXPECT_TRUE(says(plain.assumed, "no RDMA adapter: the network is TCP (eno1)"));
  EXPECT_FALSE(plain.fabric.servers()[0].gpudirect_rdma);
}

TEST(NcclXml, ANicRightUnderTheCpu) {
  const OperatorFabric azure =
      read(system(cpu(0, gpu("0001:00:00.0", 0) + "<nic>" + net("eth0", 0, 100000, "0x0", "gdr=\"0\"") + "</nic>")));
  ASSERT_EQ(azure.fabric.nics().size(), 1U);
  EXPECT_EQ(azure.fabric.operator_name(azure.fabric.nic(0, 0)), "eth0");
  EXPECT_TRUE(says(azure.assumed, "an interface without a PCI address hangs on pcie3-x16 (eth0)"));
}

TEST(NcclXml, NicsBehindAVirtualHostBridge) {
  const OperatorFabric vm =
      read(system(cpu(0, gpu("0002:00:01.0", 0) +
                             "<pci busid=\"0002:00:00.0\" class=\"0x060000\" vendor=\"0x8086\" device=\"0x0d57\" "
                             "link_speed=\"\" link_width=\"0\"><nic>" +
                             net("mlx5_5", 0, 400000, "0x179c59ae629d4c67") +
                             net("mlx5_6", 1, 400000, "0x1e33eea4a6e2ae8c", "port=\"2\" gdr=\"1\"") + "</nic></pci>")));
  EXPECT_EQ(vm.fabric.nics().size(), 2U);
  EXPECT_EQ(part(vm.fabric, "server0.nic1"), "cx7-ndr");
  EXPECT_TRUE(says(vm.assumed, "adapters are cx7-ndr by name and rate"));
}

TEST(NcclXml, GpuDirectIsOffWhereTheDumpSaysSo) {
  std::string text = h100_pair();
  for (std::size_t at = text.find("gdr=\"1\""); at != std::string::npos; at = text.find("gdr=\"1\""))
    text.replace(at, 7, "gdr=\"0\"");
  const OperatorFabric off = read(text);
  EXPECT_FALSE(off.fabric.servers()[0].gpudirect_rdma);
  EXPECT_TRUE(says(off.notes, "GPUDirect RDMA is off in the dump"));
}

TEST(NcclXml, GeForceHasNoPeerToPeer) {
  const OperatorFabric geforce = read(system(cpu(0, gpu("0000:01:00.0", 0, "", "16.0 GT/s PCIe", "0x2684") +
                                                        gpu("0000:02:00.0", 1, "", "16.0 GT/s PCIe", "0x2684"))));
  EXPECT_FALSE(geforce.fabric.servers()[0].peer_to_peer);
  EXPECT_TRUE(says(geforce.assumed, "no PCIe peer-to-peer"));
}

TEST(NcclXml, UnknownProcessors) {
  const OperatorFabric zhaoxin = read(
      "<system version=\"1\"><cpu numaid=\"0\" arch=\"x86_64\" vendor=\"  Shanghai  \" familyid=\"7\" modelid=\"91\">" +
      gpu("0000:01:00.0", 0) +
      "</cpu><cpu numaid=\"1\" arch=\"x86_64\" vendor=\"  Shanghai  \" familyid=\"7\" modelid=\"91\">" +
      gpu("0000:81:00.0", 1) + "</cpu></system>");
  EXPECT_EQ(part(zhaoxin.fabric, "server0.cpu0"), "");
  EXPECT_TRUE(says(zhaoxin.assumed, "the processor is not in the catalog (Shanghai, family 7, model 91)"));
  const fabric::LinkId link =
      zhaoxin.fabric.link_between(zhaoxin.fabric.find("server0.cpu0"), zhaoxin.fabric.find("server0.cpu1"));
  EXPECT_EQ(zhaoxin.fabric.line_rate(link), Rate::gbyte_per_s(6));
}

TEST(NcclXml, NoGpuAtAll) {
  EXPECT_EQ(refused(system("<cpu numaid=\"0\" affinity=\"00000000,ffffffff\"/>")).to_string(),
            "error WEFT-FMT-0121: topo.xml:1:21: the topology holds no GPU: no <gpu>, and no PCI device of a GPU's "
            "class (0x03…, 0x12…)\n"
            "  1 | <system version=\"1\"><cpu numaid=\"0\" affinity=\"00000000,ffffffff\"/></system>\n"
            "    |                     ^\n"
            "  expected: <pci class=\"0x030200\" …>\n"
            "  hint: dump it from a job that uses the GPUs: NCCL_TOPO_DUMP_FILE=topo.xml, one process a GPU\n");
}

TEST(NcclXml, MoreThanAnyServerHas) {
  std::string cpus;
  for (int i = 0; i < 100; ++i) cpus += cpu(i, i == 0 ? gpu("0000:01:00.0", 0) : "");
  EXPECT_EQ(refused(system(cpus)).id, "WEFT-FMT-0122");
  std::string many;
  for (int i = 0; i < 21'000; ++i) many += "<pci busid=\"0000:" + std::to_string(i) + ":00.0\" class=\"0x030200\"/>";
  EXPECT_EQ(refused(system(cpu(0, many))).id, "WEFT-FMT-0122");
}

TEST(NcclXml, NamesFromTheFileCannotDriveATerminal) {
  const OperatorFabric evil = read(system(
      cpu(0, gpu("0000:01:00.0", 0) + nic("0000:02:00.0", net("mlx5_&#27;[31m", 0, 400000, "0x1d10000000000001")))));
  EXPECT_EQ(evil.fabric.operator_name(evil.fabric.nic(0, 0)).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace weft::formats
