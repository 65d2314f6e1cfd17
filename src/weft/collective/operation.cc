#include "weft/collective/operation.h"

#include <array>

namespace weft::collective {
namespace {

constexpr std::array<std::string_view, 9> kOperations = {"all_reduce", "all_gather", "reduce_scatter",
                                                         "all_to_all", "broadcast",  "reduce",
                                                         "gather",     "scatter",    "send_recv"};
constexpr std::array<std::string_view, 17> kAlgorithms = {
    "ring",          "tree",         "recursive_doubling", "halving_doubling",
    "binomial",      "bruck",        "pairwise",           "direct",
    "pat",           "nvls",         "nvls_tree",          "collnet_direct",
    "collnet_chain", "hierarchical", "one_shot",           "two_shot",
    "multimem"};
constexpr std::array<std::string_view, 3> kProtocols = {"ll", "ll128", "simple"};

template <class Value, std::size_t N>
std::optional<Value> value_named(const std::array<std::string_view, N>& names, std::string_view text) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return static_cast<Value>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Operation operation) { return kOperations[static_cast<std::size_t>(operation)]; }
std::string_view name_of(Algorithm algorithm) { return kAlgorithms[static_cast<std::size_t>(algorithm)]; }
std::string_view name_of(Protocol protocol) { return kProtocols[static_cast<std::size_t>(protocol)]; }

std::optional<Operation> operation_from(std::string_view text) { return value_named<Operation>(kOperations, text); }
std::optional<Algorithm> algorithm_from(std::string_view text) { return value_named<Algorithm>(kAlgorithms, text); }
std::optional<Protocol> protocol_from(std::string_view text) { return value_named<Protocol>(kProtocols, text); }

double bus_factor(Operation operation, int ranks) {
  const double n = ranks;
  switch (operation) {
    case Operation::all_reduce:
      return 2 * (n - 1) / n;
    case Operation::all_gather:
    case Operation::reduce_scatter:
    case Operation::all_to_all:
    case Operation::gather:
    case Operation::scatter:
      return (n - 1) / n;
    default:
      return 1;
  }
}

}  // namespace weft::collective
