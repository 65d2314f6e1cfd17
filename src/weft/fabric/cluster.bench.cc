// Building a fabric of 100,000 GPUs: at most 5 s and 4 GiB asked for.
#include "weft/fabric/cluster.h"

#include <benchmark/benchmark.h>

#include "weft/base/check.h"
#include "weft/fabric/group.h"

namespace weft::fabric {
namespace {

const catalog::Catalog& parts() {
  static const catalog::Catalog catalog = *catalog::Catalog::builtin();
  return catalog;
}

Cluster build(int servers) {
  ClusterSpec spec;
  spec.groups.push_back({"hgx-h100-8", servers, 0, "", {}});
  return *build_cluster(parts(), spec);
}

void build_cluster_of(benchmark::State& state) {
  const auto servers = static_cast<int>(state.range(0));
  std::size_t bytes = 0;
  for (auto _ : state) {
    const Cluster cluster = build(servers);
    WEFT_CHECK(cluster.fabric.gpus().size() == static_cast<std::size_t>(servers) * 8, "eight GPUs a server");
    WEFT_CHECK(cluster.fabric.leaf_of(cluster.fabric.nics().back()).valid(), "every NIC is cabled");
    bytes = cluster.fabric.memory_bytes();
  }
  state.counters["gpus/s"] = benchmark::Counter(servers * 8.0, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["MiB"] = static_cast<double>(bytes) / (1 << 20);
}
BENCHMARK(build_cluster_of)->Arg(16)->Arg(500)->Arg(12'500)->Unit(benchmark::kMillisecond);

void shapes_of_pairs(benchmark::State& state) {
  const Cluster cluster = build(500);
  const auto gpus = cluster.fabric.gpus();
  for (auto _ : state) {
    GroupShapes shapes(cluster.fabric, cluster.conditions);
    int across = 0;
    for (std::size_t i = 0; i + 8 < gpus.size(); ++i) {
      const std::vector<DeviceId> pair = {gpus[i], gpus[i + 8]};
      across += shapes.of(pair).servers == 2 ? 1 : 0;
    }
    WEFT_CHECK(across == 3992, "eight ranks further is the next server");
  }
  state.counters["groups/s"] = benchmark::Counter(3992.0, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(shapes_of_pairs)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft::fabric
