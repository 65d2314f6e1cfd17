// A server's part spelled out: PCIe groups of every tray, mesh edges of every pair, a count for parametric servers.
//
// Parametric servers (PCIe cards, `pcie-a100:4`): groups of gpus_per_group cards each, spread evenly over the sockets
// in order. Everything an engine indexes by is checked here: each GPU and NIC hangs in exactly one group, every socket
// and mesh end exists, no GPU uses more links than it has (gpu_links; 0 = not known).
#pragma once

#include "weft/base/error.h"
#include "weft/catalog/part.h"

namespace weft::catalog {

inline constexpr int kMostGpusOfServer = 1024;
inline constexpr int kMostGpusOfParametricServer = 16;

// count: 0 = as many as the part says.
[[nodiscard]] Result<ServerPart> lay_out_server(const Part& part, int gpu_links, int count = 0);

}  // namespace weft::catalog
