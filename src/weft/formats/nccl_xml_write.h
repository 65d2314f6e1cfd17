// A fabric's servers as NCCL topology XML.
//
// What is written reads back (formats/nccl_xml.h) to the same fabric, and one server's file is what NCCL takes as
// NCCL_TOPO_FILE (RCCL: version 2, for AMD GPUs). Several servers are written as a fused dump with a host_hash each.
// Parts, device numbers and root complexes, for which NCCL has no words, stand in attributes of our own (part, name,
// root, link) and in <nvswitch> and <trunk>, all of which NCCL passes over: unknown attributes (it keeps 16 of an
// element) and empty unknown elements do no harm (src/graph/xml.cc, xmlLoadSub).
//
// `notes` says what the format cannot hold: network switches and cables, and addresses of devices that the fabric
// does not know and that are made up. Errors WEFT-FMT-0131: a server without GPUs, no such server.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/fabric/graph.h"

namespace weft::formats {

struct NcclXmlText {
  std::string xml;
  std::vector<std::string> notes;
};

// `server`: one of them; none = all.
Result<NcclXmlText> write_nccl_xml(const catalog::Catalog& catalog, const fabric::Fabric& fabric,
                                   std::optional<std::uint32_t> server = std::nullopt);

}  // namespace weft::formats
