// Any text is a cluster's description, or an error with a place. The fabric is built only when it is small.
#include "weft/formats/cluster_toml.h"

#include <cstddef>
#include <cstdint>

#include "operator_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::SourceText source{"cluster.toml", std::string(data, data + size)};
  const weft::Result<weft::formats::ClusterFile> file = weft::formats::parse_cluster_toml(source);
  if (!file) {
    weft::error_holds(file.error());
    return 0;
  }
  constexpr int kFewServers = 8;
  int servers = 0;
  for (const weft::fabric::ServerGroup& group : file->spec.groups) {
    if (group.count > kFewServers) return 0;
    servers += group.count;
  }
  if (servers > kFewServers || file->spec.network.k > kFewServers || !file->spec.network.dimensions.empty() ||
      file->spec.network.kind == weft::fabric::NetworkKind::dragonfly) {
    return 0;
  }
  const weft::Result<weft::fabric::Cluster> cluster = weft::formats::read_cluster_toml(weft::fuzz_catalog(), source);
  if (cluster) {
    weft::fabric_holds(cluster->fabric, cluster->conditions);
  } else {
    weft::error_holds(cluster.error());
  }
  return 0;
}
