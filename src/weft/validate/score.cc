#include "weft/validate/score.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "weft/base/printable.h"

namespace weft::validate {
namespace {

using engine::closed::Cost;
using intake::Measurement;

constexpr std::size_t kMissingMost = 5;  // rows that name the dominant term

std::string group_of(const Measurement& measurement) {
  const fabric::GroupShape& shape = measurement.shape;
  std::string link;
  if (shape.servers > 1) {
    link = catalog::name_of(shape.between);
  } else {
    link = shape.inside_bounce ? "pcie-host" : shape.inside_link;
  }
  const std::string& kernel = measurement.table.kernel;
  if (!kernel.empty()) return link + "/" + kernel.substr(0, kernel.find('-'));
  return link + "/" + std::string(collective::name_of(*measurement.table.operation));
}

std::string_view largest_term(const engine::Terms& terms) {
  const std::array<std::pair<Duration, std::string_view>, 4> all = {
      {{terms.launch, "launch"}, {terms.latency, "latency"}, {terms.transfer, "transfer"}, {terms.fill, "fill"}}};
  return std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; })
      ->second;
}

void name_dominant(FileScore& score) {
  std::vector<const RowScore*> rows;
  for (const RowScore& row : score.rows) rows.push_back(&row);
  const std::size_t count = std::min(kMissingMost, rows.size());
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count), rows.end(),
                    [](const RowScore* a, const RowScore* b) { return std::abs(a->error) > std::abs(b->error); });
  std::map<std::string_view, int> terms;
  for (std::size_t i = 0; i < count; ++i) ++terms[largest_term(rows[i]->predicted.terms)];
  int most = 0;
  for (const auto& [term, times] : terms) {
    if (times > most) score.dominant_term = term;
    most = std::max(most, times);
  }
  if (count > 0) score.dominant_line = rows.front()->predicted.line;
}

std::vector<double> errors(const std::vector<RowScore>& rows, bool large_only) {
  std::vector<double> found;
  for (const RowScore& row : rows) {
    if (!large_only || row.size >= kLarge) found.push_back(std::abs(row.error));
  }
  return found;
}

// Two files describe the same set-up when they would be predicted the same.
bool same_setup(const FileScore& a, const FileScore& b) {
  const formats::MeasuredTable& left = a.measurement->table;
  const formats::MeasuredTable& right = b.measurement->table;
  return a.measurement->shape == b.measurement->shape && left.operation == right.operation &&
         left.algorithm == right.algorithm && left.protocol == right.protocol && left.launch == right.launch &&
         left.server == right.server && left.kernel == right.kernel;
}

}  // namespace

collective::Group group_of(const Measurement& measurement, const collective::Profiles& profiles) {
  return collective::group_of(measurement.shape, measurement.cluster->fabric, measurement.group,
                              measurement.cluster->conditions, profiles);
}

Result<collective::ServingEngine> engine_of(const Measurement& measurement) {
  const std::string& kernel = measurement.table.kernel;
  if (kernel.empty()) return collective::kDefaultEngine;
  if (const std::optional<collective::ServingEngine> engine = collective::engine_from(kernel)) return *engine;
  return fail(unassessable_error("WEFT-VAL-0002", "the kernels of " + in_quotes(kernel, 60) + " are unknown")
                  .with_expected("vllm, sglang or trtllm and a version, such as vllm-0.24.0"));
}

Result<Cost> Predictor::predict(const Measurement& measurement, Bytes size) {
  const Result<collective::ServingEngine> engine = engine_of(measurement);
  if (!engine) return fail(Error(engine.error()));
  const auto key = std::make_pair(measurement.library, *engine);
  auto found = profiles_.find(key);
  if (found == profiles_.end()) {
    Result<collective::Profiles> read = collective::load_profiles(calibration_, measurement.library, *engine);
    if (!read) return fail(std::move(read.error()));
    found = profiles_.emplace(key, std::move(*read)).first;
  }
  const auto [group, added] = groups_.try_emplace(&measurement);
  if (added) group->second = group_of(measurement, found->second);
  return engine::closed::collective_cost(measurement.call(size), group->second, found->second,
                                         !measurement.table.kernel.empty());
}

FileScore score_file(Predictor& predictor, const Measurement& measurement) {
  FileScore score;
  score.measurement = &measurement;
  score.why_not = measurement.why_not;
  if (!measurement.usable()) return score;
  score.group = group_of(measurement);
  for (const formats::MeasuredRow& row : measurement.table.rows) {
    Result<Cost> cost = predictor.predict(measurement, row.size);
    if (!cost) {
      score.why_not = cost.error().message;
      score.rows.clear();
      return score;
    }
    score.rows.push_back({row.size, row.time_us, *cost, (cost->total.us() - row.time_us) / row.time_us});
  }
  score.median = quantile(errors(score.rows, false), 0.5);
  score.median_large = quantile(errors(score.rows, true), 0.5);
  name_dominant(score);
  return score;
}

std::vector<FileScore> score_all(const catalog::Calibration& calibration, std::span<const Measurement> measurements) {
  Predictor predictor(calibration);
  std::vector<FileScore> scores;
  scores.reserve(measurements.size());
  for (const Measurement& measurement : measurements) scores.push_back(score_file(predictor, measurement));
  return scores;
}

Summary summarise(std::span<const FileScore> scores, bool (*wanted)(const FileScore&)) {
  Summary summary;
  std::vector<double> all;
  std::vector<double> large;
  for (const FileScore& score : scores) {
    if (!score.median || !wanted(score)) continue;
    ++summary.files;
    all.push_back(*score.median);
    if (score.median_large) large.push_back(*score.median_large);
  }
  summary.median = quantile(all, 0.5);
  summary.p90 = quantile(all, 0.9);
  summary.median_large = quantile(large, 0.5);
  summary.p90_large = quantile(large, 0.9);
  return summary;
}

double misfit(double log_ratio) {
  constexpr double kGood = 0.04;
  return std::sqrt(1 + log_ratio * log_ratio / (kGood * kGood)) - 1;
}

std::optional<double> quantile(std::vector<double> values, double q) {
  if (values.empty()) return std::nullopt;
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

NoiseFloor noise_floor(std::span<const FileScore> scores) {
  NoiseFloor floor;
  std::vector<double> all;
  std::vector<double> large;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    for (std::size_t j = i + 1; j < scores.size(); ++j) {
      const FileScore& a = scores[i];
      const FileScore& b = scores[j];
      if (!a.median || !b.median || !a.healthy() || !b.healthy() || !same_setup(a, b)) continue;
      ++floor.pairs;
      for (const RowScore& row : a.rows) {
        const auto same =
            std::find_if(b.rows.begin(), b.rows.end(), [&](const RowScore& r) { return r.size == row.size; });
        if (same == b.rows.end()) continue;
        const double difference =
            std::abs(row.measured_us - same->measured_us) / std::min(row.measured_us, same->measured_us);
        all.push_back(difference);
        if (row.size >= kLarge) large.push_back(difference);
      }
    }
  }
  floor.all = quantile(all, 0.5);
  floor.large = quantile(large, 0.5);
  return floor;
}

}  // namespace weft::validate
