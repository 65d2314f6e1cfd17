// What every command that takes measured tables or logs shares: reading files and folders of them, joined with their
// clusters.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "context.h"
#include "weft/intake/measurement_files.h"

namespace weft::cli {

struct MeasuredInput {
  std::vector<intake::Measurement> measurements;
  std::vector<Error> unreadable;  // files that are no measurement, each with its place and reason
};

// Files, and what folders hold (*.tsv, *.log, *.txt, by name), in order. Error: nothing at all could be read.
// `cluster`: the user's word for what logs were measured on; "" = what each says.
[[nodiscard]] Result<MeasuredInput> load_measured(std::span<const std::string> paths, const std::string& cluster,
                                                  Context& context);

}  // namespace weft::cli
