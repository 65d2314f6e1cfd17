#include "weft/plan/search.h"

#include <algorithm>

namespace weft::plan {
namespace {

std::vector<int> divisors(int n) {
  std::vector<int> found;
  for (int d = 1; d <= n; ++d) {
    if (n % d == 0) found.push_back(d);
  }
  return found;
}

bool wanted(int fixed, int value) { return fixed == 0 || fixed == value; }

class Lister {
 public:
  Lister(const PlanRequest& request, int gpus) : request_(request), model_(request.model), gpus_(gpus) {}

  std::vector<Spread> take() {
    for (const int tp : divisors(gpus_)) {
      if (!wanted(request_.fixed.tp, tp) || tp > model_.heads) continue;
      for (const int pp : divisors(gpus_ / tp)) {
        if (!wanted(request_.fixed.pp, pp) || pp > model_.layers) continue;
        for (const int cp : divisors(gpus_ / tp / pp)) {
          if (!wanted(request_.fixed.cp, cp) || !worth(cp)) continue;
          attention_copies(tp, pp, cp);
        }
      }
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool worth(int cp) const {
    return cp == 1 || request_.fixed.cp == cp || request_.workload.prompt / cp >= kLeastPart;
  }

  void attention_copies(int tp, int pp, int cp) {
    const int copies = gpus_ / tp / pp / cp;
    if (!wanted(request_.fixed.dp, copies)) return;
    for (const int attention_dp : divisors(copies)) {
      if (!wanted(request_.fixed.attention_dp, attention_dp)) continue;
      if (attention_dp > 1 && (model_.moe.experts == 0 || attention_dp > model_.moe.experts)) break;
      Spread spread;
      spread.parallelism = {tp, pp, 1, cp, attention_dp, request_.sequence_parallel};
      spread.units = copies / attention_dp;
      for (const int ep : divisors(tp * attention_dp)) {
        if (!wanted(request_.fixed.ep, ep)) continue;
        spread.parallelism.ep = ep;
        if (llm::possible(model_, spread.parallelism)) found_.push_back(spread);
        if (model_.moe.experts == 0) break;
      }
    }
  }

  const PlanRequest& request_;
  const catalog::ModelShape& model_;
  int gpus_;
  std::vector<Spread> found_;
};

int axes_used(const Spread& spread) {
  const llm::Parallelism& p = spread.parallelism;
  return (p.tp > 1) + (p.pp > 1) + (p.ep > 1) + (p.cp > 1) + (p.attention_dp > 1);
}

class Better {
 public:
  explicit Better(Objective objective) : objective_(objective) {}

  bool operator()(const Evaluation& a, const Evaluation& b) const {
    if (a.fits != b.fits) return a.fits;
    if (!a.fits) return a.memory < b.memory;
    if (a.keeps_up != b.keeps_up) return a.keeps_up;
    if (a.within_slo != b.within_slo) return a.within_slo;
    if (objective_ == Objective::latency && a.state.itl_s != b.state.itl_s) return a.state.itl_s < b.state.itl_s;
    if (a.tokens_per_s_per_gpu != b.tokens_per_s_per_gpu) return a.tokens_per_s_per_gpu > b.tokens_per_s_per_gpu;
    if (a.state.itl_s != b.state.itl_s) return a.state.itl_s < b.state.itl_s;
    return axes_used(a.spread) < axes_used(b.spread);
  }

 private:
  Objective objective_;
};

}  // namespace

std::vector<Spread> all_spreads(const PlanRequest& request, int gpus) { return Lister(request, gpus).take(); }

Ranking rank(const Setting& setting, Evaluator& evaluator, const std::vector<Spread>& spreads, std::size_t shown) {
  std::vector<Evaluation> evaluations;
  evaluations.reserve(spreads.size());
  for (const Spread& spread : spreads) evaluations.push_back(evaluator.evaluate(spread));
  std::stable_sort(evaluations.begin(), evaluations.end(), Better(setting.request.objective));
  Ranking ranking;
  ranking.evaluated = evaluations.size();
  std::size_t fitting = 0;
  std::size_t others = 0;
  for (const Evaluation& evaluation : evaluations) {
    std::size_t& count = evaluation.fits ? fitting : others;
    if (count++ < shown) ranking.candidates.push_back(evaluator.describe(evaluation));
  }
  return ranking;
}

}  // namespace weft::plan
