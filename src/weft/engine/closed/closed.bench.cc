// What one prediction costs: a planner asks for many.
#include "weft/engine/closed/closed.h"

#include <benchmark/benchmark.h>

#include "weft/base/check.h"
#include "weft/fabric/cluster.h"

namespace weft::engine::closed {
namespace {

const collective::Profiles& profiles() {
  static const collective::Profiles loaded = collective::load_profiles(catalog::Calibration::builtin().value()).value();
  return loaded;
}

fabric::Fabric servers(int count) {
  const catalog::Catalog catalog = catalog::Catalog::builtin().value();
  fabric::ClusterSpec spec;
  spec.groups.push_back({"hgx-h100-8", count, 0, "", {}});
  return std::move(fabric::build_cluster(catalog, spec).value().fabric);
}

// All GPUs of so many servers: the group's shape, its channels, the library's table and 31 sizes, as `weft collective`
// asks.
void all_reduce_table(benchmark::State& state) {
  const fabric::Fabric fabric = servers(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    const collective::Group group = collective::group_of(fabric, fabric.gpus(), {}, profiles());
    Duration last;
    for (std::int64_t bytes = 8; bytes <= std::int64_t{8} << 30; bytes *= 2) {
      const Cost cost = collective_cost({collective::Operation::all_reduce, Bytes(bytes)}, group, profiles()).value();
      WEFT_CHECK(cost.total.us() > 0.8 * last.us(),
                 "larger messages take longer, but for where a library switches late");
      last = cost.total;
    }
  }
}
BENCHMARK(all_reduce_table)->Arg(1)->Arg(8)->Arg(512)->Unit(benchmark::kMicrosecond);

void one_prediction(benchmark::State& state) {
  const fabric::Fabric fabric = servers(2);
  const collective::Group group = collective::group_of(fabric, fabric.gpus(), {}, profiles());
  std::int64_t predictions = 0;
  for (auto _ : state) {
    const Cost cost = collective_cost({collective::Operation::all_reduce, Bytes(1 << 20)}, group, profiles()).value();
    WEFT_CHECK(cost.total > Duration::microseconds(20), "two servers are never so near");
    ++predictions;
  }
  state.counters["predictions/s"] = benchmark::Counter(static_cast<double>(predictions), benchmark::Counter::kIsRate);
}
BENCHMARK(one_prediction);

}  // namespace
}  // namespace weft::engine::closed
