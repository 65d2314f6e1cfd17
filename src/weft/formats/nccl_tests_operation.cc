#include "weft/formats/nccl_tests_operation.h"

#include <array>
#include <cmath>

namespace weft::formats {
namespace {

using collective::Operation;

constexpr double kTells = 0.3;  // GB/s: below, two decimals say little
constexpr double kNear = 0.025;

struct Test {
  std::string_view name;
  Operation operation;
};
constexpr auto kTests = std::to_array<Test>({{"all_reduce", Operation::all_reduce},
                                             {"all_gather", Operation::all_gather},
                                             {"reduce_scatter", Operation::reduce_scatter},
                                             {"alltoall", Operation::all_to_all},
                                             {"broadcast", Operation::broadcast},
                                             {"reduce", Operation::reduce},
                                             {"gather", Operation::gather},
                                             {"scatter", Operation::scatter},
                                             {"sendrecv", Operation::send_recv}});

bool near(double a, double b) { return std::abs(a - b) <= kNear * b; }

bool reduces(Operation operation) {
  return operation == Operation::all_reduce || operation == Operation::reduce || operation == Operation::reduce_scatter;
}

// How many rows have busbw = factor x algbw, of those that tell.
struct Votes {
  std::size_t for_it = 0;
  std::size_t of = 0;
  [[nodiscard]] bool most() const { return of > 0 && 2 * for_it > of; }
};

Votes votes_for(double factor, const RowBook& rows) {
  Votes votes;
  for (const RowFigures& row : rows.figures()) {
    if (!row.algbw || !row.busbw || *row.algbw < kTells || *row.busbw < kTells) continue;
    ++votes.of;
    if (near(*row.busbw, factor * *row.algbw)) ++votes.for_it;
  }
  return votes;
}

// Only all-reduce's bus factor is above one.
bool bus_exceeds(const RowBook& rows) {
  Votes votes;
  for (const RowFigures& row : rows.figures()) {
    if (!row.algbw || !row.busbw || *row.algbw < kTells) continue;
    ++votes.of;
    if (*row.busbw > (1 + kNear) * *row.algbw) ++votes.for_it;
  }
  return votes.most();
}

bool reduction(const RowKind& kind) { return !kind.redop.empty() && kind.redop != "none"; }

}  // namespace

std::optional<Operation> operation_of_test(std::string_view test) {
  for (const Test& each : kTests) {
    if (each.name == test) return each.operation;
  }
  return std::nullopt;
}

std::optional<Operation> operation_of_rows(const RowBook& rows, const RowKind& kind) {
  if (kind.root && *kind.root >= 0) return reduction(kind) ? Operation::reduce : Operation::broadcast;
  if (!reduction(kind)) return std::nullopt;
  if (kind.ranks == 0 && bus_exceeds(rows)) return Operation::all_reduce;
  if (kind.ranks < 2) return std::nullopt;
  // send_recv prints a reduction, too: its busbw is its algbw, which between two ranks is also all-reduce's.
  if (kind.ranks > 2 && votes_for(collective::bus_factor(Operation::all_reduce, kind.ranks), rows).most())
    return Operation::all_reduce;
  if (votes_for(collective::bus_factor(Operation::reduce_scatter, kind.ranks), rows).most())
    return Operation::reduce_scatter;
  return std::nullopt;
}

bool may_be(Operation operation, const RowBook& rows, const RowKind& kind) {
  if (reduces(operation) && kind.redop == "none") return false;
  if (!reduces(operation) && operation != Operation::send_recv && reduction(kind)) return false;
  if (kind.ranks < 2) return true;
  const Votes votes = votes_for(collective::bus_factor(operation, kind.ranks), rows);
  return votes.of == 0 || votes.most() || prints_old_algbw(operation, rows, kind.ranks);
}

bool prints_old_algbw(Operation operation, const RowBook& rows, int ranks) {
  if ((operation != Operation::all_gather && operation != Operation::reduce_scatter) || ranks < 2) return false;
  const double factor = collective::bus_factor(operation, ranks);
  Votes old;
  for (const RowFigures& row : rows.figures()) {
    if (!row.algbw || !row.time_us || *row.algbw < kTells || *row.time_us <= 0) continue;
    ++old.of;
    if (near(*row.algbw, factor * row.size / (*row.time_us * 1e3))) ++old.for_it;
  }
  return old.most();
}

}  // namespace weft::formats
