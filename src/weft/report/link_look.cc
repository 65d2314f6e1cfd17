#include "weft/report/link_look.h"

#include "weft/units/text.h"

namespace weft::report {

using fabric::LinkClass;

std::string_view colour_of(LinkClass link_class) {
  switch (link_class) {
    case LinkClass::nvlink:
      return "#1a7f37";
    case LinkClass::xgmi:
      return "#b3261e";
    case LinkClass::proprietary:
      return "#7a5c00";
    case LinkClass::c2c:
      return "#0f8b8d";
    case LinkClass::pcie:
      return "#0969da";
    case LinkClass::cpu_bus:
      return "#8250df";
    case LinkClass::infiniband:
      return "#d9480f";
    case LinkClass::roce:
    case LinkClass::iwarp:
      return "#b08800";
    case LinkClass::efa:
    case LinkClass::slingshot:
      return "#bf3989";
    case LinkClass::tcp:
    case LinkClass::ethernet:
      return "#57606a";
    case LinkClass::on_chip:
    case LinkClass::memory:
    case LinkClass::host_memory:
      break;
  }
  return "#6e7781";
}

std::string rate_text(const fabric::Technology& technology, Rate rate) {
  return catalog::is_network(technology.link_class) ? human_bits(rate) : human_bytes(rate);
}

}  // namespace weft::report
