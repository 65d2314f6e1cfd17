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

constexpr double kMostOfOneSource = 6;  // files
constexpr double kPullBetween = 3e-3;   // many numbers, few tables
constexpr double kPull = 2e-4;          // towards the start, for each squared unit of a parameter's logarithm

struct Row {
  const Measurement* measurement = nullptr;
  std::size_t profiles = 0;  // which library's
  collective::Call call;     // with what the library chooses, which no fit changes
  double log_measured = 0;
  double weight = 0;
};

// "nvlink4.all_reduce.ll" -> "nvlink4.all_reduce", "serving-kernels.nvlink4.multimem" -> "serving-kernels.nvlink4"; set
// ids may hold dots ("nvlink3-before-2.20").
std::string unit_of(const Measurement& measurement, const engine::closed::Cost& cost) {
  if (measurement.shape.servers > 1) return "between";
  const std::size_t stage = cost.line.rfind('.');
  return cost.line.substr(0, stage);
}

// A table of a serving engine's kernels speaks of them only, not of the library that it leaves large messages to.
bool speaks_of_library(const Measurement& table) { return table.table.kernel.empty(); }

// Files of one source together weigh no more than a few.
std::map<std::string, double> source_weights(std::span<const Measurement* const> tables) {
  std::map<std::string, double> count;
  for (const Measurement* table : tables) count[table->table.source] += 1;
  for (auto& [source, files] : count) files = std::min(1.0, kMostOfOneSource / files);
  return count;
}

class Fitting {
 public:
  Fitting(Calibration& calibration, const FitUnit& unit, const FitOptions& options)
      : calibration_(calibration), unit_(unit), options_(options) {}

  Result<FitResult> run() {
    choose_parameters();
    if (Result<void> ready = load_rows(); !ready) return fail(std::move(ready.error()));
    FitResult result{unit_.name, static_cast<int>(unit_.tables.size()), static_cast<int>(rows_.size()), 0, 0, 0};
    if (rows_.empty() || parameters_.empty()) return result;
    result.loss_before = loss(parameters_);
    start_ = parameters_;
    minimise(parameters_, [this](const std::vector<Bounded>& at) { return loss(at); });
    result.loss = loss(parameters_);
    result.median = quantile(errors_, 0.5).value_or(0);
    name_tables();
    return result;
  }

 private:
  struct Key {
    CalibrationSet* set;
    std::string key;
  };

  void choose_parameters() {
    for (const CalibrationSet& each : calibration_.sets()) {
      const std::string prefix = prefix_in(each);
      if (prefix == "-" || each.basis != "fitted") continue;
      CalibrationSet* set = calibration_.find(each.id);
      for (auto& [key, value] : set->values) {
        if (!key.starts_with(prefix)) continue;
        std::optional<Bounded> bounds = neutral(set->id, key);
        if (!bounds) continue;
        const double start = options_.from_neutral ? sibling_mean(*set, key).value_or(bounds->value) : value;
        bounds->value = value = std::clamp(start, bounds->least, bounds->most);
        keys_.push_back({set, key});
        parameters_.push_back(*bounds);
      }
    }
  }

  // A network's set is fitted together with the others', but only tables of that network say something about it.
  static bool speaks_of(const CalibrationSet& set, const Measurement& table) {
    if (!set.has("hop_growth_from")) return true;
    const std::string_view link = catalog::name_of(table.shape.between);
    return std::find(set.links.begin(), set.links.end(), link) != set.links.end();
  }

  // Each set lists what it was fitted on.
  void name_tables() {
    for (const Key& key : keys_) {
      std::vector<std::string>& names = key.set->fitted_on;
      for (const Measurement* table : unit_.tables) {
        if (!speaks_of(*key.set, *table)) continue;
        const std::string name(formats::base_name(table->table));
        if (const auto place = std::lower_bound(names.begin(), names.end(), name);
            place == names.end() || *place != name)
          names.insert(place, name);
      }
    }
  }

  // Operations over the same links are alike: the geometric mean of what this number is in the curves of the set that
  // are fitted already. None: this is the first.
  std::optional<double> sibling_mean(const CalibrationSet& set, const std::string& key) const {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos || unit_.name == "between") return std::nullopt;
    double sum = 0;
    int count = 0;
    for (const auto& [other, value] : set.values) {
      const std::size_t end = other.find('.');
      if (end == std::string::npos || other.substr(end) != key.substr(dot) || other == key || value <= 0) continue;
      const bool fitted = std::find(options_.fitted.begin(), options_.fitted.end(),
                                    set.id + "." + other.substr(0, end)) != options_.fitted.end();
      if (!fitted) continue;
      sum += std::log(value);
      ++count;
    }
    return count > 0 ? std::optional<double>(std::exp(sum / count)) : std::nullopt;
  }

  // Which numbers of a set belong to this unit: those that begin with the answer; "-" = none.
  std::string prefix_in(const CalibrationSet& set) const {
    if (unit_.name == "between") return set.id == "between" || set.has("hop_growth_from") ? "" : "-";
    if (unit_.name == "launch") return set.id == "launch" ? "" : "-";
    if (!unit_.name.starts_with(set.id + ".")) return "-";
    return unit_.name.substr(set.id.size() + 1) + ".";
  }

  Result<void> load_rows() {
    std::map<std::pair<collective::Library, collective::ServingEngine>, std::size_t> known;
    std::map<std::string, double> weights = source_weights(unit_.tables);
    double total = 0;
    for (const Measurement* table : unit_.tables) {
      const Result<collective::ServingEngine> engine = engine_of(*table);
      if (!engine) return fail(Error(engine.error()));
      const auto [found, added] = known.try_emplace({table->library, *engine}, profiles_.size());
      if (added) {
        Result<Profiles> read = collective::load_profiles(calibration_, table->library, *engine);
        if (!read) return fail(std::move(read.error()));
        profiles_.push_back(std::move(*read));
      }
      const double weight = weights[table->table.source] / std::sqrt(static_cast<double>(table->table.rows.size()));
      const collective::Group group = group_of(*table, profiles_[found->second]);
      for (const formats::MeasuredRow& row : table->table.rows) {
        if (!counts(*table, row, profiles_[found->second])) continue;
        collective::Call call = table->call(row.size);
        if (group.tuner) call.chosen = group.tuner->choose(call);
        rows_.push_back({table, found->second, call, std::log(row.time_us), weight});
        total += weight;
      }
    }
    for (Row& row : rows_) row.weight /= total;
    errors_.resize(rows_.size());
    return {};
  }

  // Which kernel runs is the engine's rule, so it does not change while its numbers are fitted.
  bool counts(const Measurement& table, const formats::MeasuredRow& row, const Profiles& profiles) const {
    if (speaks_of_library(table)) return true;
    const auto cost = engine::closed::collective_cost(table.call(row.size), table.shape, profiles, true);
    return cost && unit_of(table, *cost) == unit_.name;
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
      const Result<engine::closed::Cost> cost = engine::closed::collective_cost(
          row.call, row.measurement->shape, profiles_[row.profiles], !speaks_of_library(*row.measurement));
      if (!cost) return HUGE_VAL;
      const double off = std::log(std::max(1e-3, cost->total.us())) - row.log_measured;
      errors_[i] = std::abs(std::exp(off) - 1);
      sum += row.weight * misfit(off);
    }
    for (std::size_t i = 0; i < start_.size(); ++i) {
      const double moved = std::log(at[i].value / start_[i].value);
      sum += (unit_.name == "between" ? kPullBetween : kPull) * moved * moved;
    }
    return sum;
  }

  Calibration& calibration_;
  const FitUnit& unit_;
  const FitOptions& options_;
  std::vector<Key> keys_;
  std::vector<Bounded> parameters_;
  std::vector<Bounded> start_;
  std::vector<Profiles> profiles_;
  std::vector<Row> rows_;
  std::vector<double> errors_;
};

// Every number that is to be fitted to its neutral start, so that the answer does not depend on what stood there.
void reset(Calibration& calibration, const std::vector<FitUnit>& units) {
  std::vector<std::string> ids;
  for (const CalibrationSet& set : calibration.sets()) {
    const bool touched =
        std::any_of(units.begin(), units.end(), [&](const FitUnit& u) { return belongs(set, u.name); });
    if (touched) ids.push_back(set.id);
  }
  for (const std::string& id : ids) {
    CalibrationSet& set = *calibration.find(id);
    set.fitted_on.clear();
    for (auto& [key, value] : set.values) {
      if (const std::optional<Bounded> start = neutral(id, key)) value = start->value;
    }
  }
}

}  // namespace

bool belongs(const CalibrationSet& set, std::string_view unit) {
  if (set.basis != "fitted") return false;
  if (unit == "between") return set.id == "between" || set.has("hop_growth_from");
  return unit == set.id || unit.starts_with(set.id + ".");
}

std::vector<FitUnit> fit_units(const Calibration& calibration, std::span<const Measurement* const> tables) {
  std::map<std::string, FitUnit> units;
  Predictor predictor(calibration);
  for (const Measurement* table : tables) {
    if (!table->usable() || table->table.healthy != formats::Health::yes || table->table.rows.empty()) continue;
    const auto add = [&](const std::string& name) {
      units[name].name = name;
      units[name].tables.push_back(table);
    };
    if (!speaks_of_library(*table)) {
      // The smallest message is a kernel's, if any is.
      const Result<engine::closed::Cost> cost = predictor.predict(*table, table->table.rows.front().size);
      if (cost && collective::is_kernel(cost->algorithm)) add(unit_of(*table, *cost));
      continue;
    }
    const Result<engine::closed::Cost> cost = predictor.predict(*table, table->table.rows.back().size);
    if (!cost) continue;
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
  return Fitting(calibration, unit, options).run();
}

Result<std::vector<FitResult>> fit(Calibration& calibration, std::span<const Measurement* const> tables,
                                   const FitOptions& options, const std::function<void(const FitResult&)>& progress) {
  // What a host floor hides from a curve is only known once the floor is, and the other way round: curves, floor,
  // again.
  std::vector<FitUnit> units = fit_units(calibration, tables);
  if (options.from_neutral) reset(calibration, units);
  // What many tables speak of first: others start from it.
  std::stable_sort(units.begin(), units.end(),
                   [](const FitUnit& a, const FitUnit& b) { return a.tables.size() > b.tables.size(); });
  std::stable_partition(units.begin(), units.end(), [](const FitUnit& unit) { return unit.name != "launch"; });
  std::vector<std::string> fitted;
  std::vector<FitResult> results;
  for (const bool again : {false, true}) {
    for (const FitUnit& unit : units) {
      FitOptions each = options;
      each.from_neutral = options.from_neutral && !again;
      each.fitted = fitted;
      Result<FitResult> done = fit_unit(calibration, unit, each);
      if (!done) return fail(std::move(done.error()));
      fitted.push_back(unit.name);
      if (!again) continue;
      if (progress) progress(*done);
      results.push_back(std::move(*done));
    }
  }
  return results;
}

}  // namespace weft::validate
