// A fabric as an indented tree: kinds of servers with what is in one of them, then the network switches.
//
// Servers that are alike are shown once with how many there are, and so are alike parts inside a server (trays of an
// NVL72) and alike switches; the length of the text does not grow with the cluster. Rates are line rates per direction.
#pragma once

#include <string>
#include <string_view>

#include "weft/fabric/graph.h"

namespace weft::report {

[[nodiscard]] std::string topology_tree(const fabric::Fabric& fabric, std::string_view title);

}  // namespace weft::report
