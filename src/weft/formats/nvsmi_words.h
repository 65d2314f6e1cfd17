// The vocabulary of `nvidia-smi topo -m`: device names, connection words (whole, glued or damaged), terminal colours.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/formats/nvsmi_matrix.h"

namespace weft::formats {

// Without terminal control sequences (colours, underline), carriage returns and no-break spaces.
[[nodiscard]] std::string without_terminal_codes(std::string_view line);

// "GPU3", "NIC0", "mlx5_0", "hns_1", "bnxt_re0", "rocep4s0f0" …
[[nodiscard]] bool is_topo_device(std::string_view word);
[[nodiscard]] bool is_topo_gpu(std::string_view word);
// The device names at the front of a word, glued ones apart ("GPU0GPU1NIC0"); `rest` receives what follows them.
[[nodiscard]] std::vector<std::string> take_topo_devices(std::string_view word, std::string_view& rest);

// The connection words that a word consists of: one, or several when glued ("NODEPIX"). Empty: it is something else.
[[nodiscard]] std::vector<TopoCell> topo_cells(std::string_view word);
// "…" and "...".
[[nodiscard]] bool is_ellipsis(std::string_view word);
// "0-47,96-143", "4,6,8", "N/A", "3".
[[nodiscard]] bool is_affinity(std::string_view word);

// nvidia-smi 535 writes the CPU affinity over the end of the last cell: "PH0-115" is PHB and 0-115.
struct OverwrittenCell {
  std::optional<Closeness> closeness;  // none when the letters left fit several words ("P0-115")
  std::string affinity;
};
[[nodiscard]] std::optional<OverwrittenCell> overwritten_cell(std::string_view word);

}  // namespace weft::formats
