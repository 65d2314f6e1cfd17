// Collective operations, the algorithms that do them, and the protocols that carry a library's messages.
//
// Sizes follow nccl-tests: S is the whole buffer of an all-reduce or broadcast, and the total over all ranks for
// all-gather, reduce-scatter and all-to-all. busbw = algbw x bus_factor(op, n) (nccl-tests PERFORMANCE.md).
#pragma once

#include <optional>
#include <string_view>

namespace weft::collective {

enum class Operation {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  gather,
  scatter,
  send_recv
};
enum class Algorithm {
  ring,
  tree,  // double binary
  recursive_doubling,
  halving_doubling,
  binomial,
  bruck,
  pairwise,  // one peer a step
  direct,    // all peers at once
  pat,       // parallel aggregated trees
  nvls,      // reduction inside the NVSwitches
  nvls_tree,
  collnet_direct,  // SHARP, a head per NIC
  collnet_chain,   // SHARP behind a chain in the server
  hierarchical,    // inside a server, then across by rail, then inside
  one_shot,
  two_shot,
  multimem  // one-shot or two-shot through the NVSwitches' multicast
};
enum class Protocol { ll, ll128, simple };

[[nodiscard]] std::string_view name_of(Operation operation);  // "all_reduce"
[[nodiscard]] std::string_view name_of(Algorithm algorithm);
[[nodiscard]] std::string_view name_of(Protocol protocol);
[[nodiscard]] std::optional<Operation> operation_from(std::string_view text);
[[nodiscard]] std::optional<Algorithm> algorithm_from(std::string_view text);
[[nodiscard]] std::optional<Protocol> protocol_from(std::string_view text);

// 2(n-1)/n for all-reduce; (n-1)/n for all-gather, reduce-scatter, all-to-all, gather, scatter; 1 otherwise.
[[nodiscard]] double bus_factor(Operation operation, int ranks);

}  // namespace weft::collective
