#include "weft/plan/prices.h"

namespace weft::plan {
namespace {

collective::Operation operation_of(llm::Collective collective) {
  switch (collective) {
    case llm::Collective::all_reduce:
      return collective::Operation::all_reduce;
    case llm::Collective::all_gather:
      return collective::Operation::all_gather;
    case llm::Collective::reduce_scatter:
      return collective::Operation::reduce_scatter;
    case llm::Collective::all_to_all:
      return collective::Operation::all_to_all;
    case llm::Collective::send_recv:
      return collective::Operation::send_recv;
  }
  return collective::Operation::all_reduce;
}

// Sizes below 2^44 (16 TiB), sets below 2^16.
std::uint64_t key_of(const llm::Exchange& exchange, const GroupSet& groups) {
  return static_cast<std::uint64_t>(groups.id) << 48U | static_cast<std::uint64_t>(exchange.collective) << 44U |
         static_cast<std::uint64_t>(exchange.bytes.count());
}

}  // namespace

Result<engine::closed::Cost> Prices::cost(const llm::Exchange& exchange, const collective::Group& group) const {
  if (exchange.collective == llm::Collective::send_recv)
    return engine::closed::message_cost(exchange.bytes, group, profiles_);
  return engine::closed::collective_cost({operation_of(exchange.collective), exchange.bytes}, group, profiles_, true);
}

Result<Price> Prices::of(const llm::Exchange& exchange, const GroupSet& groups) {
  const std::uint64_t key = key_of(exchange, groups);
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  Price worst;
  for (const collective::Group& group : groups.shapes) {
    const Result<engine::closed::Cost> one = cost(exchange, group);
    if (!one) return fail(Error(one.error()));
    if (worst.group != nullptr && one->total.seconds() <= worst.seconds) continue;
    worst = {one->total.seconds(), &group, one->algorithm};
  }
  known_.emplace(key, worst);
  return worst;
}

}  // namespace weft::plan
