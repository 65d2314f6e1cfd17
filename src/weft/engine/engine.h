// The one question of every engine: when does every task finish?
//
//   Timeline run(const Fabric&, const Conditions&, const Workload&, const Options&)
//
// closed  answers with formulas; NotApplicable (an Error of kind `unassessable`) where contention or shape is outside
// them. Same inputs, same answer. An engine does no I/O and reads no clock.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/engine/workload.h"
#include "weft/fabric/condition.h"
#include "weft/fabric/graph.h"

namespace weft::engine {

struct Options {
  std::uint64_t seed = 1;
};

// What a collective's time is made of; they add up to it.
struct Terms {
  Duration launch;    // set-up inside the GPU, and waiting for the host that launches
  Duration latency;   // hops, one after another
  Duration transfer;  // bytes over the slowest link
  Duration fill;      // filling the pipeline: the first chunk on its way through every rank
  [[nodiscard]] Duration total() const { return launch + latency + transfer + fill; }
};

struct Finished {
  Instant start;
  Instant end;
  Terms terms;
  collective::Algorithm algorithm = collective::Algorithm::ring;
  collective::Protocol protocol = collective::Protocol::simple;
};

struct Timeline {
  std::vector<Finished> tasks;  // as in the workload
  Duration makespan;
};

}  // namespace weft::engine
