// The parts of `weft topo`, one file each.
#pragma once

#include "command.h"

namespace weft::cli {

[[nodiscard]] Command topo_show_command();
[[nodiscard]] Command topo_matrix_command();
[[nodiscard]] Command topo_path_command();
[[nodiscard]] Command topo_export_command();
[[nodiscard]] Command topo_diff_command();

}  // namespace weft::cli
