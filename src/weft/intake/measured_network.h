// The NICs and the network of a measured run, by what its header says and what the server has.
//
//   fabric known           the link of that network nearest to nic_gbps (at exactly that rate when it is none of the
//                          usual), and a NIC for it, the server's own where it fits
//   its rate unknown       the server's own NICs' rate; EFA by the number of adapters, as instances have them (4 or 32
//                          of 100, 16 of 200, 8 of 400 Gb/s)
//   fabric unknown         InfiniBand at nic_gbps; without a rate, the server's own NICs and network
//   nics_per_server known  so many NICs, or the server's own layout when its share of the GPUs has as many; else the
//   server's own number, else one no NIC in the server   InfiniBand of the GPU's generation: EDR with PCIe 3, HDR with
//   4, NDR with 5 and later fabric none            NICs cabled to each other directly: the server's own, named as such
// The switches are nobody's: no header names them, and none is what limits such runs.
#pragma once

#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/fabric/cluster.h"
#include "weft/formats/measured_table.h"

namespace weft::intake {

// Sets the NICs of the group and the network of the spec; `assumed` receives what the table did not say.
Result<void> choose_network(const catalog::Catalog& catalog, const formats::MeasuredTable& table,
                            const catalog::ServerPart& server, fabric::ClusterSpec& spec,
                            std::vector<std::string>& assumed);

}  // namespace weft::intake
