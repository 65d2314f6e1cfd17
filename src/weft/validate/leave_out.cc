#include "weft/validate/leave_out.h"

#include <algorithm>
#include <map>
#include <set>

namespace weft::validate {
namespace {

using catalog::Calibration;
using intake::Measurement;

using Tables = std::vector<const Measurement*>;

Tables fitted_tables(std::span<const Measurement> scored, std::span<const Measurement> also) {
  Tables tables;
  for (const auto& list : {scored, also}) {
    for (const Measurement& each : list) {
      if (each.usable()) tables.push_back(&each);
    }
  }
  return tables;
}

bool has(const FitUnit& unit, const std::string& source) {
  return std::any_of(unit.tables.begin(), unit.tables.end(),
                     [&](const Measurement* table) { return table->table.source == source; });
}

// Refits what the source has a part in, without it.
Result<Calibration> refitted_without(const Calibration& everything, const std::vector<FitUnit>& units,
                                     const std::string& source) {
  Calibration calibration = everything;
  std::vector<std::string> fitted;
  for (const FitUnit& unit : units) {
    if (!has(unit, source)) fitted.push_back(unit.name);
  }
  for (const bool again : {false, true}) {
    for (const FitUnit& unit : units) {
      if (!has(unit, source)) continue;
      FitUnit without{unit.name, {}};
      for (const Measurement* table : unit.tables) {
        if (table->table.source != source) without.tables.push_back(table);
      }
      FitOptions options;
      options.from_neutral = !again;
      options.fitted = fitted;
      const Result<FitResult> done = fit_unit(calibration, without, options);
      if (!done) return fail(Error(done.error()));
      if (!without.tables.empty()) fitted.push_back(unit.name);
    }
  }
  return calibration;
}

}  // namespace

Result<LeaveOutResult> leave_out_sources(const Calibration& calibration, std::span<const Measurement> scored,
                                         std::span<const Measurement> also,
                                         const std::function<void(int done, int all)>& progress) {
  const Tables tables = fitted_tables(scored, also);
  Calibration everything = calibration;
  FitOptions neutral;
  neutral.from_neutral = true;
  const Result<std::vector<FitResult>> fitted = fit(everything, tables, neutral);
  if (!fitted) return fail(Error(fitted.error()));

  LeaveOutResult result;
  result.with = score_all(everything, scored);
  std::vector<FitUnit> units = fit_units(everything, tables);
  std::stable_partition(units.begin(), units.end(), [](const FitUnit& unit) { return unit.name != "launch"; });
  std::map<std::string, std::vector<std::size_t>> by_source;
  for (std::size_t i = 0; i < scored.size(); ++i) by_source[scored[i].table.source].push_back(i);
  result.without = result.with;
  result.sources = static_cast<int>(by_source.size());
  int done = 0;
  for (const auto& [source, files] : by_source) {
    const bool fitted_on =
        std::any_of(units.begin(), units.end(), [&](const FitUnit& unit) { return has(unit, source); });
    if (fitted_on) {
      Result<Calibration> without = refitted_without(everything, units, source);
      if (!without) return fail(std::move(without.error()));
      Predictor predictor(*without);
      for (const std::size_t file : files) result.without[file] = score_file(predictor, scored[file]);
    }
    if (progress) progress(++done, result.sources);
  }
  return result;
}

}  // namespace weft::validate
