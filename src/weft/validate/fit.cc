#include "weft/validate/fit.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "weft/engine/closed/closed.h"
#include "weft/validate/minimise.h"
#include "weft/validate/neutral.h"
#include "weft/validate/score.h"

namespace weft::validate {
namespace {

using catalog::Calibration;
using catalog::CalibrationSet;
using collective::Profiles;
using intake::Measurement;

constexpr double kGoodFit = 0.04;       // of log(predicted / measured)
constexpr double kMostOfOneSource = 6;  // files
constexpr double kPull = 2e-4;          // towards the start, for each squared unit of a parameter's logarithm

struct Row {
  const Measurement* measurement = nullptr;
  std::size_t profiles = 0;  // which library's
  double bytes = 0;
  double log_measured = 0;
  double weight = 0;
};

// "nvlink4.all_reduce.ll" -> "nvlink4.all_reduce"; set ids may hold dots ("nvlink3-before-2.20").
std::string unit_of(const Measurement& measurement, const engine::closed::Cost& cost) {
  if (measurement.shape.servers > 1) return "between";
  const std::size_t stage = cost.line.rfind('.');
  return cost.line.substr(0, stage);
}

// Files of one source together weigh no more than a few.
std::map<std::string, double> source_weights(std::span<const Measurement* const> tables) {
  std::map<std::string, double> count;
  for (const Measurement* table : tables) count[table->table.source] += 1;
  for (auto& [source, files] : count) files = std::min(1.0, kMostOfOneSource / files);
  return count;
}

class Fitting {
 public:
  Fitting(Calibration& calibration, const FitUnit& unit) : calibration_(calibration), unit_(unit) {}

  Result<FitResult> run(const FitOptions& options) {
    choose_parameters(options);
    if (Result<void> ready = load_rows(); !ready) return fail(std::move(ready.error()));
    FitResult result{unit_.name, static_cast<int>(unit_.tables.size()), static_cast<int>(rows_.size()), 0, 0, 0};
    if (rows_.empty() || parameters_.empty()) return result;
    result.loss_before = loss(parameters_);
    start_ = parameters_;
    minimise(parameters_, [this](const std::vector<Bounded>& at) { return loss(at); });
    result.loss = loss(parameters_);
    result.median = quantile(errors_, 0.5).value_or(0);
    return result;
  }

 private:
  struct Key {
    CalibrationSet* set;
    std::string key;
  };

  void choose_parameters(const FitOptions& options) {
    for (const CalibrationSet& each : calibration_.sets()) {
      const std::string prefix = prefix_in(each);
      if (prefix == "-") continue;
      CalibrationSet* set = calibration_.find(each.id);
      for (auto& [key, value] : set->values) {
        if (!key.starts_with(prefix)) continue;
        std::optional<Bounded> bounds = neutral(set->id, key);
        if (!bounds) continue;
        if (!options.from_neutral) bounds->value = std::clamp(value, bounds->least, bounds->most);
        value = bounds->value;
        keys_.push_back({set, key});
        parameters_.push_back(*bounds);
      }
    }
  }

  // Which numbers of a set belong to this unit: those that begin with the answer; "-" = none.
  std::string prefix_in(const CalibrationSet& set) const {
    if (unit_.name == "between") return set.id == "between" || set.has("ring_hop_us") ? "" : "-";
    if (unit_.name == "launch") return set.id == "launch" ? "" : "-";
    if (!unit_.name.starts_with(set.id + ".")) return "-";
    return unit_.name.substr(set.id.size() + 1) + ".";
  }

  Result<void> load_rows() {
    std::map<collective::Library, std::size_t> known;
    std::map<std::string, double> weights = source_weights(unit_.tables);
    double total = 0;
    for (const Measurement* table : unit_.tables) {
      const auto [found, added] = known.try_emplace(table->library, profiles_.size());
      if (added) {
        Result<Profiles> read = collective::load_profiles(calibration_, table->library);
        if (!read) return fail(std::move(read.error()));
        profiles_.push_back(std::move(*read));
      }
      const double weight = weights[table->table.source] / static_cast<double>(table->table.rows.size());
      for (const formats::MeasuredRow& row : table->table.rows) {
        rows_.push_back({table, found->second, static_cast<double>(row.size.count()), std::log(row.time_us), weight});
        total += weight;
      }
    }
    for (Row& row : rows_) row.weight /= total;
    errors_.resize(rows_.size());
    return {};
  }

  double loss(const std::vector<Bounded>& at) {
    for (std::size_t i = 0; i < at.size(); ++i) keys_[i].set->values.find(keys_[i].key)->second = at[i].value;
    const CalibrationSet* last = nullptr;
    for (const Key& key : keys_) {
      if (key.set == last) continue;
      last = key.set;
      for (Profiles& profiles : profiles_) {
        if (!collective::refresh(profiles, *key.set)) return HUGE_VAL;
      }
    }
    double sum = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      const Result<engine::closed::Cost> cost =
          engine::closed::collective_cost(row.measurement->call(Bytes(static_cast<std::int64_t>(row.bytes))),
                                          row.measurement->shape, profiles_[row.profiles]);
      if (!cost) return HUGE_VAL;
      const double off = std::log(std::max(1e-3, cost->total.us())) - row.log_measured;
      errors_[i] = std::abs(std::exp(off) - 1);
      sum += row.weight * (std::sqrt(1 + off * off / (kGoodFit * kGoodFit)) - 1);
    }
    for (std::size_t i = 0; i < start_.size(); ++i) {
      const double moved = std::log(at[i].value / start_[i].value);
      sum += kPull * moved * moved;
    }
    return sum;
  }

  Calibration& calibration_;
  const FitUnit& unit_;
  std::vector<Key> keys_;
  std::vector<Bounded> parameters_;
  std::vector<Bounded> start_;
  std::vector<Profiles> profiles_;
  std::vector<Row> rows_;
  std::vector<double> errors_;
};

}  // namespace

std::vector<FitUnit> fit_units(const Calibration& calibration, std::span<const Measurement* const> tables) {
  std::map<std::string, FitUnit> units;
  Predictor predictor(calibration);
  for (const Measurement* table : tables) {
    if (!table->usable() || table->table.healthy != formats::Health::yes || table->table.rows.empty()) continue;
    const Result<engine::closed::Cost> cost = predictor.predict(*table, table->table.rows.back().size);
    if (!cost) continue;
    const auto add = [&](const std::string& name) {
      units[name].name = name;
      units[name].tables.push_back(table);
    };
    const std::string name = unit_of(*table, *cost);
    add(name);
    if (cost->line.ends_with(".ring_simple")) add(name.substr(0, name.rfind('.')) + ".ring_simple");
    if (table->table.launch == collective::LaunchMode::single_process) add("launch");
  }
  std::vector<FitUnit> list;
  for (auto& [name, unit] : units) list.push_back(std::move(unit));
  return list;
}

Result<FitResult> fit_unit(Calibration& calibration, const FitUnit& unit, const FitOptions& options) {
  return Fitting(calibration, unit).run(options);
}

Result<std::vector<FitResult>> fit(Calibration& calibration, std::span<const Measurement* const> tables,
                                   const FitOptions& options, const std::function<void(const FitResult&)>& progress) {
  std::vector<FitResult> results;
  for (const FitUnit& unit : fit_units(calibration, tables)) {
    Result<FitResult> done = fit_unit(calibration, unit, options);
    if (!done) return fail(std::move(done.error()));
    if (progress) progress(*done);
    results.push_back(std::move(*done));
  }
  return results;
}

}  // namespace weft::validate
