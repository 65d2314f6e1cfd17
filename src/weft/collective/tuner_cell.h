// One cell of a tuner's table: the latency and bandwidth that NCCL believes in for an operation, algorithm and
// protocol. Rules by release as in NCCL's src/graph/tuning.cc.
#pragma once

#include "weft/collective/tuner.h"

namespace weft::collective {

// Places in kTunedAlgorithms.
constexpr std::size_t kTree = 0;
constexpr std::size_t kRing = 1;
constexpr std::size_t kCollnetDirect = 2;
constexpr std::size_t kCollnetChain = 3;
constexpr std::size_t kNvls = 4;
constexpr std::size_t kNvlsTree = 5;
constexpr std::size_t kPat = 6;

// `algorithm` by its place. A bandwidth of zero: not to be used.
[[nodiscard]] TunerCell tuner_cell(const Tuner& tuner, const TunerSystem& system, Operation operation,
                                   std::size_t algorithm, Protocol protocol);

}  // namespace weft::collective
