// Where everything of one server's drawing stands: boxes, and wires between them, in pixels from its upper left corner.
//
// From above: NICs on the upper edge; sockets as containers with their root complexes and PCIe switches (what contains
// is drawn around what it holds, so that every PCIe link is one straight line); GPUs; NVSwitches, or arcs between GPUs.
// Runs of alike trays are folded: two, a box for the rest, and the last.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weft/fabric/graph.h"
#include "weft/report/svg.h"

namespace weft::report {

struct ServerBox {
  fabric::DeviceId id;  // none() for a socket's frame and for a rest
  double x = 0, y = 0, w = 0, h = 0;
  bool container = false;
  bool dashed = false;  // stands for more that are alike
  std::vector<std::string> lines;
};

struct ServerWire {
  Point from, to;
  Point bend;  // of a curve
  bool curved = false;
  fabric::LinkId link;
  int links = 1;  // units, when several links are drawn as one
};

struct ServerLayout {
  double width = 0;
  double height = 0;
  std::vector<ServerBox> boxes;  // containers before what they hold
  std::vector<ServerWire> wires;
  std::map<fabric::DeviceId, std::size_t> drawn;  // index into boxes
  Point rest_top;                                 // above the box of folded trays

  [[nodiscard]] bool draws(fabric::DeviceId id) const { return drawn.contains(id); }
  [[nodiscard]] const ServerBox& box_of(fabric::DeviceId id) const { return boxes[drawn.at(id)]; }
  std::size_t add(ServerBox box);
};

[[nodiscard]] ServerLayout layout_server(const fabric::Fabric& fabric, std::uint32_t server);

// NVSwitches below the GPUs or arcs between them; everything above stands already. Returns the lower edge.
double add_gpu_fabric(const fabric::Fabric& fabric, std::uint32_t server, double bottom, ServerLayout& layout);

inline constexpr double kServerMargin = 12;  // between a server's frame and what is in it
inline constexpr double kPitch = 46;         // from one GPU or NIC to the next
inline constexpr double kBoxWidth = 40;
inline constexpr double kBoxHeight = 24;

// "gpu3", without its server.
[[nodiscard]] std::string short_name(const fabric::Fabric& fabric, fabric::DeviceId id);

}  // namespace weft::report
