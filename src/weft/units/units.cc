#include "weft/units/units.h"

#include <cmath>

namespace weft {
namespace {

std::int64_t nearest_64(double value) {
  constexpr double kLimit = 9.2e18;
  if (!(value < kLimit)) return detail::kMax;
  if (value < -kLimit) return -detail::kMax;
  return std::llround(value);
}

}  // namespace

Duration Duration::from_us(double us) { return Duration(nearest_64(us * 1e6)); }
Rate Rate::from_gbyte_per_s(double rate) { return Rate(nearest_64(rate * 8e9)); }
Rate Rate::scaled(double factor) const { return Rate(nearest_64(static_cast<double>(count()) * factor)); }

}  // namespace weft
