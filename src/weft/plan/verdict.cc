#include "weft/plan/verdict.h"

#include <array>

namespace weft::plan {
namespace {

Verdict judge(double value, double recommended, double usable, double discouraged) {
  if (value <= recommended) return Verdict::recommended;
  if (value <= usable) return Verdict::usable;
  return value <= discouraged ? Verdict::discouraged : Verdict::unusable;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  static constexpr std::array<std::string_view, 5> kNames = {"recommended", "usable", "discouraged", "unusable",
                                                             "infeasible"};
  return kNames[static_cast<std::size_t>(verdict)];
}

Verdict judge_share(double share) { return judge(share, kRecommendedShare, kUsableShare, kDiscouragedShare); }
Verdict judge_ratio(double ratio) { return judge(ratio, kRecommendedRatio, kUsableRatio, kDiscouragedRatio); }

}  // namespace weft::plan
