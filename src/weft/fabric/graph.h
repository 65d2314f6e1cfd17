// The fabric: devices joined by directed links, as compact arrays that hold 100,000 GPUs in a few hundred MB.
//
// A device is a GPU, a switch of some kind, a CPU socket (with host memory), a PCIe root complex, or a NIC. A
// full-duplex cable is two directed links with one cable id. A link is `count` equal units of one Technology (18
// NVLinks, 1 x16 slot, 4 parallel cables); rates are per direction. Ids are dense, in the order of building; names
// follow from kind, server and index ("server3.gpu5", "leaf2") and cost nothing until asked for. An operator's own
// names are kept beside.
//
// A fabric is immutable: what is not as it should be is a Condition (fabric/condition.h) laid over it.
// No I/O, no clock, no globals. Invalid ids are bugs (WEFT_CHECK), not errors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/base/strong_id.h"
#include "weft/catalog/parts.h"
#include "weft/units/units.h"

namespace weft::fabric {

struct DeviceTag;
struct LinkTag;
struct CableTag;
using DeviceId = StrongId<DeviceTag>;
using LinkId = StrongId<LinkTag>;
using CableId = StrongId<CableTag>;
using catalog::LinkClass;

enum class DeviceKind : std::uint8_t {
  gpu,
  nvswitch,
  pcie_switch,
  root_complex,
  cpu,
  nic,  // inside a server; cpu = one socket and its host memory
  leaf,
  spine,
  core,
  management  // network switches; router nodes of dragonfly and torus are leaves
};
[[nodiscard]] std::string_view name_of(
    DeviceKind kind);  // "gpu" "nvswitch" "pcisw" "root" "cpu" "nic" "leaf" "spine" "core" "mgmt"
[[nodiscard]] bool is_network_switch(DeviceKind kind);

// One kind of link: what a unit of it carries and costs. Shared by all links of that kind.
struct Technology {
  std::string id;  // catalog link id, or one made for what an operator's file says ("pcie1-x1")
  LinkClass link_class = LinkClass::proprietary;
  Rate line;         // per direction and unit
  Rate goodput;      // what a large transfer reaches
  Duration latency;  // one hop, hardware
  bool operator==(const Technology&) const = default;
};

// What devices of one part have in common.
struct DeviceModel {
  std::string part;    // catalog id; "" = not known
  Duration latency;    // of passing through
  Rate port_cap;  // most that is passed on of the peer transfers that come in by one port; zero = no limit
  int capability = 0;  // of a GPU: compute capability x10; 0 = none or not known
  bool operator==(const DeviceModel&) const = default;
};

struct Device {
  DeviceKind kind = DeviceKind::gpu;
  std::uint16_t model = 0;
  std::uint32_t server = kNoServer;  // kNoServer for network switches
  std::uint32_t index = 0;           // within its server and kind, or within its kind
  static constexpr std::uint32_t kNoServer = 0xffffffffU;
};

struct Link {
  DeviceId from;
  DeviceId to;
  CableId cable;
  std::uint16_t technology = 0;
  std::uint16_t count = 1;
};

struct Server {
  std::string part;  // catalog id or "" (an operator's file)
  DeviceId first;    // its devices are [first, first + devices)
  std::uint32_t devices = 0;
  std::uint32_t gpus = 0;
  std::uint32_t nics = 0;
  std::uint32_t first_gpu = 0;  // index into Fabric::gpus()
  std::uint32_t first_nic = 0;  // index into Fabric::nics()
  std::uint32_t rack = 0;
  bool peer_to_peer = true;    // GPUs reach each other over PCIe without host memory
  bool gpudirect_rdma = true;  // NICs reach GPU memory
  bool nvls = false;           // the NVSwitches can reduce
};

class Fabric {
 public:
  static constexpr std::uint32_t kNoDomain = 0xffffffffU;

  [[nodiscard]] std::size_t device_count() const { return devices_.size(); }
  [[nodiscard]] std::size_t link_count() const { return links_.size(); }
  [[nodiscard]] std::size_t cable_count() const { return cables_; }
  [[nodiscard]] const Device& device(DeviceId id) const { return devices_[id.index()]; }
  [[nodiscard]] const DeviceModel& model(DeviceId id) const { return models_[device(id).model]; }
  [[nodiscard]] const Link& link(LinkId id) const { return links_[id.index()]; }
  [[nodiscard]] const Technology& technology(LinkId id) const { return technologies_[link(id).technology]; }
  [[nodiscard]] std::span<const Technology> technologies() const { return technologies_; }
  [[nodiscard]] std::span<const DeviceModel> models() const { return models_; }

  // All units of the link together, per direction.
  [[nodiscard]] Rate line_rate(LinkId id) const { return technology(id).line * link(id).count; }
  [[nodiscard]] Rate goodput(LinkId id) const { return technology(id).goodput * link(id).count; }

  // Links that leave a device, in id order.
  [[nodiscard]] std::span<const LinkId> links_from(DeviceId id) const;
  // The other direction of the same cable.
  [[nodiscard]] LinkId reverse(LinkId id) const { return LinkId(id.value() ^ 1U); }
  [[nodiscard]] LinkId link_between(DeviceId from, DeviceId to) const;  // none() when not adjacent

  [[nodiscard]] std::span<const Server> servers() const { return servers_; }
  [[nodiscard]] const Server& server_of(DeviceId id) const { return servers_[device(id).server]; }
  // All GPUs, by server and index: the default rank order.
  [[nodiscard]] std::span<const DeviceId> gpus() const { return gpus_; }
  [[nodiscard]] std::span<const DeviceId> nics() const { return nics_; }
  [[nodiscard]] DeviceId gpu(std::uint32_t server, std::uint32_t index) const;
  [[nodiscard]] DeviceId nic(std::uint32_t server, std::uint32_t index) const;
  [[nodiscard]] DeviceId first_of(DeviceKind kind, std::uint32_t server) const;
  [[nodiscard]] std::vector<DeviceId> devices_of(DeviceKind kind) const;
  [[nodiscard]] std::vector<DeviceId> devices_of(DeviceKind kind, std::uint32_t server) const;

  // Domains. GPUs that reach each other over NVLink or xGMI alone (kNoDomain: no such link at all).
  [[nodiscard]] std::uint32_t nvlink_domain(DeviceId gpu) const { return domain_[gpu.index()]; }
  // The first network switch of a NIC (none: not cabled), and its place among the server's NICs.
  [[nodiscard]] DeviceId leaf_of(DeviceId nic) const;
  [[nodiscard]] std::uint32_t rail_of(DeviceId nic) const { return device(nic).index; }
  [[nodiscard]] std::uint32_t rack_of(DeviceId id) const { return server_of(id).rack; }
  [[nodiscard]] std::uint32_t rack_count() const;

  [[nodiscard]] std::string name(DeviceId id) const;                  // "server3.gpu5"
  [[nodiscard]] const std::string& operator_name(DeviceId id) const;  // "mlx5_0", "0000:1b:00.0"; "" = none
  // By weft's name or an operator's; none() when unknown.
  [[nodiscard]] DeviceId find(std::string_view name) const;
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class FabricBuilder;
  std::vector<Device> devices_;
  std::vector<Link> links_;
  std::vector<DeviceModel> models_;
  std::vector<Technology> technologies_;
  std::vector<Server> servers_;
  std::vector<DeviceId> gpus_;
  std::vector<DeviceId> nics_;
  std::vector<std::uint32_t> out_begin_;  // CSR: links that leave device i are out_[out_begin_[i] .. out_begin_[i+1])
  std::vector<LinkId> out_;
  std::vector<std::uint32_t> domain_;  // per device; only GPUs have one
  std::unordered_map<std::uint32_t, std::string> operator_names_;
  std::size_t cables_ = 0;
};

}  // namespace weft::fabric
