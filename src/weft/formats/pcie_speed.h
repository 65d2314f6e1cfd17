// PCIe speeds as sysfs and NCCL write them, and the technology that such a link is.
//
// "16.0 GT/s PCIe" is generation 4. NCCL (2.30, kvDictPciGen) knows eleven spellings by their beginning; for any other,
// and for none, it plans with generation 3, and 16 lanes when the width is 0. Lane rates: PCI-SIG base specification
// (8b/10b up to generation 2, 128b/130b from 3 to 5, FLIT from 6).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/catalog/catalog.h"
#include "weft/fabric/graph.h"

namespace weft::formats {

struct PcieSpeed {
  std::optional<int> generation;  // 1 … 7; none = not stated or not a PCIe speed
  bool known_to_nccl = false;     // otherwise NCCL plans with generation 3
};

[[nodiscard]] PcieSpeed parse_pcie_speed(std::string_view text);
// What NCCL's own writing of a generation is: "32.0 GT/s PCIe".
[[nodiscard]] std::string_view pcie_speed_text(int generation);

struct PcieShape {
  int generation = 0;
  int lanes = 0;
};
// "pcie5-x16" -> {5, 16}; nullopt for other technologies.
[[nodiscard]] std::optional<PcieShape> pcie_shape(std::string_view technology_id);

// The catalog's link of that shape, or the x16 one scaled to the lanes; generations 1 and 2, which no catalog of today
// needs, by the efficiency of generation 3.
[[nodiscard]] fabric::Technology pcie_technology(const catalog::Catalog& catalog, int generation, int lanes);

}  // namespace weft::formats
