// Cached picoseconds per byte against the exact division, over the packet sizes of a run.
#include "weft/units/units.h"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

namespace weft {
namespace {

constexpr std::array<std::int64_t, 8> kSizes{64, 256, 512, 1024, 1500, 4096, 4160, 9000};
const Rate kRate = Rate::gbit_per_s(400);  // a byte takes 20 ps exactly, so both ways agree to the picosecond

std::int64_t expected_total() {
  std::int64_t bytes = 0;
  for (const std::int64_t size : kSizes) bytes += size;
  return bytes * 20;
}

template <class Time>
void run(benchmark::State& state, Time&& time) {
  std::int64_t total = 0;
  for (auto _ : state) {
    total = 0;
    for (std::int64_t size : kSizes) {
      benchmark::DoNotOptimize(size);
      total += time(Bytes(size)).count();
    }
    benchmark::DoNotOptimize(total);
  }
  if (total != expected_total()) state.SkipWithError("the times do not add up");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSizes.size()));
}

void BM_ExactDivision(benchmark::State& state) {
  Rate rate = kRate;
  benchmark::DoNotOptimize(rate);
  run(state, [&rate](Bytes bytes) { return bytes / rate; });
}

void BM_PsPerByte(benchmark::State& state) {
  PsPerByte per_byte(kRate);
  benchmark::DoNotOptimize(per_byte);
  run(state, [&per_byte](Bytes bytes) { return per_byte.time(bytes); });
}

BENCHMARK(BM_ExactDivision);
BENCHMARK(BM_PsPerByte);

}  // namespace
}  // namespace weft
