// The inside of one server as a picture: NICs on the upper edge, then sockets with their root complexes and PCIe
// switches, GPUs below, NVSwitches or GPU-to-GPU links at the bottom, and the name.
//
// What is connected by a bus stands above one another, so that every PCIe link is one straight line; what contains
// (socket, shared root complex, a switch of switches) is drawn around what it holds. Alike parts of a rack-scale system
// (the trays of an NVL72) are drawn twice and once more at the end, with how many stand between. Laid out when made;
// the size is known before anything is drawn.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/fabric/graph.h"
#include "weft/report/server_layout.h"
#include "weft/report/svg.h"

namespace weft::report {

class ServerDrawing {
 public:
  ServerDrawing(const fabric::Fabric& fabric, std::uint32_t server);

  [[nodiscard]] double width() const { return layout_.width; }
  [[nodiscard]] double height() const { return layout_.height; }
  // Where the cable of a NIC leaves, from the upper left corner; above the box of the rest for a NIC not drawn.
  [[nodiscard]] Point nic_top(fabric::DeviceId nic) const;
  [[nodiscard]] bool draws(fabric::DeviceId device) const { return layout_.draws(device); }
  void draw(Svg& svg, Point corner) const;

 private:
  void write_caption();
  void draw_box(Svg& svg, const ServerBox& box, Point corner) const;
  void draw_label(Svg& svg, const ServerBox& box, Point corner) const;
  [[nodiscard]] std::string tooltip(const ServerWire& wire) const;
  [[nodiscard]] std::string tooltip(fabric::DeviceId id) const;

  const fabric::Fabric& fabric_;
  std::uint32_t server_;
  ServerLayout layout_;
  std::vector<std::string> caption_;  // lines
};

// "server0.gpu3, h100-sxm5, mlx5_0": name, part and the operator's name as far as there are any.
[[nodiscard]] std::string full_name(const fabric::Fabric& fabric, fabric::DeviceId id);

}  // namespace weft::report
