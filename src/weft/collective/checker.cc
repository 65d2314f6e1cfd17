#include "weft/collective/checker.h"

#include <vector>

#include "weft/collective/holdings.h"
#include "weft/collective/promise.h"

namespace weft::collective {
namespace {

struct Delivery {
  int to;
  int begin;
  int end;
  Content content;
  bool reduce;
};

std::string missing(int rank) { return "rank " + std::to_string(rank) + " sends a chunk that it does not have"; }
std::string bad_sum(int rank, int chunk, Holdings::Sum sum) {
  const std::string what = sum == Holdings::Sum::mixed ? "blocks that are for different ranks" : "a contribution twice";
  return "rank " + std::to_string(rank) + " adds " + what + " in chunk " + std::to_string(chunk);
}

std::string deliver(const Delivery& delivery, Holdings& held, int rank) {
  if (!delivery.reduce) {
    held.set(delivery.begin, delivery.end, delivery.content);
    return "";
  }
  const Holdings::Sum sum = held.add(delivery.begin, delivery.end, delivery.content);
  return sum == Holdings::Sum::good ? "" : bad_sum(rank, delivery.begin, sum);
}

// Everyone's part, step by step.
class Everyone {
 public:
  explicit Everyone(const Schedule& schedule) : schedule_(schedule) {
    for (int rank = 0; rank < schedule.ranks; ++rank) held_.push_back(start_of(schedule, rank));
    held_.resize(static_cast<std::size_t>(schedule.nodes()));
  }
  std::string step(const Phase& phase, int step) {
    transfers_.clear();
    deliveries_.clear();
    transfers_of_step(schedule_, phase, step, transfers_);
    for (const Transfer& transfer : transfers_) {
      if (!read(transfer)) return missing(transfer.from);
    }
    // A switch keeps nothing: what it has reduced or multicast is gone once it is sent.
    if (phase.pattern == Pattern::from_switch) {
      for (int node = schedule_.ranks; node < schedule_.nodes(); ++node) of(node) = {};
    }
    for (const Delivery& delivery : deliveries_) {
      if (std::string fault = deliver(delivery, of(delivery.to), delivery.to); !fault.empty()) return fault;
    }
    return "";
  }
  std::string broken() {
    for (int rank = 0; rank < schedule_.ranks; ++rank) {
      if (std::string fault = broken_promise(schedule_, rank, of(rank)); !fault.empty()) return fault;
    }
    return "";
  }

 private:
  Holdings& of(int node) { return held_[static_cast<std::size_t>(node)]; }
  bool read(const Transfer& transfer) {
    bool whole = true;
    for_each_run(transfer.what, schedule_.chunks, [&](int begin, int end) {
      whole = of(transfer.from).read(begin, end, [&](int from, int to, const Content& content) {
        deliveries_.push_back({transfer.to, from, to, content, transfer.reduce});
      }) && whole;
    });
    return whole;
  }

  const Schedule& schedule_;
  std::vector<Holdings> held_;
  std::vector<Transfer> transfers_;
  std::vector<Delivery> deliveries_;
};

// Rank 0 for all: what it sends to rank p, the rank p places back sends to it, seen from there.
class OneForAll {
 public:
  explicit OneForAll(const Schedule& schedule) : schedule_(schedule), held_(start_of(schedule, 0)) {}
  std::string step(const Phase& phase, int step) {
    transfers_.clear();
    deliveries_.clear();
    transfers_from(schedule_, phase, step, 0, transfers_);
    for (const Transfer& transfer : transfers_) {
      if (!read(transfer)) return missing(0);
    }
    for (const Delivery& delivery : deliveries_) {
      if (std::string fault = deliver(delivery, held_, 0); !fault.empty()) return fault;
    }
    return "";
  }
  std::string broken() { return broken_promise(schedule_, 0, held_); }

 private:
  [[nodiscard]] int moved(int rank, int servers, int locals) const {
    const int g = schedule_.group;
    return (rank / g + servers) % schedule_.servers() * g + (rank % g + locals) % g;
  }
  bool read(const Transfer& transfer) {
    const int g = schedule_.group;
    const int servers = (schedule_.servers() - transfer.to / g) % schedule_.servers();
    const int locals = (g - transfer.to % g) % g;
    // Chunks that have owners are seen from the sender too; slots and a whole buffer are the same for everyone.
    const bool owned = !has_slots(schedule_.operation) && schedule_.chunks == schedule_.ranks;
    bool whole = true;
    for_each_run(transfer.what, schedule_.chunks, [&](int begin, int end) {
      whole = held_.read(begin, end, [&](int from, int to, const Content& content) {
        Content seen = content;
        if (reduces(schedule_.operation) || has_slots(schedule_.operation))
          seen.of = content.of.moved(servers, locals, schedule_.servers(), g);
        if (seen.bound_for >= 0) seen.bound_for = moved(seen.bound_for, servers, locals);
        if (!owned) {
          deliveries_.push_back({0, from, to, seen, transfer.reduce});
          return;
        }
        for (int chunk = from; chunk < to; ++chunk) {
          const int there = moved(chunk, servers, locals);
          deliveries_.push_back({0, there, there + 1, seen, transfer.reduce});
        }
      }) && whole;
    });
    return whole;
  }

  const Schedule& schedule_;
  Holdings held_;
  std::vector<Transfer> transfers_;
  std::vector<Delivery> deliveries_;
};

template <class Run>
std::string run_through(const Schedule& schedule) {
  Run run(schedule);
  for (const Phase& phase : schedule.phases) {
    for (int step = 0; step < phase.steps; ++step) {
      if (std::string fault = run.step(phase, step); !fault.empty()) return fault;
    }
  }
  return run.broken();
}

}  // namespace

std::string check_schedule(const Schedule& schedule) {
  return schedule.symmetric() ? run_through<OneForAll>(schedule) : run_through<Everyone>(schedule);
}

std::string check_every_rank(const Schedule& schedule) { return run_through<Everyone>(schedule); }

}  // namespace weft::collective
