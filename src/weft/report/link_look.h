// How links look in drawings, and what a legend says of them.
#pragma once

#include <string>
#include <string_view>

#include "weft/fabric/graph.h"

namespace weft::report {

// A colour per family, told apart also by those who see red and green alike (lightness differs).
[[nodiscard]] std::string_view colour_of(fabric::LinkClass link_class);

// The rate in the unit that the field uses there: Gb/s on a network, GB/s inside a server.
[[nodiscard]] std::string rate_text(const fabric::Technology& technology, Rate rate);

}  // namespace weft::report
