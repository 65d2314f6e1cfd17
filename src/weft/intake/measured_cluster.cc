#include "weft/intake/measured_cluster.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "weft/intake/measured_network.h"

namespace weft::intake {
namespace {

using formats::MeasuredTable;

bool says(const std::string& prose, std::initializer_list<std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return prose.find(phrase) != std::string::npos; });
}

bool bridged(const MeasuredTable& table) {
  return says(table.interconnect, {"NVLink bridge", "NVLink2 bridge", "NVLink3 bridge"}) &&
         !says(table.interconnect, {"bridge not", "bridges not", "no NVLink bridge"});
}

// What header and prose say about peer-to-peer; none: nothing.
std::optional<bool> stated_p2p(const MeasuredTable& table) {
  if (table.p2p) return table.p2p;
  if (says(table.interconnect, {"no P2P", "(SHM)", "SHM/direct", "SHM path", "peer access NOT available"}))
    return false;
  if (says(table.interconnect, {"P2P driver", "x16 P2P"}) || says(table.gpu, {"P2P enabled"})) return true;
  return std::nullopt;
}

}  // namespace

std::string MeasuredCluster::key() const {
  const fabric::ServerGroup& group = spec.groups.front();
  std::string key = group.server + "|" + std::to_string(group.count) + "|" + std::to_string(group.options.nics) + "|" +
                    group.options.nic + "|" + spec.network.link + "|" + std::to_string(spec.network.rate.count());
  if (group.options.peer_to_peer) key += *group.options.peer_to_peer ? "|p2p" : "|no p2p";
  for (const std::string& condition : spec.conditions) key += "|" + condition;
  return key;
}

Result<MeasuredCluster> describe_cluster(const catalog::Catalog& catalog, const MeasuredTable& table) {
  MeasuredCluster cluster;
  const int gpus = table.gpus_per_server.value_or(0);
  // A count after the name ("pcie-a100:4") is the user's own.
  std::string name = table.server;
  if (bridged(table) && catalog.find(name + "-bridged") != nullptr) {
    name += "-bridged";
  }
  Result<catalog::ServerPart> part = catalog.server(name);
  if (!part) return fail(std::move(part.error()));
  if (part->parametric && name.find(':') == std::string::npos) {
    name += ":" + std::to_string(gpus);
    part = catalog.server(name);
    if (!part) return fail(std::move(part.error()));
  }
  if (part->gpus < gpus) {
    return fail(input_error("WEFT-INT-0021", name + " has " + std::to_string(part->gpus) + " GPUs, and " +
                                                 std::to_string(gpus) + " took part"));
  }
  Result<catalog::GpuPart> gpu = catalog.gpu(part->gpu);
  if (!gpu) return fail(std::move(gpu.error()));
  cluster.server = std::move(*part);
  cluster.gpu = std::move(*gpu);

  fabric::ServerGroup group;
  group.server = name;
  group.count = table.servers.value_or(1);
  const bool p2p = stated_p2p(table).value_or(cluster.server.peer_to_peer);
  if (p2p && !cluster.server.peer_to_peer) group.options.peer_to_peer = true;
  if (!p2p && cluster.server.peer_to_peer) cluster.spec.conditions.emplace_back("no-p2p fabric");
  if (table.gdr == false) cluster.spec.conditions.emplace_back("no-gdr fabric");
  cluster.spec.groups.push_back(std::move(group));
  if (table.servers.value_or(1) < 2) return cluster;
  if (Result<void> network = choose_network(catalog, table, cluster.server, cluster.spec, cluster.assumed); !network)
    return fail(std::move(network.error()));
  return cluster;
}

}  // namespace weft::intake
