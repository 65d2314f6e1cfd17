#include "weft/formats/nvsmi_topo.h"

#include <gtest/gtest.h>

#include "weft/fabric/path.h"
#include "weft/formats/catalog.test.h"

namespace weft::formats {
namespace {

using fabric::DeviceKind;
using fabric::Fabric;

OperatorFabric read(std::string text, std::string gpu = "") {
  auto result = read_nvsmi_topo(test_catalog(), {"topo.txt", std::move(text)}, {std::move(gpu)});
  EXPECT_TRUE(result) << (result ? "" : result.error().to_string());
  return result ? std::move(*result) : OperatorFabric();
}

Error refused(std::string text, std::string gpu = "") {
  auto result = read_nvsmi_topo(test_catalog(), {"topo.txt", std::move(text)}, {std::move(gpu)});
  EXPECT_FALSE(result);
  return result ? Error() : result.error();
}

std::string part(const Fabric& fabric, std::string_view name) { return fabric.model(fabric.find(name)).part; }

// Every cell that was read must be what the fabric says of the two devices.
void expect_consistent(const std::string& text, const Fabric& fabric) {
  const auto matrix = read_topo_matrix({"topo.txt", text});
  ASSERT_TRUE(matrix);
  const std::size_t gpus = matrix->gpus();
  const auto device = [&](std::size_t i) {
    return i < gpus ? fabric.gpu(0, static_cast<std::uint32_t>(i))
                    : fabric.nic(0, static_cast<std::uint32_t>(i - gpus));
  };
  for (std::size_t a = 0; a < matrix->devices.size(); ++a) {
    for (std::size_t b = 0; b < matrix->devices.size(); ++b) {
      const TopoCell& cell = matrix->cell(a, b);
      if (a == b || !cell.known()) continue;
      int links = 0;
      const std::string found(fabric::name_of(fabric::closeness(fabric, device(a), device(b), &links)));
      const std::string stated = cell.closeness == Closeness::nvlink ? "NVL" : std::string(name_of(cell.closeness));
      EXPECT_EQ(found, stated) << matrix->devices[a].name << ' ' << matrix->devices[b].name;
      if (cell.links > 0) {
        EXPECT_EQ(links, cell.links) << matrix->devices[a].name << ' ' << matrix->devices[b].name;
      }
    }
  }
}

// A matrix of n GPUs, all NV<k> to each other, two sockets.
std::string all_to_all(int gpus, int k) {
  std::string text;
  for (int i = 0; i < gpus; ++i) text += "\tGPU" + std::to_string(i);
  text += "\tCPU Affinity\tNUMA Affinity\n";
  for (int a = 0; a < gpus; ++a) {
    text += "GPU" + std::to_string(a);
    for (int b = 0; b < gpus; ++b) text += a == b ? "\t X " : "\tNV" + std::to_string(k);
    text += a < gpus / 2 ? "\t0-31\t0\n" : "\t32-63\t1\n";
  }
  return text;
}

TEST(NvsmiTopo, ATreeWithEveryKindOfCloseness) {
  const std::string text =
      "\tGPU0\tGPU1\tGPU2\tGPU3\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\t X \tPIX\tPXB\tSYS\tPXB\tSYS\t0-15\t0\n"
      "GPU1\tPIX\t X \tPXB\tSYS\tPXB\tSYS\t0-15\t0\n"
      "GPU2\tPXB\tPXB\t X \tSYS\tPIX\tSYS\t0-15\t0\n"
      "GPU3\tSYS\tSYS\tSYS\t X \tSYS\tNODE\t16-31\t1\n"
      "NIC0\tPXB\tPXB\tPIX\tSYS\t X \tSYS\n"
      "NIC1\tSYS\tSYS\tSYS\tNODE\tSYS\t X \n"
      "\nNIC Legend:\n\n  NIC0: mlx5_2\n";
  const OperatorFabric tree = read(text, "l40s");
  expect_consistent(text, tree.fabric);
  EXPECT_EQ(tree.fabric.devices_of(DeviceKind::pcie_switch).size(), 3U);  // two PIX groups below one
  EXPECT_EQ(tree.fabric.devices_of(DeviceKind::cpu).size(), 2U);
  EXPECT_EQ(part(tree.fabric, "server0.gpu0"), "l40s");
  EXPECT_EQ(tree.fabric.operator_name(tree.fabric.nic(0, 0)), "mlx5_2");
  EXPECT_EQ(tree.fabric.operator_name(tree.fabric.gpu(0, 3)), "GPU3");
  EXPECT_EQ(tree.fabric.operator_name(tree.fabric.find("server0.cpu1")), "numa1");
}

TEST(NvsmiTopo, PhbIsASharedRootComplex) {
  const std::string text = "\tGPU0\tGPU1\tGPU2\nGPU0\t X \tPHB\tNODE\nGPU1\tPHB\t X \tNODE\nGPU2\tNODE\tNODE\t X \n";
  const OperatorFabric tree = read(text);
  expect_consistent(text, tree.fabric);
  EXPECT_EQ(tree.fabric.devices_of(DeviceKind::root_complex).size(), 2U);
}

TEST(NvsmiTopo, EqualNvlinkToAllIsNvswitch) {
  const OperatorFabric hopper = read(all_to_all(8, 18));
  EXPECT_EQ(part(hopper.fabric, "server0.gpu0"), "h100-sxm5");
  EXPECT_EQ(hopper.fabric.devices_of(DeviceKind::nvswitch).size(), 4U);
  EXPECT_EQ(hopper.fabric.devices_of(DeviceKind::cpu).size(), 2U);
  EXPECT_TRUE(hopper.fabric.servers()[0].nvls);
  EXPECT_TRUE(
      says(hopper.assumed, "NV18 is Hopper or Blackwell: H100, H200 and B200 look alike here); name it with --gpu"));
  EXPECT_TRUE(says(hopper.assumed, "NV18 to all is NVSwitch: 4 chips, as in hgx-h100-8"));
  expect_consistent(all_to_all(8, 18), hopper.fabric);

  const OperatorFabric blackwell = read(all_to_all(8, 18), "b200-sxm");
  EXPECT_EQ(blackwell.fabric.devices_of(DeviceKind::nvswitch).size(), 2U);
  EXPECT_FALSE(says(blackwell.assumed, "--gpu"));
}

TEST(NvsmiTopo, TheGpuByItsNvlinks) {
  const auto gpu_of = [](int gpus, int k) { return part(read(all_to_all(gpus, k)).fabric, "server0.gpu0"); };
  EXPECT_EQ(gpu_of(8, 12), "a100-sxm4-80");
  EXPECT_EQ(gpu_of(8, 8), "h800-sxm");
  EXPECT_EQ(gpu_of(16, 6), "v100-sxm3-32");
  EXPECT_EQ(gpu_of(4, 4), "a100-sxm4-80");
  EXPECT_EQ(gpu_of(4, 6), "h100-sxm5");
  EXPECT_EQ(gpu_of(2, 12), "a100-pcie-80");
  EXPECT_EQ(gpu_of(2, 4), "a6000");
  EXPECT_EQ(gpu_of(2, 2), "rtx2080ti");
}

TEST(NvsmiTopo, FewerLinksThanTheCellsAddUpToIsSwitchedElseMesh) {
  const OperatorFabric four = read(all_to_all(4, 4));  // 3 x 4 = 12 links of an A100
  EXPECT_TRUE(four.fabric.devices_of(DeviceKind::nvswitch).empty());
  EXPECT_EQ(four.fabric.link(four.fabric.link_between(four.fabric.gpu(0, 0), four.fabric.gpu(0, 3))).count, 4);
  const OperatorFabric dgx2 = read(all_to_all(16, 6));
  EXPECT_FALSE(dgx2.fabric.devices_of(DeviceKind::nvswitch).empty());
  // Two GPUs of an HGX board still reach each other through its switches.
  const OperatorFabric slice = read(all_to_all(2, 18));
  EXPECT_FALSE(slice.fabric.devices_of(DeviceKind::nvswitch).empty());
}

TEST(NvsmiTopo, AHybridMeshKeepsItsEdges) {
  const std::string text =
      "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\n"
      "GPU0\t X \tNV1\tNV2\tSYS\t0-15\nGPU1\tNV1\t X \tSYS\tNV2\t0-15\nGPU2\tNV2\tSYS\t X "
      "\tNV1\t16-31\nGPU3\tSYS\tNV2\tNV1\t X \t16-31\n";
  const OperatorFabric mesh = read(text);
  EXPECT_EQ(part(mesh.fabric, "server0.gpu0"), "v100-sxm2");
  EXPECT_EQ(fabric::closeness(mesh.fabric, mesh.fabric.gpu(0, 0), mesh.fabric.gpu(0, 3)), fabric::PathType::sys);
  expect_consistent(text, mesh.fabric);
}

TEST(NvsmiTopo, AGpuWithoutItsNvlinksIsObserved) {
  std::string text = all_to_all(4, 18);
  // GPU3 has fallen off NVLink; its row and column say NODE and SYS instead.
  text =
      "\tGPU0\tGPU1\tGPU2\tGPU3\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\t X \tNV18\tNV18\tSYS\t0-31\t0\nGPU1\tNV18\t X \tNV18\tSYS\t0-31\t0\n"
      "GPU2\tNV18\tNV18\t X \tNODE\t32-63\t1\nGPU3\tSYS\tSYS\tNODE\t X \t32-63\t1\n";
  const OperatorFabric fallen = read(text);
  ASSERT_EQ(fallen.observed.list().size(), 1U);
  EXPECT_EQ(fallen.observed.list()[0].text, "links 0 server0.gpu3");
  EXPECT_TRUE(says(fallen.notes, "a GPU has no NVLink where its siblings have NV18: taken as a fault (server0.gpu3)"));

  const std::string fewer = "\tGPU0\tGPU1\tGPU2\nGPU0\t X \tNV18\tNV17\nGPU1\tNV18\t X \tNV17\nGPU2\tNV17\tNV17\t X \n";
  const OperatorFabric down = read(fewer);
  ASSERT_EQ(down.observed.list().size(), 1U);
  EXPECT_EQ(down.observed.list()[0].text, "links 17 server0.gpu2");
}

TEST(NvsmiTopo, NvlinkMissingEverywhere) {
  const std::string text = "\tGPU0\tGPU1\nGPU0\t X \tSYS\nGPU1\tSYS\t X \n";
  EXPECT_TRUE(
      says(read(text, "h200-sxm").notes, "no pair has NVLink, which hgx-h200-8 has: is the fabric manager running?"));
}

TEST(NvsmiTopo, NvlWithoutACount) {
  const OperatorFabric bridges = read("| | GPU0 | GPU1 |\n|--|--|--|\n| GPU0 | X | NVL |\n| GPU1 | NVL | X |\n");
  EXPECT_EQ(bridges.fabric.link(bridges.fabric.link_between(bridges.fabric.gpu(0, 0), bridges.fabric.gpu(0, 1))).count,
            12);
  EXPECT_TRUE(says(bridges.assumed, "NVL is 12 NVLinks here"));
}

TEST(NvsmiTopo, TheMatrixCountsWhereAffinityDisagrees) {
  const std::string text =
      "\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\n"
      "GPU0\t X \tNV12\tPXB\tSYS\t0-103\t0\nGPU1\tNV12\t X \tSYS\tPXB\t0-103\t0\nNIC0\tPXB\tSYS\t X "
      "\tSYS\nNIC1\tSYS\tPXB\tSYS\t X \n";
  const OperatorFabric cells = read(text);
  expect_consistent(text, cells.fabric);
  EXPECT_TRUE(says(cells.notes,
                   "the NUMA affinity puts devices on one node that the matrix holds apart (SYS): the matrix counts "
                   "(GPU0 and GPU1)"));
}

TEST(NvsmiTopo, AVirtualMachineHidesTheTree) {
  const std::string text =
      "\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\nGPU0\t X \tPHB\tPHB\tPHB\t0-7\nGPU1\tPHB\t X "
      "\tPHB\tPHB\t0-7\nNIC0\tPHB\tPHB\t X \tPHB\nNIC1\tPHB\tPHB\tPHB\t X \n";
  EXPECT_TRUE(says(read(text).notes, "every pair is PHB: a virtual machine hides the PCIe tree"));
}

TEST(NvsmiTopo, MatricesThatFitNoTree) {
  const std::string text = "\tGPU0\tGPU1\tGPU2\nGPU0\t X \tPHB\tSYS\nGPU1\tPHB\t X \tPHB\nGPU2\tSYS\tPHB\t X \n";
  EXPECT_TRUE(
      says(read(text).notes,
           "the cells fit no PCIe tree: 1 pair came out nearer than stated (GPU0-GPU2 says SYS, the tree gives PHB)"));
}

TEST(NvsmiTopo, GraceGpusHangOnC2c) {
  const std::string text =
      "   GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X NV18 0-71 0 2\nGPU1 NV18 X 72-143 1 10\n";
  const OperatorFabric grace = read(text);
  EXPECT_EQ(part(grace.fabric, "server0.gpu0"), "gb200");
  EXPECT_TRUE(grace.fabric.link_between(grace.fabric.gpu(0, 1), grace.fabric.find("server0.cpu1")).valid());
}

TEST(NvsmiTopo, ACutRowOfNicsIsReadAndTold) {
  const std::string text =
      "\tGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tNV8\tPIX\tSYS\t0-31\t0\nGPU1\tNV8\t X \tNO\n";
  const OperatorFabric cut = read(text);
  EXPECT_EQ(cut.fabric.gpus().size(), 2U);
  EXPECT_TRUE(says(cut.notes, "row GPU1 has 2 of 4 cells"));
  EXPECT_TRUE(says(cut.assumed,
                   "the matrix does not tell where these hang: on a root port of their own, sockets in order (GPU1)"));
}

TEST(NvsmiTopo, MissingGpuRowsAreRefusedWithWhatStillHolds) {
  std::string text = all_to_all(8, 12);
  for (int i = 0; i < 3; ++i) text.resize(text.rfind("GPU"));  // rows 7, 6 and 5 are gone
  text += "GPU5\tNV12\tNV12\tN";
  EXPECT_EQ(
      refused(text).to_string(),
      "error WEFT-FMT-0206: topo.txt:7:1: the matrix is cut: row GPU5 has 2 of 8 cells; no row for GPU6 and GPU7; 3 "
      "pairs "
      "of GPUs not known\n"
      "  7 | GPU5 NV12 NV12 N\n"
      "    | ^\n"
      "  expected: a row for each GPU: nvidia-smi topo -m > topo.txt, which no terminal cuts\n"
      "  hint: the rows given say 8 GPUs with NV12: if this is one of hgx-a100-8, use --cluster with that name\n");
}

TEST(NvsmiTopo, UnknownGpuNames) {
  EXPECT_EQ(refused(all_to_all(2, 18), "h100-smx5").hint.substr(0, 12), "did you mean");
}

}  // namespace
}  // namespace weft::formats
