// One server of an NCCL topology: CPUs, PCI tree and adapters as a sketch, built. Private to the NCCL reader; what
// means what is told in formats/nccl_xml_fabric.h.
#pragma once

#include <string>
#include <vector>

#include "weft/fabric/builder.h"
#include "weft/formats/nccl_xml_tree.h"
#include "weft/formats/part_book.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

struct NcclServerInput {
  const NcclSystem& system;
  const PartBook& book;
  const std::vector<std::vector<const NcclCpu*>>& hosts;  // one, or those of one NVLink fabric
  const std::string& gpu;                                 // ReadOptions::gpu
  bool skeleton = false;
  Remarks& remarks;
};

struct ObservedLinks {
  fabric::DeviceId gpu;
  int left = 0;
  int nominal = 0;
};

struct NcclServerBuilt {
  std::vector<ObservedLinks> amiss;
};

NcclServerBuilt add_nccl_server(fabric::FabricBuilder& builder, const NcclServerInput& input);

}  // namespace weft::formats
