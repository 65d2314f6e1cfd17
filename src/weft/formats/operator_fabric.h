// What a reader makes of an operator's own file.
//
// `observed` is what the file shows to be amiss (a GPU whose NVLinks are down) as conditions over the fabric as it
// should be. `assumed` lists what the file does not tell and was chosen instead; `notes` what was left out, repaired or
// looks odd. Both are meant to be shown to the person who gave the file. The operator's names (bus ids, mlx5_0) are
// kept in the fabric beside weft's.
#pragma once

#include <string>
#include <vector>

#include "weft/fabric/condition.h"
#include "weft/fabric/graph.h"

namespace weft::formats {

struct ReadOptions {
  std::string gpu;  // catalog id of the GPU, for files that do not name it; "" = assume
};

struct OperatorFabric {
  fabric::Fabric fabric;
  fabric::Conditions observed;
  std::vector<std::string> assumed;
  std::vector<std::string> notes;
};

}  // namespace weft::formats
