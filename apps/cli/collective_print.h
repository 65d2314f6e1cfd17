// How `weft collective` shows its rows: in nccl-tests' own layout, as JSON (weft/collective/1), as terms, as a plot.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "context.h"
#include "weft/collective/call.h"
#include "weft/engine/closed/closed.h"
#include "weft/fabric/group.h"
#include "weft/intake/measurement.h"

namespace weft::cli {

struct CollectiveRow {
  Bytes size;
  engine::closed::Cost cost;
  double algbw = 0;  // GB/s
  double busbw = 0;
};

// One cluster with one library.
struct CollectiveRun {
  std::string cluster;
  collective::Call call;  // without a size
  collective::Library library;
  collective::Group shape;
  std::vector<std::string> calibration;
  std::vector<std::string> assumed;
  std::vector<CollectiveRow> rows;
};

void print_run(const CollectiveRun& run, Context& context);
void print_terms(const CollectiveRun& run, Context& context);
[[nodiscard]] nlohmann::ordered_json run_json(const CollectiveRun& run);
// Runs as lines, measured tables as dots.
[[nodiscard]] std::string run_plot(std::span<const CollectiveRun> runs, std::span<const intake::Measurement> measured);

}  // namespace weft::cli
