// `nvidia-smi topo -m` as a fabric that says the same.
//
// read_nvsmi_topo = read_topo_matrix (formats/nvsmi_matrix.h: the matrix, mended where it can be) and what follows from
// it: devices that are NODE or nearer share a socket, PHB a root complex, PXB and PIX a PCIe switch; GPUs that NV#
// hides from this by the NICs and the NUMA affinity they have in common. NV# to all is NVSwitch when a GPU has fewer
// links than the cells add up to, else a mesh. A GPU that lacks the NVLinks of its siblings is observed as such.
//
// The file names no GPU model: ReadOptions::gpu, else the likeliest by NV# (18 hopper or blackwell, 12 A100, 8 H800,
// 6 V100 …), and said. PCIe generation, processor and NICs are those usual with that GPU.
//
// Errors: those of the matrix, and WEFT-FMT-0206 when cells between GPUs are missing: which, and what still holds.
#pragma once

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/catalog.h"
#include "weft/formats/nvsmi_matrix.h"
#include "weft/formats/operator_fabric.h"

namespace weft::formats {

Result<OperatorFabric> read_nvsmi_topo(const catalog::Catalog& catalog, const SourceText& source,
                                       const ReadOptions& options = {});

}  // namespace weft::formats
