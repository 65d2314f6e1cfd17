// NCCL's topology tree as a fabric.
//
//   cpu (a NUMA node)          socket; those of one host are joined pairwise, as NCCL joins them
//   pci, class bridge          PCIe switch; two-level Broadcom switches are flattened, as NCCL flattens them
//   pci right under cpu        behind a root complex of its own
//   pci, class GPU or <gpu>    GPU; its part by PCI id, else ReadOptions::gpu, else assumed
//   net                        an adapter (formats/nccl_nics.h); sockets count when there is no RDMA adapter
//   nvlink, xgmi               links to GPUs and NVSwitches (formats/nccl_gpu_links.h)
//   c2c                        the GPU's link to its socket, instead of PCIe where the GPU hangs right under the CPU
//
// One host is one server. Hosts that share an NVLink fabric (multi-node NVLink: the target is the sentinel fffffff:…)
// are ONE server, as the catalog has an NVL72 rack; their sockets are not joined. Sockets, GPUs and adapters are
// numbered by numaid, `dev` and `dev`; a skeleton's by bus id.
//
// What PCIe speed and width say is taken as NCCL takes it (nothing stated: generation 3, 16 lanes), but for a GPU at
// 2.5 GT/s, which is an idle one saving power: that one gets its part's own link, and the fact is said.
// Errors WEFT-FMT-0121 … 0124.
#pragma once

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/catalog.h"
#include "weft/formats/nccl_xml_tree.h"
#include "weft/formats/operator_fabric.h"

namespace weft::formats {

Result<OperatorFabric> nccl_fabric(const catalog::Catalog& catalog, const SourceText& source, const NcclSystem& system,
                                   const ReadOptions& options);

}  // namespace weft::formats
