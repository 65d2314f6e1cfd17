// [network] of a cluster file: kind, its keys, switches and cables. Private to formats/cluster_toml.
#pragma once

#include "weft/fabric/network.h"
#include "weft/formats/toml_file.h"

namespace weft::formats {

// Keys that the kind does not take, and what it cannot do without, are errors at their place.
Result<void> read_cluster_network(const TomlFile& file, const toml::table& table, fabric::NetworkSpec& spec);

}  // namespace weft::formats
