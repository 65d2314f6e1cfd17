// Puts a fabric together, then freezes it.
//
// Servers are opened one after another: every device added between open_server() and the next belongs to that server.
// Network switches are added with no server. finish() sorts the links by device and computes the domains.
#pragma once

#include <string>
#include <string_view>

#include "weft/fabric/graph.h"

namespace weft::fabric {

class FabricBuilder {
 public:
  // Starts a server; its devices follow.
  std::uint32_t open_server(Server properties);
  Server& server(std::uint32_t index) { return fabric_.servers_[index]; }
  DeviceId add_server_device(DeviceKind kind, std::uint16_t model);
  DeviceId add_switch(DeviceKind kind, std::uint16_t model);

  // Two directed links, ids 2c and 2c + 1 of cable c.
  CableId add_cable(DeviceId a, DeviceId b, std::uint16_t technology, std::uint16_t count = 1);

  // The index of an equal entry, added when new.
  std::uint16_t technology(const Technology& technology);
  std::uint16_t model(const DeviceModel& model);

  void set_operator_name(DeviceId id, std::string_view name);
  // Copies a whole server of this builder, cables between its devices included; operator names are not copied.
  std::uint32_t clone_server(std::uint32_t original);
  void reserve(std::size_t devices, std::size_t cables);

  [[nodiscard]] const Device& device(DeviceId id) const { return fabric_.devices_[id.index()]; }
  [[nodiscard]] std::size_t device_count() const { return fabric_.devices_.size(); }
  [[nodiscard]] std::uint32_t server_count() const { return static_cast<std::uint32_t>(fabric_.servers_.size()); }
  [[nodiscard]] DeviceId find_in_server(std::uint32_t server, DeviceKind kind, std::uint32_t index) const;

  [[nodiscard]] Fabric finish() &&;

 private:
  void compute_nvlink_domains();

  Fabric fabric_;
  std::vector<std::uint32_t> counts_in_server_;  // devices of each kind so far in the open server
  std::vector<std::uint32_t> counts_of_switches_;
  std::vector<std::uint32_t> first_cable_;  // per server: cables wholly inside it are [first, end)
  std::vector<std::uint32_t> end_cable_;
};

}  // namespace weft::fabric
