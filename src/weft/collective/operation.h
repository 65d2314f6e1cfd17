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
enum class Algorithm { ring, tree, recursive_doubling, halving_doubling, pairwise, one_shot, two_shot, nvls };
enum class Protocol { ll, ll128, simple };

[[nodiscard]] std::string_view name_of(Operation operation);  // "all_reduce"
[[nodiscard]] std::string_view name_of(Algorithm algorithm);
[[nodiscard]] std::string_view name_of(Protocol protocol);
[[nodiscard]] std::optional<Operation> operation_from(std::string_view text);

// 2(n-1)/n for all-reduce; (n-1)/n for all-gather, reduce-scatter, all-to-all, gather, scatter; 1 otherwise.
[[nodiscard]] double bus_factor(Operation operation, int ranks);

}  // namespace weft::collective
