#include "weft/fabric/cluster.h"

#include <algorithm>

#include "weft/units/text.h"

namespace weft::fabric {
namespace {

constexpr int kMostServers = 1'000'000;

// A node of a pure network: one socket, one NIC, no GPU.
std::uint32_t add_host(FabricBuilder& builder) {
  Server properties;
  properties.part = "host";
  const std::uint32_t server = builder.open_server(std::move(properties));
  const std::uint16_t plain = builder.model({});
  const DeviceId cpu = builder.add_server_device(DeviceKind::cpu, plain);
  const DeviceId nic = builder.add_server_device(DeviceKind::nic, plain);
  // The host's own bus never limits a pure network.
  builder.add_cable(cpu, nic,
                    builder.technology({"host-bus", LinkClass::pcie, Rate::gbit_per_s(100'000),
                                        Rate::gbit_per_s(100'000), Duration(0)}));
  return server;
}

int servers_per_rack(const catalog::Catalog& catalog, const ServerGroup& group, std::string_view part) {
  if (group.servers_per_rack > 0) return group.servers_per_rack;
  for (const catalog::Part* rack : catalog.parts(catalog::Kind::rack)) {
    const catalog::Figure* server = rack->find("server");
    const catalog::Figure* count = rack->find("servers");
    if (server == nullptr || count == nullptr) continue;
    const auto* name = std::get_if<std::string>(&server->value);
    const auto* number = std::get_if<std::int64_t>(&count->value);
    if (name != nullptr && number != nullptr && *name == part && *number > 0) return static_cast<int>(*number);
  }
  return 4;  // air-cooled 8-GPU servers: power allows about four
}

// What the NICs of the groups are cabled with.
struct Placed {
  std::string nic_link;     // of the first server that has a NIC
  std::string switch_part;  // its reference leaf switch
  bool any_nic = false;
  int racks = 0;
};

Result<void> place_group(FabricBuilder& builder, const catalog::Catalog& catalog, const ServerGroup& group,
                         Placed& placed, std::vector<std::string>& assumed) {
  if (group.count < 1 || group.count > kMostServers) {
    return fail(input_error("WEFT-FAB-0030", std::to_string(group.count) + " servers")
                    .with_expected("1 to " + std::to_string(kMostServers)));
  }
  std::uint32_t first = 0;
  std::string part_id = "host";
  if (group.server == "host") {
    first = add_host(builder);
    placed.any_nic = true;
  } else {
    Result<catalog::ServerPart> part = resolve_server(catalog, group.server, group.options);
    if (!part) return fail(std::move(part.error()));
    Result<std::uint32_t> added = add_server(builder, catalog, *part, group.options);
    if (!added) return fail(std::move(added.error()));
    first = *added;
    part_id = part->id;
    const std::string nic_id = group.options.nic.empty() ? part->nic : group.options.nic;
    if (builder.server(first).nics > 0 && !placed.any_nic) {
      Result<catalog::NicPart> nic = catalog.nic(nic_id);
      if (!nic) return fail(std::move(nic.error()));
      placed.any_nic = true;
      placed.nic_link = nic->network_link;
      placed.switch_part = part->network_switch;
    }
  }
  const int per_rack = servers_per_rack(catalog, group, part_id);
  if (group.servers_per_rack == 0 && group.count > 1 && group.server != "host") {
    assumed.push_back(std::to_string(per_rack) + (per_rack == 1 ? " server" : " servers") + " of " + part_id +
                      " to a rack");
  }
  for (int i = 0; i < group.count; ++i) {
    const std::uint32_t server = i == 0 ? first : builder.clone_server(first);
    builder.server(server).rack = static_cast<std::uint32_t>(placed.racks + i / per_rack);
    if (!group.name.empty()) {
      const DeviceId cpu = builder.find_in_server(server, DeviceKind::cpu, 0);
      if (cpu.valid()) builder.set_operator_name(cpu, group.name + std::to_string(i));
    }
  }
  placed.racks += (group.count + per_rack - 1) / per_rack;
  return {};
}

// The reference design's leaf, unless three tiers of it cannot reach so many NICs: then the largest of its network.
std::string usual_switch(const catalog::Catalog& catalog, const Placed& placed, std::int64_t nics,
                         std::vector<std::string>& assumed) {
  const Result<catalog::SwitchPart> reference = catalog.network_switch(placed.switch_part);
  if (!reference) return placed.switch_part;
  const auto reach = [](std::int64_t ports) { return ports * ports * ports / 4; };
  if (nics <= reach(reference->ports)) return placed.switch_part;
  const Result<Technology> link = technology_of(catalog, placed.nic_link);
  if (!link) return placed.switch_part;
  const std::string larger = link->link_class == LinkClass::infiniband ? "q3400" : "sn5600";
  assumed.push_back("network switches are " + larger + ": three tiers of " + placed.switch_part + " reach " +
                    std::to_string(reach(reference->ports)) + " NICs");
  return larger;
}

std::int64_t count_nics(const FabricBuilder& builder) {
  std::int64_t nics = 0;
  for (std::size_t i = 0; i < builder.device_count(); ++i)
    nics += builder.device(DeviceId(i)).kind == DeviceKind::nic ? 1 : 0;
  return nics;
}

}  // namespace

Result<Cluster> build_cluster(const catalog::Catalog& catalog, const ClusterSpec& spec) {
  Cluster cluster;
  cluster.name = spec.name;
  FabricBuilder builder;
  Placed placed;
  int servers = 0;
  for (const ServerGroup& group : spec.groups) {
    if (Result<void> done = place_group(builder, catalog, group, placed, cluster.assumed); !done)
      return fail(std::move(done.error()));
    servers += group.count;
  }
  NetworkSpec network = spec.network;
  if (!spec.network_given && servers > 1) {
    if (placed.any_nic) {
      network.kind = NetworkKind::rail;
      cluster.assumed.emplace_back(
          "the servers' network is rail-optimised without oversubscription (the reference design)");
    } else {
      cluster.assumed.emplace_back("the servers have no NICs: they are not connected to each other");
    }
  }
  if (network.switch_part.empty() && network.radix == 0 && network.link.empty() && network.rate.count() == 0) {
    network.switch_part = usual_switch(catalog, placed, count_nics(builder), cluster.assumed);
  }
  Result<void> connected = add_network(builder, catalog, network, placed.nic_link, cluster.assumed);
  if (!connected) return fail(std::move(connected.error()));
  cluster.fabric = std::move(builder).finish();
  for (const std::string& text : spec.conditions) {
    Result<Condition> condition = parse_condition(cluster.fabric, text);
    if (!condition) return fail(std::move(condition.error()));
    cluster.conditions.add(std::move(*condition));
  }
  return cluster;
}

}  // namespace weft::fabric
