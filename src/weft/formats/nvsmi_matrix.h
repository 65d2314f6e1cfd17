// `nvidia-smi topo -m` as people hand it on: a matrix of how close GPUs and NICs are, in whatever state it arrived.
//
// Read: tabs, blanks or markdown pipes; terminal colours; log text around it; glued cells ("NODENODE"); rows cut by the
// terminal, wrapped, or ended with "..."; a lost header; nvidia-smi 535's last NIC cell overwritten by the CPU
// affinity ("PH0-115"); NIC rows missing; matrices that are not symmetric; old device columns (mlx5_0) and cell words
// (SOC), Moore Threads' MPB and SPB; the NIC legend. Every cell knows whether it was read, repaired, taken from the
// mirrored place, or is missing; `notes` tells all repairs in words.
//
// Cells: NV# GPUs joined by # NVLinks; PIX at most one PCIe bridge; PXB several bridges; PHB through a host bridge;
// NODE between host bridges of one NUMA node; SYS across NUMA nodes. (nvidia-smi's own legend.)
//
// Errors WEFT-FMT-0201 … 0206. Nothing is concluded about hardware here: formats/nvsmi_topo.h does that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"

namespace weft::formats {

enum class Closeness : std::uint8_t { self, nvlink, pix, pxb, phb, node, sys, none };
[[nodiscard]] std::string_view name_of(Closeness closeness);  // "X" "NV" "PIX" … "N/A"

enum class CellOrigin : std::uint8_t { missing, read, repaired, mirrored };

struct TopoCell {
  Closeness closeness = Closeness::none;
  int links = 0;  // NVLinks; 0 for "NVL", which does not say how many
  CellOrigin origin = CellOrigin::missing;
  [[nodiscard]] bool known() const { return origin != CellOrigin::missing; }
};

struct TopoDevice {
  std::string name;  // "GPU0", "NIC3", "mlx5_0": as the matrix has it
  bool gpu = false;
  std::string rdma_name;  // from the NIC legend: "mlx5_3"
  bool has_row = false;
  int line = 0;  // of its row; 0 = none
  int cells_read = 0;
  std::string cpu_affinity;   // "0-47,96-143"; "" = not given or N/A
  std::string numa_affinity;  // "0", "0-1", "0,3-9,11-17"
  std::string gpu_numa_id;
};

class TopoMatrix {
 public:
  std::vector<TopoDevice> devices;  // GPUs first, else in the order of the columns
  std::vector<std::string> notes;   // what was repaired, filled in or left out
  bool header_found = true;

  [[nodiscard]] std::size_t gpus() const;
  [[nodiscard]] const TopoCell& cell(std::size_t a, std::size_t b) const { return cells_[a * devices.size() + b]; }
  [[nodiscard]] TopoCell& cell(std::size_t a, std::size_t b) { return cells_[a * devices.size() + b]; }
  void resize_cells() { cells_.assign(devices.size() * devices.size(), TopoCell()); }

 private:
  std::vector<TopoCell> cells_;
};

inline constexpr std::size_t kMaxTopoDevices = 512;

Result<TopoMatrix> read_topo_matrix(const SourceText& source);

// Does the text hold such a matrix at all? (For sniffing; looks at the first lines that could be one.)
[[nodiscard]] bool looks_like_topo_matrix(std::string_view text);

}  // namespace weft::formats
