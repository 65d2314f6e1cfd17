#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "weft/base/printable.h"
#include "weft/report/host_tree.h"
#include "weft/report/sample_fabrics.test.h"
#include "weft/report/topology_matrix.h"
#include "weft/report/topology_tree.h"

namespace weft::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(TopologyTree, ShowsAServerWithItsRates) {
  const std::string tree = topology_tree(servers("hgx-h100-8"), "hgx-h100-8");
  EXPECT_TRUE(tree.starts_with("hgx-h100-8: 1 server, 8 GPUs, 8 NICs\n")) << tree;
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(has(tree, " gpu" + std::to_string(i) + "  h100-sxm5  pcie5-x16 63.02 GB/s\n")) << tree;
    EXPECT_TRUE(has(tree, " nic" + std::to_string(i) + "  cx7-ndr")) << tree;
  }
  EXPECT_TRUE(
      has(tree, "GPU to GPU: 18 x nvlink4 a GPU, 450 GB/s per direction, 900 GB/s bidir, through 4 x nvswitch3"))
      << tree;
}

TEST(TopologyTree, AlikeServersAreShownOnce) {
  const std::string one = topology_tree(servers("hgx-h100-8", 2), "t");
  const std::string many = topology_tree(servers("hgx-h100-8", 500), "t");
  EXPECT_TRUE(has(many, "500 x hgx-h100-8 (server0 … server499)")) << many;
  EXPECT_LT(lines_of(many).size(), lines_of(one).size() + 8);
  EXPECT_TRUE(has(topology_tree(servers("gb200-nvl72"), "t"), "35 more alike: cpu1 … cpu35"));
}

TEST(TopologyTree, NamesTheSwitchesOfASmallNetwork) {
  const std::string tree = topology_tree(dual_homed(), "t");
  EXPECT_TRUE(has(
      tree, "leaf0 [ib0]  qm9700  2 x ib-ndr to server0.nic0, server2.nic1; 8 x ib-ndr to leaf1 [ib1], leaf2 [ib2]"))
      << tree;
  EXPECT_TRUE(has(tree, "mgmt0  sn2201  3 x ethernet-1g to server0.cpu0, server1.cpu0, server2.cpu0")) << tree;
}

TEST(TopologyTree, SaysWhatAServerCannotDo) {
  const fabric::Fabric fabric = servers("pcie-rtx4090:4");
  ASSERT_FALSE(fabric.servers().front().peer_to_peer);
  EXPECT_TRUE(has(topology_tree(fabric, "t"), "no PCIe peer-to-peer"));
}

TEST(TopologyTree, HostileNamesCannotDriveTheTerminal) {
  const std::string tree = topology_tree(dual_homed("\x1b[31m"), "\x1b]0;x\x07");
  EXPECT_EQ(tree.find('\x1b'), std::string::npos);
  EXPECT_EQ(tree.find('\x07'), std::string::npos);
}

// Every device of the host side hangs somewhere exactly once.
TEST(HostTree, IsASpanningTree) {
  for (const fabric::Fabric& fabric : all_shapes()) {
    const HostTree tree = host_tree(fabric, 0);
    std::vector<fabric::DeviceId> seen;
    std::vector<const HostNode*> stack;
    for (const HostNode& node : tree.sockets) stack.push_back(&node);
    for (const HostNode& node : tree.loose) stack.push_back(&node);
    while (!stack.empty()) {
      const HostNode* node = stack.back();
      stack.pop_back();
      seen.push_back(node->id);
      for (const HostNode& child : node->children) stack.push_back(&child);
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
    const std::size_t switches = fabric.devices_of(fabric::DeviceKind::nvswitch, 0).size();
    EXPECT_EQ(seen.size() + switches, fabric.servers().front().devices) << fabric.servers().front().part;
  }
}

TEST(TopologyMatrix, LooksLikeNvidiaSmi) {
  const fabric::Fabric fabric = servers("hgx-h100-8");
  const Matrix matrix = matrix_of(fabric, {}, 0);
  const std::vector<std::string> lines = lines_of(matrix_text(fabric, matrix, MatrixValues::types));
  EXPECT_EQ(lines[0],
            "\tGPU0\tGPU1\tGPU2\tGPU3\tGPU4\tGPU5\tGPU6\tGPU7\tNIC0\tNIC1\tNIC2\tNIC3\tNIC4\tNIC5\tNIC6\tNIC7\t"
            "CPU Affinity\tNUMA Affinity\tGPU NUMA ID");
  EXPECT_EQ(
      lines[1],
      "GPU0\t X \tNV18\tNV18\tNV18\tNV18\tNV18\tNV18\tNV18\tPIX\tNODE\tNODE\tNODE\tSYS\tSYS\tSYS\tSYS\tN/A\t0\t\tN/A");
  EXPECT_EQ(lines[16], "NIC7\tSYS\tSYS\tSYS\tSYS\tNODE\tNODE\tNODE\tPIX\tSYS\tSYS\tSYS\tSYS\tNODE\tNODE\tNODE\t X ");
  EXPECT_EQ(lines[18], "Legend:");
  EXPECT_EQ(lines.back(), "  NIC7: server0.nic7");
}

// The hybrid cube mesh of a DGX-1 (V100), as its documentation and published dumps show it: six links a GPU, two of its
// four neighbours over double links, three GPUs of the other half only over the bus.
TEST(TopologyMatrix, ShowsTheCubeMesh) {
  const fabric::Fabric fabric = servers("dgx1-v100");
  const Matrix matrix = matrix_of(fabric, {}, 0);
  for (std::size_t gpu = 0; gpu < 8; ++gpu) {
    int links = 0;
    int far = 0;
    for (std::size_t other = 0; other < 8; ++other) {
      const MatrixCell& cell = matrix.cells[gpu][other];
      links += cell.links;
      if (cell.type == fabric::PathType::sys) ++far;
      EXPECT_EQ(cell.text(), matrix.cells[other][gpu].text());
    }
    EXPECT_EQ(links, 6) << gpu;
    EXPECT_EQ(far, 3) << gpu;
  }
}

TEST(TopologyMatrix, FiguresAreThoseOfThePaths) {
  const fabric::Fabric fabric = servers("hgx-h100-8");
  const Matrix matrix = matrix_of(fabric, {}, 0);
  const auto path = find_path(fabric, fabric.gpu(0, 0), fabric.gpu(0, 5));
  ASSERT_TRUE(path.has_value());
  EXPECT_EQ(matrix.cells[0][5].goodput, path->goodput());
  EXPECT_EQ(matrix.cells[0][5].latency, path->latency());
  const std::string text = matrix_text(fabric, matrix, MatrixValues::bandwidth);
  EXPECT_TRUE(has(text, "GB/s per direction")) << text;
  EXPECT_FALSE(has(text, "NV18")) << text;
}

TEST(TopologyMatrix, NumaIsTheSocket) {
  const fabric::Fabric fabric = servers("hgx-h100-8");
  const Matrix matrix = matrix_of(fabric, {}, 0);
  EXPECT_EQ(matrix.numa[0], "0");
  EXPECT_EQ(matrix.numa[7], "1");
}

TEST(TopologyMatrix, AmdLinksHaveTheirOwnName) {
  const fabric::Fabric fabric = servers("mi300x-8");
  const std::string text = matrix_text(fabric, matrix_of(fabric, {}, 0), MatrixValues::types);
  EXPECT_TRUE(has(text, "\tXG1\t")) << text;
  EXPECT_TRUE(has(text, "XG#  = Connection traversing # xGMI links")) << text;
  EXPECT_FALSE(has(text, "\tNV1")) << text;
}

}  // namespace
}  // namespace weft::report
