#include "weft/validate/minimise.h"

#include <algorithm>
#include <cmath>

namespace weft::validate {
namespace {

constexpr double kGrow = 1.6;
constexpr double kShrink = 0.45;

// Moves one parameter by a factor; false when its bound stops it.
bool move(Bounded& parameter, double log_step) {
  const double moved = std::clamp(parameter.value * std::exp(log_step), parameter.least, parameter.most);
  if (moved == parameter.value) return false;
  parameter.value = moved;
  return true;
}

}  // namespace

double minimise(std::vector<Bounded>& parameters, const std::function<double(const std::vector<Bounded>&)>& function,
                const MinimiseOptions& options) {
  std::vector<double> steps(parameters.size(), options.first_step);
  double best = function(parameters);
  for (int sweep = 0; sweep < options.most_sweeps; ++sweep) {
    const std::vector<Bounded> before = parameters;
    const double best_before = best;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const double kept = parameters[i].value;
      bool better = false;
      for (const double sign : {1.0, -1.0}) {
        if (!move(parameters[i], sign * steps[i])) continue;
        const double value = function(parameters);
        if (value < best) {
          best = value;
          better = true;
          break;
        }
        parameters[i].value = kept;
      }
      steps[i] = better ? std::min(steps[i] * kGrow, 1.0) : steps[i] * kShrink;
    }
    // What the sweep did as a whole, once more.
    if (best < best_before) {
      std::vector<Bounded> further = parameters;
      for (std::size_t i = 0; i < further.size(); ++i)
        move(further[i], std::log(parameters[i].value / before[i].value));
      if (const double value = function(further); value < best) {
        best = value;
        parameters = std::move(further);
      }
    }
    if (*std::max_element(steps.begin(), steps.end()) < options.last_step) break;
    for (double& step : steps) step = std::max(step, options.last_step / 4);
  }
  return best;
}

}  // namespace weft::validate
