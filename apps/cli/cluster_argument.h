// What every command that takes a cluster shares: its argument, its options, and loading it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "args.h"
#include "command.h"
#include "context.h"
#include "weft/intake/cluster.h"

namespace weft::cli {

[[nodiscard]] Positional cluster_positional(std::string_view name = "CLUSTER");
// --gpu and --condition, to put behind a command's own options.
[[nodiscard]] std::vector<Option> with_cluster_options(std::vector<Option> own);

// Loads the cluster that `name` (a positional or an option) names and says on stderr what was assumed and noticed.
[[nodiscard]] Result<intake::ClusterInput> load_cluster(const Args& args, Context& context,
                                                        std::string_view name = "CLUSTER");

// {"name", "format", "servers", "gpus", "nics", "switches"}, and what was assumed, for a JSON document.
[[nodiscard]] nlohmann::ordered_json cluster_json(const intake::ClusterInput& input);

// --server, checked against the cluster.
[[nodiscard]] Result<std::uint32_t> server_argument(const Args& args, const fabric::Fabric& fabric);

// A device by weft's name or the operator's; "gpu0" will do in a cluster of one server. Unknown: did-you-mean.
[[nodiscard]] Result<fabric::DeviceId> find_device(const fabric::Fabric& fabric, const std::string& name);

// "-" is stdout. Error with --json, whose document is stdout's already.
[[nodiscard]] Result<void> write_output(Context& context, const std::string& path, std::string_view content);

}  // namespace weft::cli
