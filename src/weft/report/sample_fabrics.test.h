// Fabrics for this room's tests, from the catalog.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "weft/catalog/catalog.h"
#include "weft/fabric/cluster.h"

namespace weft::report {

inline const catalog::Catalog& catalog_for_tests() {
  static const catalog::Catalog catalog = catalog::Catalog::builtin().value();
  return catalog;
}

inline fabric::Fabric build(const fabric::ClusterSpec& spec) {
  Result<fabric::Cluster> cluster = build_cluster(catalog_for_tests(), spec);
  if (!cluster) ADD_FAILURE() << cluster.error().to_string();
  return cluster ? std::move(cluster->fabric) : fabric::Fabric();
}

inline fabric::ServerGroup group_of(const std::string& part, int count) {
  fabric::ServerGroup group;
  group.server = part;
  group.count = count;
  return group;
}

inline fabric::Fabric servers(const std::string& part, int count = 1) {
  fabric::ClusterSpec spec;
  spec.groups.push_back(group_of(part, count));
  return build(spec);
}

inline fabric::Fabric short_form(const std::string& text) {
  const Result<fabric::ClusterSpec> spec = fabric::parse_short_form(text);
  if (!spec) ADD_FAILURE() << spec.error().to_string();
  return spec ? build(*spec) : fabric::Fabric();
}

// Three HGX H100 servers, each with a link to two of three switches, the switches joined, and a management network.
inline fabric::Fabric dual_homed(const std::string& switch_name = "ib") {
  fabric::ClusterSpec spec;
  spec.groups.push_back(group_of("hgx-h100-8", 3));
  spec.groups.front().options.nics = 2;
  spec.network_given = true;
  spec.network.kind = fabric::NetworkKind::custom;
  spec.network.management = true;
  for (int i = 0; i < 3; ++i) spec.network.switches.push_back({switch_name + std::to_string(i), "qm9700", false});
  for (int i = 0; i < 3; ++i) {
    const std::string server = "server" + std::to_string(i);
    const std::string next = switch_name + std::to_string((i + 1) % 3);
    spec.network.cables.push_back({server + ".nic0", switch_name + std::to_string(i), 1});
    spec.network.cables.push_back({server + ".nic1", next, 1});
    spec.network.cables.push_back({switch_name + std::to_string(i), next, 4});
  }
  return build(spec);
}

// Every server of the catalog, a few clusters, every kind of network.
inline std::vector<fabric::Fabric> all_shapes() {
  std::vector<fabric::Fabric> fabrics;
  for (const std::string& id : catalog_for_tests().ids(catalog::Kind::server)) fabrics.push_back(servers(id));
  fabrics.push_back(servers("pcie-a100:16"));
  fabrics.push_back(servers("hgx-h100-8", 16));
  fabrics.push_back(servers("gb200-nvl72", 4));
  fabrics.push_back(servers("hgx-h100-8", 500));
  fabrics.push_back(dual_homed());
  for (const char* text : {"fat-tree:k=16,rate=400Gb/s,latency=1us", "torus:dims=4x4x4,rate=100Gb/s",
                           "dragonfly:a=4,p=2,h=2,rate=200Gb/s", "leaf-spine:hosts=64,radix=16,rate=100Gb/s"}) {
    fabrics.push_back(short_form(text));
  }
  return fabrics;
}

}  // namespace weft::report
