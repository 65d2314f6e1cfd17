#include "weft/collective/checker.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weft::collective {
namespace {

// How often each rank's contribution is in one chunk of one rank (a byte a rank; 255 is "too often already").
using Contributions = std::vector<std::uint8_t>;

class State {
 public:
  explicit State(const Schedule& schedule) : schedule_(schedule) {
    const auto ranks = static_cast<std::size_t>(schedule.ranks);
    held_.assign(ranks * static_cast<std::size_t>(schedule.chunks), Contributions(ranks, 0));
    for (int r = 0; r < schedule.ranks; ++r) {
      for (int c = 0; c < schedule.chunks; ++c) {
        // An all-gather starts with each rank's own chunk; a reduction with the whole buffer.
        if (schedule.operation == Operation::all_gather && c != r) continue;
        at(r, c)[static_cast<std::size_t>(r)] = 1;
      }
    }
  }
  Contributions& at(int rank, int chunk) {
    return held_[static_cast<std::size_t>(rank) * static_cast<std::size_t>(schedule_.chunks) +
                 static_cast<std::size_t>(chunk)];
  }

 private:
  const Schedule& schedule_;
  std::vector<Contributions> held_;
};

struct Message {
  Transfer transfer;
  std::vector<Contributions> content;
};

void deliver(State& state, const Message& message) {
  for (int i = 0; i < message.transfer.chunks; ++i) {
    Contributions& own = state.at(message.transfer.to, message.transfer.first_chunk + i);
    const Contributions& received = message.content[static_cast<std::size_t>(i)];
    if (!message.transfer.reduce) {
      own = received;
      continue;
    }
    for (std::size_t r = 0; r < own.size(); ++r)
      own[r] = static_cast<std::uint8_t>(std::min(255, own[r] + received[r]));
  }
}

void run_step(State& state, const Schedule& schedule, const std::vector<Phase>& together, int step) {
  std::vector<Message> messages;
  for (const Phase& phase : together) {
    if (step >= phase.steps) continue;
    visit_step(schedule, phase, step, [&](const Transfer& transfer) {
      Message message{transfer, {}};
      for (int i = 0; i < transfer.chunks; ++i)
        message.content.push_back(state.at(transfer.from, transfer.first_chunk + i));
      messages.push_back(std::move(message));
    });
  }
  for (const Message& message : messages) deliver(state, message);
}

std::string fault_in(const Contributions& held, const Schedule& schedule, int rank, int chunk) {
  for (int r = 0; r < schedule.ranks; ++r) {
    const bool wanted = schedule.operation != Operation::all_gather || r == chunk;
    const int count = held[static_cast<std::size_t>(r)];
    if (count == (wanted ? 1 : 0)) continue;
    const std::string where = " the contribution of rank " + std::to_string(r) + " in chunk " + std::to_string(chunk);
    if (count == 0) return "rank " + std::to_string(rank) + " lacks" + where;
    return "rank " + std::to_string(rank) + " holds" + where + " " + std::to_string(count) + " times";
  }
  return "";
}

}  // namespace

std::string check_schedule(const Schedule& schedule) {
  State state(schedule);
  for (std::size_t p = 0; p < schedule.phases.size();) {
    std::vector<Phase> together = {schedule.phases[p++]};
    while (p < schedule.phases.size() && schedule.phases[p].with_previous) together.push_back(schedule.phases[p++]);
    int steps = 0;
    for (const Phase& phase : together) steps = std::max(steps, phase.steps);
    for (int step = 0; step < steps; ++step) run_step(state, schedule, together, step);
  }
  for (int rank = 0; rank < schedule.ranks; ++rank) {
    for (int chunk = 0; chunk < schedule.chunks; ++chunk) {
      if (schedule.operation == Operation::reduce_scatter && chunk != rank) continue;
      if (std::string fault = fault_in(state.at(rank, chunk), schedule, rank, chunk); !fault.empty()) return fault;
    }
  }
  return "";
}

}  // namespace weft::collective
