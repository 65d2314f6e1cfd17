// Measured tables and raw nccl-tests logs, by file or by folder, joined with their clusters.
//
// A file is judged by what stands in it. A folder is walked with its subfolders in the order of their names; what is
// neither table nor log there is passed over and said, while a file that was named outright must be one. "-" is
// standard input. A log with several tables gives several measurements.
#pragma once

#include <istream>
#include <span>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/intake/measurement.h"

namespace weft::intake {

struct MeasurementOptions {
  std::string cluster;  // overrides what the files say (MeasurementJoiner::use_cluster); "" = by the files
  std::string gpu;      // for cluster files that do not name theirs
};

struct UnreadableMeasurement {
  std::string file;
  Error error;
};

struct MeasurementSet {
  std::vector<Measurement> measurements;  // in the order of the paths
  std::vector<UnreadableMeasurement> unreadable;
  std::vector<std::string> passed_over;  // "README.md: it is neither XML, …"
};

// An error only when a path is not there, holds nothing to read, or the cluster named in the options is none.
Result<MeasurementSet> read_measurements(std::span<const std::string> paths, const catalog::Catalog& catalog,
                                         const MeasurementOptions& options, std::istream& standard_input);

}  // namespace weft::intake
