// Proving a schedule over 16,384 ranks.
#include "weft/collective/checker.h"

#include <benchmark/benchmark.h>

#include "weft/base/check.h"

namespace weft::collective {
namespace {

void check_16384(benchmark::State& state) {
  const auto operation = static_cast<Operation>(state.range(0));
  const auto algorithm = static_cast<Algorithm>(state.range(1));
  const Schedule schedule = *make_schedule(operation, algorithm, {16'384, 8, 0, 4});
  for (auto _ : state) WEFT_CHECK(check_schedule(schedule).empty(), "the schedule does what it promises");
  state.SetLabel(std::string(name_of(operation)) + " by " + std::string(name_of(algorithm)));
}

void each(benchmark::internal::Benchmark* bench) {
  for (int operation = 0; operation <= static_cast<int>(Operation::send_recv); ++operation) {
    for (const Algorithm algorithm : algorithms_for(static_cast<Operation>(operation)))
      bench->Args({operation, static_cast<int>(algorithm)});
  }
}
BENCHMARK(check_16384)->Apply(each)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft::collective
