// Calibration sets: the few fitted or borrowed constants that a prediction leans on beside the catalog's nominal
// figures.
//
// One TOML file a set under data/calibration: a header (title, how it was found, the tables it was fitted on) and
// numbers in nested tables, read by dotted key ("hop_us.nvlink.ring.ll"). A user's overlay has the same form and is
// laid over a builtin set of the same id, number by number. Every output names the sets it used.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"

namespace weft::catalog {

class CalibrationSet {
 public:
  std::string id;
  std::string title;
  std::string basis;                   // "fitted", "library source", "assumed"
  std::vector<std::string> fitted_on;  // tables and sources
  std::string note;
  std::map<std::string, double, std::less<>> values;

  [[nodiscard]] bool has(std::string_view key) const { return values.contains(key); }
  // Errors name the set and the key.
  [[nodiscard]] Result<double> number(std::string_view key) const;
  [[nodiscard]] double number_or(std::string_view key, double otherwise) const;
};

class Calibration {
 public:
  static Result<Calibration> builtin();
  static Result<Calibration> load(std::span<const SourceText> files);
  // Lays a user's sets over these.
  Result<void> overlay(const SourceText& file);

  [[nodiscard]] std::span<const CalibrationSet> sets() const { return sets_; }
  [[nodiscard]] Result<const CalibrationSet*> set(std::string_view id) const;

 private:
  std::vector<CalibrationSet> sets_;
};

}  // namespace weft::catalog
