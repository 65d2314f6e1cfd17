// What a table costs once for a group, and a choice from it for every call.
#include "weft/collective/tuner.h"

#include <benchmark/benchmark.h>

#include "weft/base/check.h"

namespace weft::collective {
namespace {

// 64 servers of eight H100 behind NVSwitches, a NIC each.
TunerSystem servers(int count) {
  TunerSystem system;
  system.ranks = 8 * count;
  system.servers = count;
  system.nvls = system.nvswitch = true;
  const ChannelGraph channels{16, 20, 20, Reach::nvl, Reach::pix, false};
  const ChannelGraph heads{8, 45, 45, Reach::nvl, Reach::pix, false};
  system.graphs = {channels, channels, channels, channels, heads, heads};
  return system;
}

const Tuner& tuner() {
  static const Tuner loaded = Tuner::of(catalog::Calibration::builtin().value(), *library_from("nccl-2.27")).value();
  return loaded;
}

void make_table(benchmark::State& state) {
  const TunerSystem system = servers(64);
  for (auto _ : state) {
    const TunerTable table(tuner(), system);
    const double us = table.cell(Operation::all_reduce, Algorithm::tree, Protocol::ll).latency_us;
    // 6.8 us, seven NVLinks and six levels of the network up and down.
    WEFT_CHECK(us > 75.1 && us < 75.3, "a tree's latency by hand");
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(make_table);

void choose(benchmark::State& state, Operation operation, Algorithm small, Algorithm large) {
  const TunerTable table(tuner(), servers(static_cast<int>(state.range(0))));
  constexpr std::int64_t kSmall = 1024;
  constexpr std::int64_t kLarge = std::int64_t{1} << 30;
  std::int64_t bytes = kSmall;
  for (auto _ : state) {
    const std::optional<Choice> choice = table.choose({operation, Bytes(bytes)});
    WEFT_CHECK(choice.has_value(), "there is always a way");
    WEFT_CHECK(bytes != kSmall || choice->algorithm == small, "the algorithm for small sizes");
    WEFT_CHECK(bytes != kLarge || choice->algorithm == large, "the algorithm for large sizes");
    bytes = bytes < kLarge ? bytes * 2 : kSmall;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(choose, all_reduce_one, Operation::all_reduce, Algorithm::ring, Algorithm::nvls)->Arg(1);
BENCHMARK_CAPTURE(choose, all_reduce, Operation::all_reduce, Algorithm::tree, Algorithm::nvls_tree)->Arg(2);
BENCHMARK_CAPTURE(choose, all_gather, Operation::all_gather, Algorithm::ring, Algorithm::ring)->Arg(64);

}  // namespace
}  // namespace weft::collective
