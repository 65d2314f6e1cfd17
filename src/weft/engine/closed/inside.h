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

// Do the switches of a server reduce for as many of its ranks?
[[nodiscard]] bool switches_reduce(const fabric::GroupShape& shape);

// How a collective that crosses servers runs inside each of them.
enum class Inside { ring, chain, switches };
// What the inside lets through of it, bytes per microsecond of busbw. Infinite for one GPU a server.
[[nodiscard]] double inside_ceiling(const fabric::GroupShape& shape, const collective::Profiles& profiles,
                                    Inside inside);

}  // namespace weft::engine::closed
