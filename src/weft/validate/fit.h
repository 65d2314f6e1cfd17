// Calibration sets fitted to measured tables.
//
// One unit of work is the numbers that a group of rows depends on: a technology's curve for one operation
// ("nvlink4.all_reduce": its lines and taper), the forced ring of a technology, everything between servers together,
// the host's launch cost, the kernels of serving engines over a technology ("serving-kernels.nvlink4"). Each is fitted
// to the rows that the model prices with it, minimising
//
//   mean over files of mean over rows of sqrt(1 + (e / 4 %)^2) - 1,  e = log(predicted / measured)
//
// which is quadratic where the fit is good and counts far rows by their distance, not its square: a median is what is
// reported. Every file weighs the same but files of one source together at most as much as `kMostOfOneSource`. Only
// healthy tables that can be predicted count. Start values are those of the calibration given, or neutral ones
// (`from_neutral`) that no table went into, or those of the
// same links' other operations, so that a refit without a source knows nothing of it.
// Same tables, same calibration: the same answer.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "weft/catalog/calibration.h"
#include "weft/intake/measurement.h"

namespace weft::validate {

struct FitUnit {
  std::string name;  // "nvlink4.all_reduce", "nvlink2.ring_simple", "between", "launch"
  std::vector<const intake::Measurement*> tables;
};

// Are this set's numbers, or some of them, fitted in the unit of that name?
[[nodiscard]] bool belongs(const catalog::CalibrationSet& set, std::string_view unit);

// The units that these tables say something about, by name.
[[nodiscard]] std::vector<FitUnit> fit_units(const catalog::Calibration& calibration,
                                             std::span<const intake::Measurement* const> tables);

struct FitResult {
  std::string name;
  int tables = 0;
  int rows = 0;
  double loss_before = 0;
  double loss = 0;
  double median = 0;  // of |predicted - measured| / measured over rows, after
};

struct FitOptions {
  bool from_neutral = false;
  std::vector<std::string> fitted = {};  // units whose numbers a neutral start may lean on
};

// Fits one unit; the numbers in `calibration` are replaced.
Result<FitResult> fit_unit(catalog::Calibration& calibration, const FitUnit& unit, const FitOptions& options = {});

// All units that the tables touch, one after another; `progress` hears of each.
Result<std::vector<FitResult>> fit(catalog::Calibration& calibration,
                                   std::span<const intake::Measurement* const> tables, const FitOptions& options = {},
                                   const std::function<void(const FitResult&)>& progress = {});

}  // namespace weft::validate
