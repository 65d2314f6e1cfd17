// A collective over GPUs of several servers: the lines of collective/network_profile.h over what the servers' NICs
// give.
//
//   all-reduce                the least of tree and ring; with two servers a tree of NCCL sends every byte once, so
//                             that busbw reaches 2(n-1)/n of the NICs, up to what the inside of the servers lets
//                             through
//   all-gather, reduce-scatter, broadcast, reduce    ring
//   all-to-all, gather, scatter                      what leaves a server over what its ranks have of the NICs
//   send/recv                                        one message a rank
//
// Without GPUDirect RDMA every byte crosses host memory: the NICs give at most the bounce rate a GPU, and each hop
// costs more.
#pragma once

#include <optional>

#include "weft/engine/closed/estimate.h"

namespace weft::engine::closed {

[[nodiscard]] std::optional<Estimate> between_estimate(const collective::Call& call, const fabric::GroupShape& shape,
                                                       const collective::Profiles& profiles);

}  // namespace weft::engine::closed
