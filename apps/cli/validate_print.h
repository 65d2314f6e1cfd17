// How `weft validate` shows what it found: text, JSON (weft/validate/1), HTML with curves.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "context.h"
#include "weft/validate/leave_out.h"
#include "weft/validate/score.h"

namespace weft::cli {

struct Validation {
  std::vector<validate::FileScore> scores;
  // What figures are over: files that call themselves healthy or, when none does (one's own logs), those that do not
  // say.
  std::vector<validate::FileScore> counted;
  bool healthy = true;
  std::vector<Error> unreadable;
  std::vector<std::string> calibration;  // sets that priced something
  validate::NoiseFloor noise;
  std::optional<validate::LeaveOutResult> left_out;
};

void print_validation(const Validation& validation, std::size_t worst, Context& context);
[[nodiscard]] nlohmann::ordered_json validation_json(const Validation& validation);
[[nodiscard]] std::string validation_html(const Validation& validation);

// Sets `counted` and `healthy` from `scores`.
void choose_counted(Validation& validation);
[[nodiscard]] validate::Summary summary_of(const std::vector<validate::FileScore>& counted);
[[nodiscard]] report::Table summary_table(const Validation& validation);

}  // namespace weft::cli
