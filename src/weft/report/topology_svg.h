// A fabric as a picture (SVG): servers in a row with what is in them, leaf, spine and core switches above, the
// management network below, cables coloured by kind of link, and a legend with rates.
//
// A small fabric is drawn whole, a large one by its first servers and switches with boxes that say how many more there
// are (report/network_drawing.h); the size of the file does not grow with the cluster. Every box and line has a tooltip
// with its full name, part, rate and the operator's own name. The same fabric gives the same bytes. `title` is the
// heading, any text.
#pragma once

#include <string>
#include <string_view>

#include "weft/fabric/graph.h"

namespace weft::report {

[[nodiscard]] std::string topology_svg(const fabric::Fabric& fabric, std::string_view title);

// "16 servers, 128 GPUs, 128 NICs, 8 leaves, 4 racks".
[[nodiscard]] std::string fabric_summary(const fabric::Fabric& fabric);

}  // namespace weft::report
