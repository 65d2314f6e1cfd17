// One server of the catalog as devices and links.
//
// GPUs, NVSwitches, PCIe switches, sockets (root complex with its aggregate peer-to-peer cap, host memory) and NICs,
// cabled as the part's layout says. Bifurcated slots split the lanes: two GPUs on one x16 get x8 each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/fabric/builder.h"

namespace weft::fabric {

struct ServerOptions {
  int gpus = 0;     // 0 = the part's own number; only parametric parts take another
  std::string nic;  // another NIC part than the reference design's
  int nics = -1;    // another number of NICs; they are spread over the PCIe groups in order
  bool gpudirect_rdma = true;
  std::optional<bool> peer_to_peer = {};  // over PCIe; none = as the part says
};

// The catalog part with a "name:count" suffix resolved and a parametric layout laid out ("pcie-a100:8").
Result<catalog::ServerPart> resolve_server(const catalog::Catalog& catalog, std::string_view name,
                                           const ServerOptions& options = {});

// Adds the server; returns its index.
Result<std::uint32_t> add_server(FabricBuilder& builder, const catalog::Catalog& catalog,
                                 const catalog::ServerPart& part, const ServerOptions& options = {});

// A catalog link as the graph's technology; "pcie5-x16" and the like.
Result<Technology> technology_of(const catalog::Catalog& catalog, std::string_view link_id);

}  // namespace weft::fabric
