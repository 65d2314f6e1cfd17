// From <net> elements to network adapters.
//
// NCCL lists ports; a fabric has adapters. Ports of one PCI device, all its functions together (0c:00.0, 0c:00.1), that
// have the same GUID are one adapter. What is no cluster network at all (VPNs, containers' bridges, Wi-Fi) is told
// apart from plain Ethernet and from RDMA, and speeds that no port has are not believed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/formats/nccl_xml_tree.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

enum class NicUse {
  rdma,      // InfiniBand, RoCE, EFA, Slingshot: moves GPU memory
  socket,    // Ethernet that NCCL reaches through TCP
  not_wired  // virtual or wireless: never a cluster network
};

struct FoundNic {
  const NcclPci* pci = nullptr;            // none: straight under the CPU
  std::vector<std::string> ports;          // names of its <net>s, in the file's order; empty in a skeleton
  std::optional<std::int64_t> speed_mbps;  // of all ports; none = not stated, or not believed
  std::optional<bool> gdr;
  std::optional<bool> infiniband;  // by PCI class
  NicUse use = NicUse::rdma;
  int order = -1;  // least `dev` of its nets; -1 = none
  [[nodiscard]] std::string name() const;
};

// The adapters of sibling PCI devices that are NICs, and of <nic> straight under a CPU.
[[nodiscard]] std::vector<FoundNic> find_nics(const std::vector<const NcclPci*>& siblings, Remarks& remarks);
[[nodiscard]] std::vector<FoundNic> find_nics(const std::vector<NcclNic>& under_cpu, Remarks& remarks);

}  // namespace weft::formats
