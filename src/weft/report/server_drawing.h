// The inside of one server as a picture: NICs on the upper edge, then sockets with their root complexes and PCIe
// switches, GPUs below, NVSwitches or GPU-to-GPU links at the bottom, and the name.
//
// What is connected by a bus stands above one another, so that every PCIe link is one straight line; what contains
// (socket, shared root complex, a switch of switches) is drawn around what it holds. Alike parts of a rack-scale system
// (the trays of an NVL72) are drawn twice and once more at the end, with how many stand between. Laid out when made;
// the size is known before anything is drawn.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weft/fabric/graph.h"
#include "weft/report/svg.h"

namespace weft::report {

class ServerDrawing {
 public:
  ServerDrawing(const fabric::Fabric& fabric, std::uint32_t server);

  [[nodiscard]] double width() const { return width_; }
  [[nodiscard]] double height() const { return height_; }
  // Where the cable of a NIC leaves, from the upper left corner; above the box of the rest for a NIC not drawn.
  [[nodiscard]] Point nic_top(fabric::DeviceId nic) const;
  [[nodiscard]] bool draws(fabric::DeviceId device) const { return drawn_.contains(device); }
  void draw(Svg& svg, Point corner) const;

 private:
  struct Box {
    fabric::DeviceId id;
    double x = 0, y = 0, w = 0, h = 0;
    bool container = false;
    bool dashed = false;
    std::vector<std::string> lines;
  };
  struct Wire {
    Point from, to;
    Point bend;  // of a curve
    bool curved = false;
    fabric::LinkId link;
    int links = 1;  // units, when several links are drawn as one
  };
  class Layout;

  void write_caption();
  void draw_box(Svg& svg, const Box& box, Point corner) const;
  [[nodiscard]] std::string tooltip(const Wire& wire) const;
  [[nodiscard]] std::string tooltip(fabric::DeviceId id) const;

  const fabric::Fabric& fabric_;
  std::uint32_t server_;
  double width_ = 0;
  double height_ = 0;
  std::vector<Box> boxes_;  // containers before what they hold
  std::vector<Wire> wires_;
  std::map<fabric::DeviceId, std::size_t> drawn_;  // index into boxes_
  Point rest_top_;
  std::vector<std::string> caption_;  // lines
};

// "server0.gpu3, h100-sxm5, mlx5_0": name, part and the operator's name as far as there are any.
[[nodiscard]] std::string full_name(const fabric::Fabric& fabric, fabric::DeviceId id);

}  // namespace weft::report
