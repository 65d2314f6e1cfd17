#include "weft/collective/promise.h"

#include <algorithm>

#include "weft/collective/places.h"

namespace weft::collective {
namespace {

// The rank that stands `offset` slots before (or, negative, after) this one, server and local index each around.
int moved_rank(const Schedule& schedule, int rank, int offset, int sign) {
  const int g = schedule.group;
  const int m = schedule.servers();
  const int server = (rank / g + (sign > 0 ? offset / g : m - offset / g)) % m;
  const int local = (rank % g + (sign > 0 ? offset % g : g - offset % g)) % g;
  return server * g + local;
}

// Slots by offset; a send/recv has one, for the next rank.
int receiver_of(const Schedule& schedule, int rank, int slot) {
  if (schedule.operation == Operation::send_recv) return (rank + 1) % schedule.ranks;
  return moved_rank(schedule, rank, slot, 1);
}
int giver_to(const Schedule& schedule, int rank, int slot) {
  if (schedule.operation == Operation::send_recv) return (rank + schedule.ranks - 1) % schedule.ranks;
  return moved_rank(schedule, rank, slot, -1);
}

// Numbers of contributors, so that those that are added up early are neighbours. Ranks count from 0 up; but where ranks
// halve, the first to meet stand farthest apart, and a place has the number of its reversed bits. Each place has two
// numbers: one for each rank of a pair, or both for the one that is there.
class Contributors {
 public:
  explicit Contributors(const Schedule& schedule) : ranks_(schedule.ranks), places_(schedule.ranks) {
    halves_ = std::any_of(schedule.phases.begin(), schedule.phases.end(),
                          [](const Phase& phase) { return phase.pattern == Pattern::halving; });
  }
  [[nodiscard]] int count() const { return halves_ ? 2 * places_.power : ranks_; }
  [[nodiscard]] Contributions of(int rank) const {
    if (!halves_) return {rank, rank + 1};
    const bool even = places_.place_of(rank) < 0;
    const int place = even ? rank / 2 : places_.place_of(rank);
    const int number = 2 * reversed(place);
    if (place >= places_.extra) return {number, number + 2};
    return {number + (even ? 0 : 1), number + (even ? 1 : 2)};
  }
  [[nodiscard]] int rank_at(int number) const {
    if (!halves_) return number;
    const int place = reversed(number / 2);
    return places_.begin(place) + (place < places_.extra ? number % 2 : 0);
  }

 private:
  [[nodiscard]] int reversed(int place) const {
    int result = 0;
    for (int bit = 1; bit < places_.power; bit <<= 1) result = result << 1 | ((place & bit) != 0 ? 1 : 0);
    return result;
  }
  int ranks_;
  Places places_;
  bool halves_ = false;
};

// Chunks [begin, end) of a buffer that concern a rank: all of them, or those of its own.
struct Part {
  int begin = 0;
  int end = 0;
};

Part own(int rank) { return {rank, rank + 1}; }
Part all(const Schedule& schedule) { return {0, schedule.chunks}; }

Part held_at_start(const Schedule& schedule, int rank) {
  const bool root = rank == schedule.root;
  switch (schedule.operation) {
    case Operation::all_gather:
    case Operation::gather:
      return own(rank);
    case Operation::broadcast:
    case Operation::scatter:
      return root ? all(schedule) : Part{};
    default:
      return all(schedule);
  }
}

Part promised(const Schedule& schedule, int rank) {
  const bool root = rank == schedule.root;
  switch (schedule.operation) {
    case Operation::reduce_scatter:
    case Operation::scatter:
      return own(rank);
    case Operation::reduce:
    case Operation::gather:
      return root ? all(schedule) : Part{};
    default:
      return all(schedule);
  }
}

std::string fault_in(const Schedule& schedule, int rank, int chunk, const Content& content) {
  const Contributors contributors(schedule);
  Contributions wanted(0, reduces(schedule.operation) ? contributors.count() : 1);
  if (has_slots(schedule.operation)) {
    const int giver = giver_to(schedule, rank, chunk);
    wanted = Contributions(giver, giver + 1);
    if (content.bound_for != rank)
      return "rank " + std::to_string(rank) + " holds a block for rank " + std::to_string(content.bound_for) +
             " in slot " + std::to_string(chunk);
  }
  const Contributions::Difference fault = content.of.difference(wanted, contributors.count());
  if (fault.rank < 0) return "";
  const std::string who = "rank " + std::to_string(rank);
  if (!reduces(schedule.operation) && !has_slots(schedule.operation))
    return who + " holds chunk " + std::to_string(chunk) + " " + std::to_string(fault.count) + " times";
  const std::string where = " the contribution of rank " + std::to_string(contributors.rank_at(fault.rank)) +
                            " in chunk " + std::to_string(chunk);
  if (fault.count == 0) return who + " lacks" + where;
  return who + " holds" + where + " " + std::to_string(fault.count) + " times";
}

}  // namespace

bool reduces(Operation operation) {
  return operation == Operation::all_reduce || operation == Operation::reduce_scatter || operation == Operation::reduce;
}

bool has_slots(Operation operation) { return operation == Operation::all_to_all || operation == Operation::send_recv; }

Holdings start_of(const Schedule& schedule, int rank) {
  Holdings held;
  const Part part = held_at_start(schedule, rank);
  if (!has_slots(schedule.operation)) {
    held.set(part.begin, part.end,
             {reduces(schedule.operation) ? Contributors(schedule).of(rank) : Contributions(0, 1), -1});
    return held;
  }
  for (int slot = part.begin; slot < part.end; ++slot)
    held.set(slot, slot + 1, {Contributions(rank, rank + 1), receiver_of(schedule, rank, slot)});
  return held;
}

std::string broken_promise(const Schedule& schedule, int rank, const Holdings& held) {
  const Part part = promised(schedule, rank);
  std::string fault;
  const bool whole = held.read(part.begin, part.end, [&](int begin, int end, const Content& content) {
    // A run has one content, but slots each want their own.
    const int last = has_slots(schedule.operation) ? end : begin + 1;
    for (int chunk = begin; chunk < last && fault.empty(); ++chunk) fault = fault_in(schedule, rank, chunk, content);
  });
  if (!fault.empty()) return fault;
  return whole ? "" : "rank " + std::to_string(rank) + " lacks a chunk of what it should have";
}

}  // namespace weft::collective
