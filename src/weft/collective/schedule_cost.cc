#include "weft/collective/schedule_cost.h"

#include <algorithm>
#include <cstdint>

namespace weft::collective {
namespace {

// Chunks by rank: of one step, and of all.
class Tally {
 public:
  explicit Tally(int ranks) : step_(static_cast<std::size_t>(ranks), 0), all_(static_cast<std::size_t>(ranks), 0) {}
  void add(int rank, int chunks) {
    const auto at = static_cast<std::size_t>(rank);
    if (at >= step_.size()) return;  // a switch
    if (step_[at] == 0) touched_.push_back(at);
    step_[at] += chunks;
  }
  std::int64_t end_step() {
    std::int64_t most = 0;
    for (const std::size_t at : touched_) {
      most = std::max(most, step_[at]);
      all_[at] += step_[at];
      step_[at] = 0;
    }
    touched_.clear();
    return most;
  }
  [[nodiscard]] std::int64_t most() const { return *std::max_element(all_.begin(), all_.end()); }

 private:
  std::vector<std::int64_t> step_;
  std::vector<std::int64_t> all_;
  std::vector<std::size_t> touched_;
};

}  // namespace

ScheduleCost cost_of(const Schedule& schedule) {
  const bool one_for_all = schedule.symmetric();
  Tally sent(one_for_all ? 1 : schedule.ranks);
  Tally received(one_for_all ? 1 : schedule.ranks);
  ScheduleCost cost;
  std::int64_t path = 0;
  std::vector<Transfer> transfers;
  for (const Phase& phase : schedule.phases) {
    cost.steps += phase.steps;
    for (int step = 0; step < phase.steps; ++step) {
      transfers.clear();
      if (one_for_all)
        transfers_from(schedule, phase, step, 0, transfers);
      else
        transfers_of_step(schedule, phase, step, transfers);
      for (const Transfer& transfer : transfers) {
        sent.add(transfer.from, transfer.what.chunks());
        received.add(one_for_all ? 0 : transfer.to, transfer.what.chunks());
      }
      const std::int64_t longest_sent = sent.end_step();
      path += std::max(longest_sent, received.end_step());
    }
  }
  // Chunks of a send/recv, a broadcast and the like are S; so are the n chunks of what nccl-tests counts in total.
  cost.sent_share = static_cast<double>(sent.most()) / schedule.chunks;
  cost.received_share = static_cast<double>(received.most()) / schedule.chunks;
  cost.path_share = static_cast<double>(path) / schedule.chunks;
  return cost;
}

}  // namespace weft::collective
