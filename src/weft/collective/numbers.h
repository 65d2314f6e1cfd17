// Reads many numbers of a calibration set and remembers the first that is missing.
#pragma once

#include <string>

#include "weft/catalog/calibration.h"

namespace weft::collective {

class Numbers {
 public:
  explicit Numbers(const catalog::CalibrationSet& set) : set_(set) {}
  double operator()(const std::string& key) {
    Result<double> value = set_.number(key);
    if (value) return *value;
    if (missing_.id.empty()) missing_ = std::move(value.error());
    return 0;
  }
  [[nodiscard]] bool has(const std::string& key) const { return set_.has(key); }
  [[nodiscard]] double or_else(const std::string& key, double otherwise) const {
    return set_.number_or(key, otherwise);
  }
  [[nodiscard]] bool complete() const { return missing_.id.empty(); }
  Error missing() { return std::move(missing_); }

 private:
  const catalog::CalibrationSet& set_;
  Error missing_;
};

}  // namespace weft::collective
