// Start-up: what a command pays before it computes.
#include "weft/catalog/catalog.h"

#include <benchmark/benchmark.h>

#include "weft/base/check.h"

namespace weft::catalog {
namespace {

// The parts that a plan for one server looks up.
void one_servers_parts(benchmark::State& state) {
  for (auto _ : state) {
    const Catalog catalog = Catalog::builtin().value();
    const ServerPart server = catalog.server("hgx-h100-8").value();
    const GpuPart gpu = catalog.gpu(server.gpu).value();
    const NicPart nic = catalog.nic(server.nic).value();
    const CpuPart cpu = catalog.cpu(server.cpu).value();
    WEFT_CHECK(catalog.link(gpu.gpu_link)->line == Rate::gbyte_per_s(25), "NVLink 4");
    WEFT_CHECK(catalog.link(nic.network_link)->line == Rate::gbit_per_s(400), "NDR");
    WEFT_CHECK(catalog.network_switch(server.network_switch)->ports == 64, "QM9700");
    benchmark::DoNotOptimize(cpu);
  }
}
BENCHMARK(one_servers_parts)->Unit(benchmark::kMillisecond);

void all_parts(benchmark::State& state) {
  std::size_t parts = 0;
  for (auto _ : state) {
    parts = Catalog::builtin()->parts().size();
    WEFT_CHECK(parts > 200, "the whole catalog");
  }
  state.counters["parts/s"] =
      benchmark::Counter(static_cast<double>(parts * state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(all_parts)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace weft::catalog
