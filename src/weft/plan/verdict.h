// The verdict on a placement: a policy on the share of the time that communication takes.
//
//   share <= 15 % recommended, <= 35 % usable, <= 65 % discouraged, above unusable; infeasible = does not fit in memory
//
// The ranking is computed; the verdict is a judgement with these thresholds, printed beside it.
#pragma once

#include <string_view>

namespace weft::plan {

enum class Verdict { recommended, usable, discouraged, unusable, infeasible };
[[nodiscard]] std::string_view name_of(Verdict verdict);

inline constexpr double kRecommendedShare = 0.15;
inline constexpr double kUsableShare = 0.35;
inline constexpr double kDiscouragedShare = 0.65;
[[nodiscard]] Verdict judge_share(double share);

// The rule of thumb judges by ratio to the first row: <= 1.25 recommended, <= 2 usable, <= 10 discouraged, above
// unusable.
inline constexpr double kRecommendedRatio = 1.25;
inline constexpr double kUsableRatio = 2.0;
inline constexpr double kDiscouragedRatio = 10.0;
[[nodiscard]] Verdict judge_ratio(double ratio);

}  // namespace weft::plan
