// A plan for one server, and for 500: at most 1 s asked for.
#include "weft/plan/plan.h"

#include <benchmark/benchmark.h>

#include "weft/base/check.h"

namespace weft::plan {
namespace {

void plan_on_servers(benchmark::State& state) {
  const catalog::Catalog catalog = *catalog::Catalog::builtin();
  const catalog::Calibration calibration = *catalog::Calibration::builtin();
  fabric::ClusterSpec spec;
  spec.groups.push_back({"hgx-h100-8", static_cast<int>(state.range(0)), 0, "", {}});
  const fabric::Cluster cluster = *fabric::build_cluster(catalog, spec);
  PlanRequest request;
  request.model = *catalog.model("llama-3.1-70b");
  std::size_t candidates = 0;
  for (auto _ : state) {
    const Plan plan = *make_plan(catalog, calibration, cluster, request);
    WEFT_CHECK(plan.candidates.front().fits && plan.candidates.front().spread.parallelism.tp > 1,
               "a 70B model fits with tensor parallelism");
    candidates += plan.candidates.size();
  }
  state.counters["plans/s"] = benchmark::Counter(static_cast<double>(candidates), benchmark::Counter::kIsRate);
}
BENCHMARK(plan_on_servers)->Arg(1)->Arg(2)->Arg(500)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft::plan
