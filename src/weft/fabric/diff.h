// How two fabrics differ, device by device and link by link.
//
// Devices are matched by weft's own name, so two fabrics of one layout compare equal whatever the operator called
// things. A link differs in technology, count, or rate; parts in their id. Empty = the same fabric.
#pragma once

#include <string>
#include <vector>

#include "weft/fabric/graph.h"

namespace weft::fabric {

struct Difference {
  enum class Kind { only_in_first, only_in_second, changed } kind = Kind::changed;
  std::string what;   // "server0.gpu3" or "server0.gpu3 - server0.nvswitch1"
  std::string first;  // "18 x nvlink4, 450 GB/s"; "" when absent
  std::string second;
};

[[nodiscard]] std::vector<Difference> diff(const Fabric& first, const Fabric& second);

}  // namespace weft::fabric
