#include "measured_argument.h"

#include <istream>

namespace weft::cli {

Result<MeasuredInput> load_measured(std::span<const std::string> paths, const std::string& cluster, Context& context) {
  Result<const catalog::Catalog*> catalog = context.catalog();
  if (!catalog) return fail(std::move(catalog.error()));
  Result<intake::MeasurementSet> set = intake::read_measurements(paths, **catalog, {cluster, ""}, context.in);
  if (!set) return fail(std::move(set.error()));
  MeasuredInput input;
  input.measurements = std::move(set->measurements);
  for (intake::UnreadableMeasurement& each : set->unreadable) input.unreadable.push_back(std::move(each.error));
  if (input.measurements.empty()) {
    if (!input.unreadable.empty()) return fail(std::move(input.unreadable.front()));
    return fail(input_error("WEFT-CLI-0040", "no measured table or nccl-tests log there: " + set->passed_over.front()));
  }
  return input;
}

}  // namespace weft::cli
