// Every command there is, in the order of the help; and those that are announced but not built.
#pragma once

#include <span>

#include "command.h"

namespace weft::cli {

[[nodiscard]] const Command& root_command();

struct PlannedCommand {
  std::string_view name;
  std::string_view summary;
};
[[nodiscard]] std::span<const PlannedCommand> planned_commands();

// One function a file; root_command() lists them.
[[nodiscard]] const Command& plan_command();
[[nodiscard]] const Command& compare_command();
[[nodiscard]] const Command& collective_command();
[[nodiscard]] const Command& validate_command();
[[nodiscard]] const Command& calibrate_command();
[[nodiscard]] const Command& catalog_command();
[[nodiscard]] const Command& topo_command();
[[nodiscard]] const Command& help_command();
[[nodiscard]] const Command& completion_command();

}  // namespace weft::cli
