#include "weft/formats/nvsmi_matrix.h"

#include <gtest/gtest.h>

#include "weft/formats/catalog.test.h"
#include "weft/formats/nvsmi_words.h"

namespace weft::formats {
namespace {

TopoMatrix read(std::string text) {
  auto matrix = read_topo_matrix({"topo.txt", std::move(text)});
  EXPECT_TRUE(matrix) << (matrix ? "" : matrix.error().to_string());
  return matrix ? *matrix : TopoMatrix();
}

Error refused(std::string text) {
  auto matrix = read_topo_matrix({"topo.txt", std::move(text)});
  EXPECT_FALSE(matrix);
  return matrix ? Error() : matrix.error();
}

std::string word(const TopoCell& cell) {
  if (!cell.known()) return "?";
  return std::string(name_of(cell.closeness)) + (cell.links > 0 ? std::to_string(cell.links) : "");
}

std::string row(const TopoMatrix& matrix, std::size_t index) {
  std::string text;
  for (std::size_t i = 0; i < matrix.devices.size(); ++i) text += (i == 0 ? "" : " ") + word(matrix.cell(index, i));
  return text;
}

constexpr const char* kTabs =
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tNV12\tPIX\tSYS\t0-47,96-143\t0\t\tN/A\n"
    "GPU1\tNV12\t X \tSYS\tPXB\t48-95\t1\t\tN/A\n"
    "NIC0\tPIX\tSYS\t X \tSYS\t\t\t\t\n"
    "NIC1\tSYS\tPXB\tSYS\t X \n"
    "\nLegend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n"
    "\nNIC Legend:\n\n  NIC0: mlx5_4\n  NIC1: mlx5_bond_0\n";

TEST(NvsmiMatrix, AsTheToolWritesIt) {
  const TopoMatrix matrix = read(kTabs);
  EXPECT_EQ(matrix.gpus(), 2U);
  EXPECT_EQ(row(matrix, 0), "X NV12 PIX SYS");
  EXPECT_EQ(row(matrix, 3), "SYS PXB SYS X");
  EXPECT_EQ(matrix.devices[0].cpu_affinity, "0-47,96-143");
  EXPECT_EQ(matrix.devices[1].numa_affinity, "1");
  EXPECT_EQ(matrix.devices[1].gpu_numa_id, "");
  EXPECT_EQ(matrix.devices[2].rdma_name, "mlx5_4");
  EXPECT_EQ(matrix.devices[3].rdma_name, "mlx5_bond_0");
  EXPECT_TRUE(matrix.notes.empty());
}

TEST(NvsmiMatrix, BlanksAndOldDeviceColumns) {
  const TopoMatrix matrix = read(
      "        GPU0    GPU1    mlx5_0  hns_1   CPU Affinity\n"
      "GPU0     X      SOC     PHB     SYS     0,2,4,6\n"
      "GPU1    SOC      X      SYS     SYS     1,3\n"
      "mlx5_0  PHB     SYS      X      SYS\n"
      "hns_1   SYS     SYS     SYS      X\n");
  EXPECT_EQ(row(matrix, 0), "X SYS PHB SYS");  // SOC is the old word for SYS
  EXPECT_EQ(matrix.devices[0].cpu_affinity, "0,2,4,6");
  EXPECT_EQ(matrix.devices[2].rdma_name, "mlx5_0");
  EXPECT_FALSE(matrix.devices[3].gpu);
}

TEST(NvsmiMatrix, MarkdownInAnyColumnOrder) {
  const TopoMatrix matrix = read(
      "Topology:\n"
      "| CPU Affinity | NUMA Affinity |        | GPU0 | GPU1 | mlx5_0 |\n"
      "|--------------|---------------|--------|------|------|--------|\n"
      "| 24-31,56-63  | 3             | **GPU0** | X  | NV4  | SYS    |\n"
      "| 16-23        | 2             | GPU1   | NV4  | X    | `PHB`  |\n"
      "|              |               | mlx5_0 | SYS  | PHB  | X      |\n");
  EXPECT_EQ(row(matrix, 1), "NV4 X PHB");
  EXPECT_EQ(matrix.devices[0].numa_affinity, "3");
  EXPECT_EQ(matrix.devices[0].cpu_affinity, "24-31,56-63");
}

TEST(NvsmiMatrix, NvidiaSmiOverwritesTheLastNicCell) {
  const TopoMatrix matrix = read(
      "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
      "GPU0\t X \tNV12\tPH0-115\t0-3\t\tN/A\n"
      "GPU1\tNV12\t X \tP0-115\t0-3\t\tN/A\n"
      "NIC0\tPHB\tPIX\t X \n");
  EXPECT_EQ(matrix.cell(0, 2).closeness, Closeness::phb);
  EXPECT_EQ(matrix.cell(0, 2).origin, CellOrigin::repaired);
  EXPECT_EQ(matrix.cell(1, 2).closeness, Closeness::pix);  // "P" fits three words: taken from NIC0's row
  EXPECT_EQ(matrix.cell(1, 2).origin, CellOrigin::mirrored);
  EXPECT_EQ(matrix.devices[0].cpu_affinity, "0-115");
  EXPECT_EQ(matrix.devices[1].numa_affinity, "0-3");
  EXPECT_TRUE(says(matrix.notes, "\"PH0-115\" read as PHB and the CPU affinity 0-115"));
}

TEST(NvsmiMatrix, GluedCellsAndHeader) {
  const TopoMatrix matrix = read(
      "GPU0GPU1GPU2NIC0NIC1CPU AffinityNUMA Affinity\n"
      "GPU0  X   NV18NV18 NODEPIX   0-55 0\n"
      "GPU1 NV18 X NV18 NODENODE    0-55 0\n"
      "GPU2 NV18 NV18 X SYS SYS 56-111 1\n");
  EXPECT_EQ(matrix.devices.size(), 5U);
  EXPECT_EQ(row(matrix, 0), "X NV18 NV18 NODE PIX");
  EXPECT_EQ(row(matrix, 1), "NV18 X NV18 NODE NODE");
  EXPECT_EQ(matrix.devices[0].cpu_affinity, "0-55");
  EXPECT_TRUE(says(matrix.notes, "\"NODENODE\" read as 2 cells run together"));
  EXPECT_EQ(matrix.cell(1, 3).origin, CellOrigin::repaired);
}

TEST(NvsmiMatrix, RowsCutByTheTerminal) {
  const TopoMatrix matrix = read(
      "        GPU0    GPU1    NIC0    NIC1    CPU Affinity\n"
      "GPU0     X      NV8     NODE    SYS     0-47,96-143\n"
      "GPU1    NV8      X      NO\n");
  EXPECT_EQ(row(matrix, 1), "NV8 X ? ?");
  EXPECT_TRUE(says(matrix.notes, "row GPU1 has 2 of 4 cells"));
  EXPECT_TRUE(says(matrix.notes, "taken from the mirrored place"));
  const TopoMatrix dots = read("   GPU0 GPU1 NIC0\nGPU0 X NV8 ...\nGPU1 NV8 X PIX\n");
  EXPECT_EQ(row(dots, 0), "X NV8 ?");
}

TEST(NvsmiMatrix, WrappedHeaderAndRows) {
  const TopoMatrix matrix = read(
      "        GPU0    GPU1    GPU2\n"
      "        NIC0    CPU Affinity    NUMA Affinity\n"
      "GPU0     X      PIX     SYS\n"
      "        NODE    0-31    0\n"
      "GPU1    PIX      X      SYS     NODE    0-31    0\n"
      "GPU2    SYS     SYS      X      SYS     32-63   1\n");
  EXPECT_EQ(matrix.devices.size(), 4U);
  EXPECT_EQ(row(matrix, 0), "X PIX SYS NODE");
  EXPECT_EQ(matrix.devices[0].cpu_affinity, "0-31");
  EXPECT_EQ(matrix.devices[0].numa_affinity, "0");
  EXPECT_TRUE(says(matrix.notes, "row GPU0 goes on in line 4"));
}

TEST(NvsmiMatrix, LostHeader) {
  const TopoMatrix matrix = read(
      "GPU1\tNV12\t X \tNV12\tSYS\tNODE\t0-23\t0\t\tN/A\n"
      "GPU2\tNV12\tNV12\t X \tPIX\tSYS\t24-47\t1\t\tN/A\n"
      "NIC1\tNODE\tSYS\tSYS\tSYS\t X \n");
  EXPECT_FALSE(matrix.header_found);
  EXPECT_EQ(matrix.gpus(), 3U);
  EXPECT_EQ(matrix.devices.size(), 5U);
  EXPECT_EQ(matrix.devices[0].name, "GPU0");
  EXPECT_EQ(matrix.devices[3].name, "NIC0");
  EXPECT_EQ(row(matrix, 0), "X NV12 NV12 ? NODE");  // from the rows of the others
  EXPECT_EQ(matrix.devices[2].cpu_affinity, "24-47");
}

TEST(NvsmiMatrix, ElidedColumns) {
  const TopoMatrix matrix = read(
      "      GPU0  GPU1  NIC0 ... NIC5  CPU Affinity\n"
      "GPU0  X    NV18   NODE ... SYS   0-71\n"
      "GPU1 NV18   X     SYS  ... NODE  72-143\n");
  EXPECT_EQ(matrix.devices.size(), 4U);
  EXPECT_EQ(matrix.devices[3].name, "NIC5");
  EXPECT_EQ(row(matrix, 0), "X NV18 NODE SYS");
  EXPECT_EQ(matrix.devices[1].cpu_affinity, "72-143");
  EXPECT_TRUE(says(matrix.notes, "leaves devices out"));
}

TEST(NvsmiMatrix, NotSymmetric) {
  const TopoMatrix matrix = read("   GPU0 GPU1 GPU2\nGPU0 X PIX NV2\nGPU1 SYS X PHB\nGPU2 NV1 PHB X\n");
  EXPECT_EQ(word(matrix.cell(0, 1)), "SYS");
  EXPECT_EQ(word(matrix.cell(0, 2)), "NV1");
  EXPECT_TRUE(says(matrix.notes, "not symmetric: GPU0-GPU1 PIX against SYS"));
}

TEST(NvsmiMatrix, LogTextAroundIt) {
  const TopoMatrix matrix = read(
      "GPU 0: NVIDIA A100 (UUID: GPU-1)\nGPU0 GPU1 are idle\n"
      "[rank0] 12:01 \tGPU0\tGPU1\tCPU Affinity\n[rank0] 12:01 GPU0\t X \tPIX\t0-7\n[rank0] 12:01 GPU1\tPIX\t X "
      "\t0-7\nulimit soft: 1024\n");
  EXPECT_EQ(matrix.devices.size(), 2U);
  EXPECT_EQ(row(matrix, 0), "X PIX");
  EXPECT_EQ(matrix.devices[1].cpu_affinity, "0-7");
}

TEST(NvsmiMatrix, OnlyTheFirstOfSeveral) {
  const std::string one = "\tGPU0\tGPU1\nGPU0\t X \tPIX\nGPU1\tPIX\t X \n";
  const std::string other = "\tGPU0\tGPU1\nGPU0\t X \tSYS\nGPU1\tSYS\t X \n";
  const TopoMatrix matrix = read(one + "\n" + other);
  EXPECT_EQ(row(matrix, 0), "X PIX");
  EXPECT_TRUE(says(matrix.notes, "only the first"));
}

TEST(NvsmiMatrix, OneGpu) {
  const TopoMatrix matrix = read("\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t0-7\t\tN/A\t\tN/A\n");
  EXPECT_EQ(matrix.devices.size(), 1U);
  EXPECT_EQ(matrix.devices[0].cpu_affinity, "0-7");
  EXPECT_EQ(matrix.devices[0].numa_affinity, "");
}

TEST(NvsmiMatrix, GpuNumaIds) {
  const TopoMatrix matrix = read(
      "   GPU0 GPU1 CPU Affinity NUMA Affinity GPU NUMA ID\nGPU0 X NV18 0-71 0,3-9,11-17 2\nGPU1 NV18 X 0-71 "
      "0,3-9,11-17 10\n");
  EXPECT_EQ(matrix.devices[0].numa_affinity, "0,3-9,11-17");
  EXPECT_EQ(matrix.devices[1].gpu_numa_id, "10");
}

TEST(NvsmiMatrix, OtherVendorsWords) {
  EXPECT_EQ(topo_cells("MPB")[0].closeness, Closeness::pxb);
  EXPECT_EQ(topo_cells("SPB")[0].closeness, Closeness::pix);
  EXPECT_EQ(topo_cells("NVL")[0].links, 0);
  EXPECT_EQ(topo_cells("NV36")[0].links, 36);
  EXPECT_TRUE(topo_cells("NV999").empty());
  EXPECT_TRUE(topo_cells("NODEX1").empty());
}

TEST(NvsmiMatrix, MistypedWordsPointAtTheCell) {
  EXPECT_EQ(refused("\tGPU0\tGPU1\tNIC0\nGPU0\t X \tPXI\tSYS\nGPU1\tPIX\t X \tSYS\n").to_string(),
            "error WEFT-FMT-0204: topo.txt:2:10: row GPU0, column GPU1: \"PXI\" is no connection\n"
            "  2 | GPU0  X  PXI SYS\n"
            "    |          ^\n"
            "  expected: X, NV#, PIX, PXB, PHB, NODE, SYS or N/A\n"
            "  hint: did you mean PIX?\n");
}

TEST(NvsmiMatrix, AMissingCellBeforeTheDiagonal) {
  EXPECT_EQ(refused("\tGPU0\tGPU1\tGPU2\nGPU0\t X \tPIX\tSYS\nGPU1\tPIX\t X \tSYS\nGPU2\tSYS\t X \n").to_string(),
            "error WEFT-FMT-0205: topo.txt:4:1: the X of row GPU2 stands in column GPU1: a cell is missing or added "
            "before it\n"
            "  4 | GPU2 SYS  X \n"
            "    | ^\n"
            "  expected: X in column 3 of the cells\n"
            "  hint: compare the row with the header, or take the matrix again: nvidia-smi topo -m > topo.txt\n");
}

TEST(NvsmiMatrix, NothingToRead) {
  EXPECT_EQ(refused("").id, "WEFT-FMT-0201");
  EXPECT_EQ(refused("hello\nGPU0 is fine\n").to_string(),
            "error WEFT-FMT-0203: topo.txt:1:1: there is no GPU matrix in this text\n"
            "  1 | hello\n"
            "    | ^\n"
            "  expected: the output of nvidia-smi topo -m: a header GPU0 GPU1 … and a row for each GPU\n"
            "  hint: take it again: nvidia-smi topo -m > topo.txt\n");
  EXPECT_EQ(refused("\tGPU0\tGPU1\tCPU Affinity\n").message, "the matrix has a header but no row");
  std::string many;
  for (int i = 0; i < 600; ++i) many += "\tGPU" + std::to_string(i);
  EXPECT_EQ(refused(many + "\nGPU0\t X \tPIX\n").id, "WEFT-FMT-0202");
}

TEST(NvsmiMatrix, LongLinesCostNoMoreThanTheirLength) {
  std::string line;
  for (int i = 0; i < 200'000; ++i) line += "GPU0 foo ";
  EXPECT_EQ(refused(line).id, "WEFT-FMT-0203");
  EXPECT_FALSE(looks_like_topo_matrix(line));
}

}  // namespace
}  // namespace weft::formats
