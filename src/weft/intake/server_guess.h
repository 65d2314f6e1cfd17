// Which server of the catalog a GPU's name speaks of, when a log names GPUs and hosts but no server.
//
// By the words of the name as the driver prints it: "NVIDIA H100 80GB HBM3" is the SXM module, so an HGX H100;
// "NVIDIA A100 80GB PCIe" a card, so a PCIe server of as many. Names that several products share ("AMD Radeon
// Graphics") are nobody's: the user names the server.
#pragma once

#include <string>
#include <string_view>

namespace weft::intake {

// Catalog id; "" when the name does not tell.
[[nodiscard]] std::string guess_server(std::string_view gpu_name);

}  // namespace weft::intake
