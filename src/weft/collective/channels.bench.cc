// Searching channels: a mesh needs backtracking, switches do not, and servers of one part are searched once.
#include "weft/collective/channels.h"

#include <benchmark/benchmark.h>

#include "weft/base/check.h"
#include "weft/fabric/cluster.h"

namespace weft::collective {
namespace {

fabric::Fabric servers(const char* name, int count) {
  const catalog::Catalog catalog = catalog::Catalog::builtin().value();
  fabric::ClusterSpec spec;
  spec.groups.push_back({name, count, 0, "", {}});
  return std::move(fabric::build_cluster(catalog, spec).value().fabric);
}

void search(benchmark::State& state, const char* name, int count, int channels) {
  const fabric::Fabric fabric = servers(name, count);
  const ChannelRules rules = load_channel_rules(catalog::Calibration::builtin().value()).value();
  for (auto _ : state) {
    const Channels found = find_channels(fabric, fabric.gpus(), {}, rules);
    WEFT_CHECK(graph_of(found.graphs, GraphPattern::ring).channels == channels, "as many as libraries print");
  }
}
BENCHMARK_CAPTURE(search, dgx1, "dgx1-v100", 1, 6)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(search, h100, "hgx-h100-8", 1, 12)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(search, h100_512_servers, "hgx-h100-8", 512, 8)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace weft::collective
