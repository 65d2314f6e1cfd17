// The PCIe tree behind a matrix of closeness: sockets, root complexes and switches. Private to the topo -m reader.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/formats/nvsmi_matrix.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

// For each device of the matrix the groups it is in. Groups are numbered in the order of their first device; a switch
// or root of one device alone is none (-1 for switches).
struct PciePlace {
  int socket = 0;
  int root = 0;           // root complex, numbered over all sockets
  int outer_switch = -1;  // joins what is PXB
  int inner_switch = -1;  // joins what is PIX
};

struct PcieTree {
  std::vector<PciePlace> places;          // per device
  std::vector<std::string> socket_names;  // "numa0" where the affinity tells
  int sockets = 0;
  int roots = 0;
  int outer_switches = 0;
  int inner_switches = 0;
};

[[nodiscard]] PcieTree infer_pcie_tree(const TopoMatrix& matrix, Remarks& remarks);

}  // namespace weft::formats
