// What each of several transfers gets when they run at once: weighted max-min fairness over links and device caps.
//
// Progressive filling (Bertsekas & Gallager, Data Networks, 6.5.2): raise all rates together, freeze those on the first
// full link or device, go on with the rest. Links share their goodput per direction; a device with a cap (a root
// complex) passes on so much of what comes in by one port. Exact for a handful of paths; the
// flow engine is the one for many. Latency plays no part.
#pragma once

#include <span>
#include <vector>

#include "weft/fabric/path.h"

namespace weft::fabric {

[[nodiscard]] std::vector<Rate> concurrent_rates(std::span<const Path> paths);

}  // namespace weft::fabric
