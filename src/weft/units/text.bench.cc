// Reading and writing units, as a reader of a large file does it.
#include "weft/units/text.h"

#include <benchmark/benchmark.h>

#include <array>
#include <string>
#include <string_view>

namespace weft {
namespace {

void BM_ParseRate(benchmark::State& state) {
  constexpr std::array<std::string_view, 4> kTexts{"400Gb/s", "900GB/s bidir", "31.508 GB/s", "25000Mb/s"};
  Rate total;
  for (auto _ : state) {
    total = Rate();
    for (std::string_view text : kTexts) {
      benchmark::DoNotOptimize(text);
      total += *parse_rate(text);
    }
    benchmark::DoNotOptimize(total);
  }
  if (total != Rate(400'000'000'000 + 3'600'000'000'000 + 252'064'000'000 + 25'000'000'000)) {
    state.SkipWithError("the rates do not add up");
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kTexts.size()));
}

void BM_Exact(benchmark::State& state) {
  Bytes bytes(80'000'000'000);
  std::string text;
  for (auto _ : state) {
    benchmark::DoNotOptimize(bytes);
    text = exact(bytes);
    benchmark::DoNotOptimize(text);
  }
  if (text != "80GB") state.SkipWithError("80 GB do not print as such");
  state.SetItemsProcessed(state.iterations());
}

BENCHMARK(BM_ParseRate);
BENCHMARK(BM_Exact);

}  // namespace
}  // namespace weft
