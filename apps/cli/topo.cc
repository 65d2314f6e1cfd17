#include "topo.h"

#include "commands.h"

namespace weft::cli {

const Command& topo_command() {
  static const Command command{
      .name = "topo",
      .summary = "the links of a cluster: as a tree or drawing, as a matrix, from one device to another",
      .description =
          "Devices are server0.gpu3, server0.nic1, server0.nvswitch2, server0.pcisw0, server0.root0, server0.cpu1, "
          "leaf2, spine0, core1, mgmt0; an operator's own names (mlx5_0, 0000:1b:00.0) work too. Rates are per "
          "direction. Large clusters are summarised, not unrolled.",
      .subcommands = {topo_show_command(), topo_matrix_command(), topo_path_command(), topo_export_command(),
                      topo_diff_command()},
  };
  return command;
}

}  // namespace weft::cli
