#include "weft/validate/overlay.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "weft/validate/minimise.h"
#include "weft/validate/score.h"
#include "weft/validate/write_set.h"

namespace weft::validate {
namespace {

using catalog::Calibration;
using catalog::CalibrationSet;
using intake::Measurement;

constexpr double kPull = 0.05;      // towards one, for each squared unit of a factor's logarithm
constexpr double kNoChange = 0.01;  // a factor this near to one is left out
constexpr double kLeast = 0.1;
constexpr double kMost = 10;

struct Factor {
  std::string set;
  std::string key;
};

// The sets whose factors these tables can say something about.
std::vector<Factor> factors_of(std::span<const Measurement> measurements, Predictor& predictor) {
  std::set<std::pair<std::string, std::string>> found;
  for (const Measurement& measurement : measurements) {
    if (!measurement.usable()) continue;
    for (const formats::MeasuredRow& row : measurement.table.rows) {
      const Result<engine::closed::Cost> cost = predictor.predict(measurement, row.size);
      if (!cost) continue;
      const std::string set = engine::closed::set_of(*cost);
      found.emplace(set, "scale.latency");
      found.emplace(set, "scale.rate");
    }
    if (measurement.table.launch == collective::LaunchMode::single_process) found.emplace("launch", "scale.latency");
  }
  std::vector<Factor> factors;
  for (const auto& [set, key] : found) factors.push_back({set, key});
  return factors;
}

double median_error(const Calibration& calibration, std::span<const Measurement> measurements, int& rows) {
  std::vector<double> errors;
  for (const FileScore& score : score_all(calibration, measurements)) {
    for (const RowScore& row : score.rows) errors.push_back(std::abs(row.error));
  }
  rows = static_cast<int>(errors.size());
  return quantile(errors, 0.5).value_or(0);
}

double loss(const Calibration& calibration, std::span<const Measurement> measurements, const std::vector<Bounded>& at) {
  double sum = 0;
  int files = 0;
  for (const FileScore& score : score_all(calibration, measurements)) {
    if (score.rows.empty()) continue;
    double of_file = 0;
    for (const RowScore& row : score.rows) of_file += misfit(std::log1p(std::max(row.error, -0.999)));
    sum += of_file / static_cast<double>(score.rows.size());
    ++files;
  }
  sum /= std::max(1, files);
  for (const Bounded& factor : at) sum += kPull * std::log(factor.value) * std::log(factor.value);
  return sum;
}

void put(Calibration& calibration, const std::vector<Factor>& factors, const std::vector<Bounded>& at) {
  for (std::size_t i = 0; i < factors.size(); ++i)
    calibration.find(factors[i].set)->values[factors[i].key] = at[i].value;
}

}  // namespace

Result<Overlay> fit_overlay(const Calibration& calibration, std::span<const Measurement> measurements) {
  Overlay overlay;
  Calibration trial = calibration;
  std::vector<Factor> factors;
  {
    Predictor predictor(calibration);
    factors = factors_of(measurements, predictor);
  }
  std::erase_if(factors, [&](const Factor& factor) { return trial.find(factor.set) == nullptr; });
  overlay.median_before = median_error(calibration, measurements, overlay.rows);
  if (factors.empty() || overlay.rows == 0) {
    return fail(input_error("WEFT-VAL-0001", "none of these logs can be predicted, so nothing can be fitted to them")
                    .with_hint("weft validate says of each why"));
  }
  std::vector<Bounded> at;
  for (const Factor& factor : factors) at.push_back({trial.find(factor.set)->number_or(factor.key, 1), kLeast, kMost});
  const std::vector<Bounded> start = at;
  minimise(at, [&](const std::vector<Bounded>& point) {
    put(trial, factors, point);
    return loss(trial, measurements, point);
  });
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double after = at[i].value;
    if (std::abs(std::log(after / start[i].value)) < kNoChange) continue;
    overlay.changes.push_back({factors[i].set, factors[i].key, start[i].value, after});
    auto set = std::find_if(overlay.sets.begin(), overlay.sets.end(),
                            [&](const CalibrationSet& each) { return each.id == factors[i].set; });
    if (set == overlay.sets.end()) {
      CalibrationSet fresh;
      fresh.id = factors[i].set;
      fresh.basis = "fitted";
      set = overlay.sets.insert(overlay.sets.end(), std::move(fresh));
    }
    set->values[factors[i].key] = after;
  }
  for (const Measurement& measurement : measurements) {
    if (measurement.usable()) overlay.files.emplace_back(formats::base_name(measurement.table));
  }
  for (CalibrationSet& set : overlay.sets) set.fitted_on = overlay.files;
  int rows = 0;
  overlay.median_after = median_error(laid_over(calibration, overlay), measurements, rows);
  if (overlay.median_after >= overlay.median_before) {
    overlay.sets.clear();
    overlay.changes.clear();
    overlay.median_after = overlay.median_before;
  }
  return overlay;
}

std::string to_toml(const Overlay& overlay) {
  std::string out = "# Factors on weft's calibration, fitted to measured collectives. Use: --calibration THIS-FILE\n";
  if (overlay.sets.empty()) return out + "# The logs agree with it as it is.\nset = []\n";
  for (const CalibrationSet& set : overlay.sets) out += "\n" + to_toml(set, SetForm::list);
  return out;
}

Calibration laid_over(Calibration calibration, const Overlay& overlay) {
  for (const CalibrationSet& over : overlay.sets) {
    CalibrationSet* set = calibration.find(over.id);
    if (set == nullptr) continue;
    for (const auto& [key, value] : over.values) set->values[key] = value;
    for (const std::string& file : over.fitted_on) set->fitted_on.push_back(file);
  }
  return calibration;
}

}  // namespace weft::validate
