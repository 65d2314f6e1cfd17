// The closed-form engine.
//
// One collective costs base + hops x hop latency + F S / B, the least over what the library can choose (ring or tree
// with LL, LL128, Simple; NVLS in an NVSwitch domain; one-shot and two-shot kernels when the workload asks for them):
//
//   ring all-reduce      hops 2(n-1), of which 2(m-1) cross servers;  F = 2(n-1)/n      (m servers)
//   tree all-reduce      hops 2[(g-1) inside + floor(log2 m) between]; F = 2            (g ranks a server; NCCL
//   tuning.cc) all-gather, reduce-scatter by ring: half of the ring's NVLS                 one hop; S sent once and
//   received once all-to-all           one exchange: (n-1)/n S over what a rank has, the network part over its share of
//   the NICs
//
// Inside, B is the slowest neighbour link's goodput x the calibrated share; between servers what all the group's
// NICs on a server give together, halved of nothing by a ring, doubled for two servers by a tree, divided by the
// oversubscription when the group leaves its leaves. Two groups that run at once on the same links are NotApplicable.
#pragma once

#include "weft/engine/engine.h"
#include "weft/fabric/group.h"

namespace weft::engine::closed {

struct Cost {
  Terms terms;
  Duration total;
  collective::Algorithm algorithm = collective::Algorithm::ring;
  collective::Protocol protocol = collective::Protocol::simple;
  int channels = 0;  // as the library would use for this size; 0 = not known
  std::string line;  // the calibrated line that gave the time: "nvlink4.all_reduce.simple"
  Duration host;     // what launching takes on the host; counts where it is longer than the GPU's part
};

// One collective over a group of this shape. Error: the group is not connected, or the operation has no form here.
Result<Cost> collective_cost(const collective::Call& call, const fabric::GroupShape& shape,
                             const collective::Profiles& profiles, bool serving_kernels = false);

// A message from one GPU to another.
Result<Cost> message_cost(Bytes bytes, const fabric::GroupShape& pair, const collective::Profiles& profiles);

Result<Timeline> run(const fabric::Fabric& fabric, const fabric::Conditions& conditions, const Workload& workload,
                     const Options& options);

}  // namespace weft::engine::closed
