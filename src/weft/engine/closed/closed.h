// The closed-form engine: times by formula.
//
// A collective takes the longer of what launching it costs on the host and the GPUs' part; the GPUs' part is the line
// of what the library's tuner chooses (collective/tuner.h), or the least over all lines where no choice is known; each
// is launch + latency + transfer + fill:
//
//   inside one server       inside.h    curves of the link technology, NVLS, forced rings
//   between servers         between.h   trees and rings over the servers' NICs
//   one-shot, two-shot,     kernels.h   what a serving engine runs where the workload asks for one, or what is forced
//   multimem
//
// Rates are those of the group's slowest neighbours (fabric/group.h): the same curve serves a board with half of the
// links. Two groups that run at once on the same links are NotApplicable.
#pragma once

#include "weft/base/error.h"
#include "weft/collective/group.h"
#include "weft/engine/engine.h"

namespace weft::engine::closed {

struct Cost {
  Terms terms;
  Duration total;
  collective::Algorithm algorithm = collective::Algorithm::ring;
  collective::Protocol protocol = collective::Protocol::simple;
  int channels = 0;  // that the library uses for this size; 0 = not known
  std::string line;  // the calibrated line that gave the time: "nvlink4.all_reduce.simple"
  Duration host;     // what launching takes on the host; counts where it is longer than the GPU's part
};

// One collective over a group of this shape; with `serving_kernels`, as the profiles' serving engine would do it.
// Error: the group is not connected, or the operation has no form here.
Result<Cost> collective_cost(const collective::Call& call, const fabric::GroupShape& shape,
                             const collective::Profiles& profiles, bool serving_kernels = false);

// The same as the library would do it: by the algorithm, protocol and channels that it chooses for the group.
Result<Cost> collective_cost(const collective::Call& call, const collective::Group& group,
                             const collective::Profiles& profiles, bool serving_kernels = false);

// The calibration set that a line is of: "nvlink3-before-2.20" of "nvlink3-before-2.20.all_reduce.ll".
[[nodiscard]] std::string set_of(const Cost& cost);

// Ids of the calibration sets that price a group of this shape, the library's version first ("nccl-2.27").
[[nodiscard]] std::vector<std::string> sets_for(const fabric::GroupShape& shape, const collective::Profiles& profiles);

// A message from one GPU to another.
Result<Cost> message_cost(Bytes bytes, const fabric::GroupShape& pair, const collective::Profiles& profiles);

Result<Timeline> run(const fabric::Fabric& fabric, const fabric::Conditions& conditions, const Workload& workload,
                     const Options& options);

}  // namespace weft::engine::closed
