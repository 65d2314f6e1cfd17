// The least value of a function of several positive parameters, without derivatives.
//
// Coordinate search in the logarithm of the parameters with a step for each (Hooke & Jeeves 1961): a step that helps
// grows, one that does not shrinks, until all are small. Deterministic. Finds a local minimum; start from something
// sensible, or from several.
#pragma once

#include <functional>
#include <vector>

namespace weft::validate {

struct Bounded {
  double value = 1;
  double least = 1e-6;
  double most = 1e12;
};

struct MinimiseOptions {
  double first_step = 0.25;  // of the logarithm
  double last_step = 0.004;
  int most_sweeps = 200;
};

// `parameters` holds the start and receives the answer; returns the function there.
double minimise(std::vector<Bounded>& parameters, const std::function<double(const std::vector<Bounded>&)>& function,
                const MinimiseOptions& options = {});

}  // namespace weft::validate
