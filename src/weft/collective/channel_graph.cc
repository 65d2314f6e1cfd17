#include "weft/collective/channel_graph.h"

namespace weft::collective {

std::string_view name_of(Reach reach) {
  constexpr std::array<std::string_view, 11> kNames = {"LOC", "NVL", "NVB", "C2C", "PIX", "PXB",
                                                       "P2C", "PXN", "PHB", "SYS", "NET"};
  return kNames[static_cast<std::size_t>(reach)];
}

}  // namespace weft::collective
