// A collective over GPUs that one server, or one rack-scale NVLink domain, joins.
//
// By the calibrated curve of the link technology (collective/curve.h): the least over the lines that the call allows.
// All-reduces over more than four GPUs of an NVSwitch domain that can reduce have a curve of their own (NVLS). A ring
// that is forced to Simple pays for each of its steps, which a library otherwise avoids at small sizes:
//
//   t = base + step x steps x g(S) + F S / b,  g = 1 below 8 KiB, rising with log S to 1 + growth at 256 KiB
#pragma once

#include <optional>

#include "weft/engine/closed/estimate.h"

namespace weft::engine::closed {

// None: the library cannot do what the call forces here (NVLS without switches that reduce).
[[nodiscard]] std::optional<Estimate> inside_estimate(const collective::Call& call, const fabric::GroupShape& shape,
                                                      const collective::Profiles& profiles);

// What the inside of a server lets through of a collective that crosses servers, bytes per microsecond of busbw.
// Ranks of one server; `tree`: with in-switch reduction where there is any; otherwise a ring. Infinite for one GPU a
// server.
[[nodiscard]] double inside_ceiling(const fabric::GroupShape& shape, const collective::Profiles& profiles, bool tree);

}  // namespace weft::engine::closed
