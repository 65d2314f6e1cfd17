// Calibration sets: the few fitted or borrowed constants that a prediction leans on beside the catalog's nominal
// figures.
//
// One TOML file a set under data/calibration: a header (title, how it was found, the tables it was fitted on, the links
// and library versions that it speaks of) and numbers in nested tables, read by dotted key
// ("all_reduce.simple.share"). A user's overlay has the same form, or holds several sets as [[set]], and is laid over
// builtin sets of the same ids, number by number. Every output names the sets it used.
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
  std::vector<std::string> links;  // link parts or classes that it describes ("nvlink4", "infiniband"); empty = any
  std::string library_before;      // "nccl-2.20": holds for older versions only; "" = for any
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
  // Lays further sets over these.
  Result<void> overlay(const SourceText& file);
  // The same for a user's file: its sets and their numbers must be known, or nothing would come of them. A set that
  // lists links describes a technology of its own and may hold what it likes.
  Result<void> overlay_checked(const SourceText& file);

  [[nodiscard]] std::span<const CalibrationSet> sets() const { return sets_; }
  [[nodiscard]] Result<const CalibrationSet*> set(std::string_view id) const;
  // To change numbers in place; nullptr when there is no such set.
  [[nodiscard]] CalibrationSet* find(std::string_view id);

 private:
  std::vector<CalibrationSet> sets_;
};

}  // namespace weft::catalog
