// What one PCI device of an NCCL file says of its link, as NCCL takes it. Private to the NCCL reader.
//
// Nothing stated: generation 3, 16 lanes, and said. A GPU at 2.5 GT/s saves power and gets its part's own generation. A
// bridge that states less than half of what hangs below it is believed and pointed at. weft's own files name a
// technology (pci/@link) where speed and width cannot.
#pragma once

#include <optional>

#include "weft/catalog/catalog.h"
#include "weft/fabric/graph.h"
#include "weft/formats/nccl_xml_tree.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

// Is there a GPU or an adapter at or below the device?
[[nodiscard]] bool has_end_point(const NcclPci& pci);

// Broadcom's PCIe 4 and 5 switches show two levels where there is one full-bandwidth chip (NCCL topo.cc, getBcmGen):
// the generation that a device at that level (0 upper, 1 lower) is of; 0 = none of them.
[[nodiscard]] int broadcom_generation(const NcclPci& pci, int level);

class PciLinks {
 public:
  PciLinks(const catalog::Catalog& catalog, Remarks& remarks) : catalog_(catalog), remarks_(remarks) {}

  [[nodiscard]] fabric::Technology of_bridge(const NcclPci& pci) const;
  [[nodiscard]] fabric::Technology of_gpu(const NcclPci& pci, const catalog::GpuPart& part) const;
  [[nodiscard]] fabric::Technology of_nic(const NcclPci& pci) const;
  // <c2c>: bw is MB/s of one link; the catalog's figure is taken where it is the same link.
  [[nodiscard]] fabric::Technology c2c(const NcclPci& pci, const catalog::GpuPart& part) const;

 private:
  struct Stated;
  [[nodiscard]] Stated stated(const NcclPci& pci) const;
  [[nodiscard]] std::optional<fabric::Technology> own(const NcclPci& pci) const;

  const catalog::Catalog& catalog_;
  Remarks& remarks_;
};

}  // namespace weft::formats
