// Predictions held against measured tables.
//
// Error of a row = |predicted - measured| / measured time, out of place. A file's figures are the medians of its rows:
// all of them, and the large ones (16 MiB and more). A summary is over healthy files: the median, and the 90th
// percentile, of the files' figures.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "weft/catalog/calibration.h"
#include "weft/collective/group.h"
#include "weft/engine/closed/closed.h"
#include "weft/intake/measurement.h"

namespace weft::validate {

inline constexpr Bytes kLarge{std::int64_t{16} << 20};

struct RowScore {
  Bytes size;
  double measured_us = 0;
  engine::closed::Cost predicted;
  double error = 0;  // signed: (predicted - measured) / measured
};

struct FileScore {
  const intake::Measurement* measurement = nullptr;
  std::string group;    // "nvlink4/all_reduce", "infiniband/all_reduce"; "nvlink4/vllm" of a serving engine's kernels
  std::string why_not;  // "" = predicted
  std::vector<RowScore> rows;
  std::optional<double> median;        // of |error|; none without rows
  std::optional<double> median_large;  // none without large rows
  // The term that takes the most of the time in the rows that miss by the most, and the line that gave them.
  std::string dominant_term;
  std::string dominant_line;
  [[nodiscard]] bool healthy() const { return measurement->table.healthy == formats::Health::yes; }
  [[nodiscard]] bool single_server() const { return measurement->shape.servers <= 1; }
};

struct Summary {
  int files = 0;
  std::optional<double> median;
  std::optional<double> p90;
  std::optional<double> median_large;
  std::optional<double> p90_large;
};

// The serving engine whose kernels a table was measured with; the usual one where it names none. Error: it names one
// that has no rules here.
[[nodiscard]] Result<collective::ServingEngine> engine_of(const intake::Measurement& measurement);

// Profiles for many versions of libraries and serving engines, and what each library chooses for a group: each once.
// Measurements must outlive it.
class Predictor {
 public:
  explicit Predictor(const catalog::Calibration& calibration) : calibration_(calibration) {}
  Result<engine::closed::Cost> predict(const intake::Measurement& measurement, Bytes size);

 private:
  const catalog::Calibration& calibration_;
  std::map<std::pair<collective::Library, collective::ServingEngine>, collective::Profiles> profiles_;
  std::map<const intake::Measurement*, collective::Group> groups_;
};

// The group that a table was measured over, with what the library chooses for it.
[[nodiscard]] collective::Group group_of(const intake::Measurement& measurement, const collective::Profiles& profiles);

[[nodiscard]] FileScore score_file(Predictor& predictor, const intake::Measurement& measurement);
[[nodiscard]] std::vector<FileScore> score_all(const catalog::Calibration& calibration,
                                               std::span<const intake::Measurement> measurements);

// Over the predicted files that `wanted` accepts.
[[nodiscard]] Summary summarise(std::span<const FileScore> scores, bool (*wanted)(const FileScore&));

// How much a row counts against a fit: sqrt(1 + (e / 4 %)^2) - 1 of e = log(predicted / measured), quadratic where the
// fit is good and by distance, not its square, where it is not.
[[nodiscard]] double misfit(double log_ratio);

// Quantile by nearest rank with linear interpolation; none of nothing.
[[nodiscard]] std::optional<double> quantile(std::vector<double> values, double q);

// The median difference between healthy files that describe the same set-up (hardware, operation, ranks, library era),
// size by size: what no model can beat.
struct NoiseFloor {
  int pairs = 0;
  std::optional<double> all;
  std::optional<double> large;
};
[[nodiscard]] NoiseFloor noise_floor(std::span<const FileScore> scores);

}  // namespace weft::validate
