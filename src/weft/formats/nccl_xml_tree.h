// NCCL's (and RCCL's) topology XML as it stands in the file, with the place of everything.
//
// Written by NCCL_TOPO_DUMP_FILE, read by NCCL_TOPO_FILE; root <system version="1"> (NCCL) or "2" (RCCL). Three forms
// occur and all are read: a full dump, a skeleton that lists PCI devices without <gpu>, and a dump fused from several
// hosts (cpu/@host_hash). Nothing is interpreted here: bad numbers are errors, missing attributes stay missing, unknown
// elements are listed in `ignored`. Attribute meanings: NCCL src/graph/xml.cc and topo.cc (2.30).
//
// Errors: WEFT-FMT-01xx, with line, column and a hint. Untrusted input: see formats/limits.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"

namespace weft::formats {

struct NcclNet {
  std::size_t offset = 0;  // in the file's text: SourceText::position(offset) is the place
  std::string name;        // "mlx5_0", "eth0"
  std::optional<int> dev;
  std::optional<std::int64_t> speed;  // Mb/s, as written
  std::optional<int> port;
  std::optional<std::uint64_t> guid;
  std::optional<std::int64_t> maxconn;
  std::optional<bool> gdr;
  std::optional<bool> coll;
};

struct NcclNic {
  std::size_t offset = 0;
  std::vector<NcclNet> nets;
};

// <nvlink> and <xgmi>.
struct NcclGpuLink {
  std::size_t offset = 0;
  std::string target;  // bus id of a GPU, an NVSwitch or a CPU bridge, or the fabric's sentinel
  int count = 1;
  std::string target_class;  // "0x068000" switch, "0x030200" GPU, "0x068001" CPU
  bool xgmi = false;
  std::string link;  // weft's own: its technology
};

struct NcclC2c {
  std::size_t offset = 0;
  std::int64_t bandwidth = 0;  // MB/s per link, as written
  int count = 1;
};

struct NcclGpu {
  std::size_t offset = 0;
  std::optional<int> dev;
  std::optional<int> sm;  // NVIDIA: compute capability x10; RCCL: number of compute units
  std::optional<int> rank;
  std::optional<bool> gdr;
  std::string gcn;  // RCCL: "gfx942", "908"
  std::vector<NcclGpuLink> links;
  std::vector<NcclC2c> c2c;
};

struct NcclPci {
  std::size_t offset = 0;
  std::string busid;         // lower case, as written otherwise
  std::string device_class;  // "0x030200"
  std::string vendor, device, subsystem_vendor, subsystem_device;
  std::optional<std::string> link_speed;  // "32.0 GT/s PCIe"
  std::optional<int> link_width;
  // weft's own, which NCCL passes over: device name, catalog part, root complex, technology of the link.
  std::string name, part, root, link;
  std::vector<NcclPci> children;
  std::vector<std::string> pcilinks;  // peers of a switch
  std::optional<NcclGpu> gpu;
  std::vector<NcclNic> nics;
};

struct NcclCpu {
  std::size_t offset = 0;
  std::string host_hash;
  std::optional<int> numaid;
  std::string affinity;  // hex words, most significant first
  std::string arch, vendor;
  std::optional<int> familyid, modelid;
  std::string name, part;  // weft's own
  std::vector<NcclPci> pcis;
  std::vector<NcclNic> nics;
};

// weft's own, which NCCL passes over: what the GPU links do not say about the switches between GPUs.
struct NcclNvSwitch {
  std::string busid, name, part;
};
struct NcclTrunk {
  std::string from, to, link;  // bus ids of two NVSwitches; technology
  int count = 1;
};

// An element that the reader (as NCCL) passes over.
struct NcclIgnored {
  std::size_t offset = 0;
  std::string element;
  std::string parent;
};

struct NcclSystem {
  int version = 1;  // 2: written by RCCL
  std::string name;
  std::vector<NcclCpu> cpus;
  std::vector<NcclNvSwitch> nvswitches;
  std::vector<NcclTrunk> trunks;
  std::vector<NcclIgnored> ignored;
};

Result<NcclSystem> read_nccl_tree(const SourceText& source);

// What a PCI class says a device is, by NCCL's table.
enum class PciRole { gpu, nic, nvswitch, nvlink_cpu_bridge, bridge };
[[nodiscard]] PciRole role_of(const NcclPci& pci);

}  // namespace weft::formats
