// NCCL and RCCL topology XML: an operator's own description of a server, read into a fabric.
//
// read_nccl_xml = read_nccl_tree (formats/nccl_xml_tree.h: the file as it stands, errors with line and column) and
// nccl_fabric (formats/nccl_xml_fabric.h: what it means). Skeletons, full dumps and dumps fused from several hosts;
// see there for what is assumed. Writing: formats/nccl_xml_write.h.
#pragma once

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/catalog.h"
#include "weft/formats/operator_fabric.h"

namespace weft::formats {

Result<OperatorFabric> read_nccl_xml(const catalog::Catalog& catalog, const SourceText& source,
                                     const ReadOptions& options = {});

}  // namespace weft::formats
