// The typed views of catalog parts that the other rooms compute with. Fields carry no provenance; Part does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/units/units.h"

namespace weft::catalog {

// What kind of link, as far as a path or a collective must know.
enum class LinkClass {
  on_chip, memory, nvlink, xgmi, c2c, pcie, cpu_bus, host_memory, infiniband, roce, iwarp, efa, slingshot, tcp, ethernet,
  proprietary
};
[[nodiscard]] std::string_view name_of(LinkClass link_class);
[[nodiscard]] std::optional<LinkClass> link_class_from(std::string_view text);
// Crosses a network between servers (as opposed to a bus inside one).
[[nodiscard]] bool is_network(LinkClass link_class);
// GPU-to-GPU memory fabric: NVLink, xGMI and proprietary equivalents.
[[nodiscard]] bool is_gpu_fabric(LinkClass link_class);

struct LinkPart {
  std::string id;
  std::string title;
  LinkClass link_class = LinkClass::proprietary;
  std::string unit;  // what one unit is: "link", "lane", "x16 slot", "port"
  Rate raw;          // signalling rate, per direction and unit; zero when not published
  Rate line;         // after encoding
  Rate goodput;      // after headers and credits, what a large transfer reaches on the wire
  Duration latency;  // one hop, hardware only
};

struct GpuPart {
  std::string id;
  std::string title;
  std::string vendor;        // "nvidia", "amd", "metax"
  std::string architecture;  // "hopper"
  int sm = 0;                // NVIDIA compute capability x10 (90), or 0
  std::string gcn;           // AMD "gfx942", or ""
  Bytes memory;
  Rate memory_rate;
  // Dense TFLOP/s (no sparsity); zero where the part has no such unit.
  double fp16_tflops = 0;  // fp16 and bf16 tensor cores
  double fp8_tflops = 0;
  double fp4_tflops = 0;
  double int8_tops = 0;
  std::string gpu_link;  // link part of its NVLink / xGMI ports; "" = none
  int gpu_links = 0;     // how many ports
  std::string host_link; // "pcie5-x16", or a C2C link
  std::vector<std::string> pci_ids;  // "10de:2330": vendor:device as PCI shows it
};

struct CpuPart {
  std::string id;
  std::string title;
  std::string socket_link;  // link between sockets
  int socket_links = 0;
  Rate p2p_rate;            // peer transfers that come in by one port of a root complex, per direction
  Rate memory_rate;         // host DRAM of one socket
  Duration p2p_latency;     // what crossing the root complex adds; zero = not known
};

struct NicPart {
  std::string id;
  std::string title;
  std::string network_link;  // "ib-ndr"; a port
  int ports = 1;
  std::string host_link;     // "pcie5-x16"
  bool gpudirect_rdma = true;
  std::vector<std::string> pci_ids;
  Duration latency;          // what the adapter adds at one end of a message; zero = not known
};

struct SwitchPart {
  std::string id;
  std::string title;
  std::string link;   // port's link part ("ib-ndr", "nvlink4", "pcie5-x16")
  int ports = 0;      // at the port rate
  Rate port_rate;     // per direction
  Duration latency;   // port to port
  bool in_network_reduction = false;  // SHARP, NVLS
};

// How a server's GPUs reach each other beside PCIe.
enum class GpuFabricShape { none, switched, mesh, bridges };

struct MeshEdge {
  int a = 0;
  int b = 0;
  int links = 0;

  friend bool operator==(const MeshEdge&, const MeshEdge&) = default;
};

// One PCIe subtree: a switch (or "" = straight on root ports) under a socket, with the GPUs and NICs that hang there.
struct PcieGroup {
  int socket = 0;
  int root = -1;                // root complex of the socket; groups with the same number share it; -1 = one of its own
  std::string switch_part;
  std::string uplink;           // link part of the switch's upstream port
  std::vector<int> gpus;
  std::vector<int> nics;
  bool bifurcated = false;      // the members share one x16 slot, each gets an equal part of its lanes

  friend bool operator==(const PcieGroup&, const PcieGroup&) = default;
};

struct ServerPart {
  std::string id;
  std::string title;
  std::string gpu;
  int gpus = 0;                 // of the reference design; parametric servers take a count (pcie-a100:8)
  bool parametric = false;
  std::string cpu;
  int sockets = 2;
  GpuFabricShape shape = GpuFabricShape::none;
  std::string nvswitch;             // switch part, for `switched`
  std::vector<int> switch_links;    // per switch of a baseboard: links from each GPU ({5,4,4,5})
  std::vector<MeshEdge> mesh;       // for `mesh` and `bridges`
  std::string nic;                  // "" = none
  int nics = 0;
  std::vector<PcieGroup> pcie;
  bool peer_to_peer = true;
  std::string network_switch;       // leaf switch of the reference design
  bool nvls = false;                // in-switch reduction usable
  int trays = 1;                    // servers inside a rack-scale system (18 in an NVL72)
  // Halves with GPU fabric switches of their own (2 in DGX-2): switch_links are those of one half, and opposite
  // switches are joined by as many links as GPUs reach them, so that all pairs see full bandwidth.
  int baseboards = 1;
};

}  // namespace weft::catalog
