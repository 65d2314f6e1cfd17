// A calibration set as the TOML that catalog/calibration.h reads: header, then its numbers, tables in the order of
// their keys and the lines of a curve as inline tables. Numbers to four significant digits: a fit knows no more.
#pragma once

#include <string>

#include "weft/catalog/calibration.h"

namespace weft::validate {

enum class SetForm {
  file,  // one set, the whole file
  list   // under [[set]], to stand with others in one file
};

[[nodiscard]] std::string to_toml(const catalog::CalibrationSet& set, SetForm form = SetForm::file);

}  // namespace weft::validate
