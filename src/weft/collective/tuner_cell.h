// One cell of a tuner's table: what a version believes of an algorithm with a protocol, for one operation on one
// system. Rules by release as in NCCL's src/graph/tuning.cc; part of tuner.h.
#pragma once

#include "weft/collective/tuner.h"

namespace weft::collective {

// Places in kTunedAlgorithms.
inline constexpr std::size_t kTree = 0;
inline constexpr std::size_t kRing = 1;
inline constexpr std::size_t kCollnetDirect = 2;
inline constexpr std::size_t kCollnetChain = 3;
inline constexpr std::size_t kNvls = 4;
inline constexpr std::size_t kNvlsTree = 5;
inline constexpr std::size_t kPat = 6;

// Compute capabilities from which the rules differ.
inline constexpr int kVolta = 70;
inline constexpr int kAmpere = 80;
inline constexpr int kHopper = 90;
inline constexpr int kBlackwell = 100;

// Nothing where the algorithm does not do the operation with that protocol; no rate where it is not to be used.
[[nodiscard]] TunerCell tuner_cell(const Tuner& tuner, const TunerSystem& system, Operation operation,
                                   std::size_t algorithm, Protocol protocol);

}  // namespace weft::collective
