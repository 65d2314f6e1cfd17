#include "weft/fabric/network.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "weft/fabric/clos.h"
#include "weft/fabric/direct_network.h"
#include "weft/fabric/server.h"
#include "weft/units/text.h"

namespace weft::fabric {
namespace {

constexpr std::array<std::string_view, 7> kNames = {"none",      "rail",  "leaf-spine", "fat-tree",
                                                    "dragonfly", "torus", "custom"};

// The usual leaf for a network link when nobody says which.
std::string_view usual_switch(LinkClass link_class, Rate line) {
  const double gbits = line.gbits();
  if (link_class == LinkClass::infiniband)
    return gbits > 500 ? "q3400" : gbits > 250 ? "qm9700" : gbits > 150 ? "qm8700" : "sb7800";
  return gbits > 500 ? "sn5600" : gbits > 250 ? "sn5600" : gbits > 150 ? "sn4700" : "sn3700";
}

Result<NetworkPlan> plan_of(const FabricBuilder& builder, const catalog::Catalog& catalog, const NetworkSpec& spec,
                            const std::vector<DeviceId>& nics, std::string_view nic_link,
                            std::vector<std::string>& assumed) {
  NetworkPlan plan;
  plan.nics = nics;
  const std::string link_id = !spec.link.empty() ? spec.link : std::string(nic_link);
  if (!link_id.empty()) {
    Result<Technology> technology = technology_of(catalog, link_id);
    if (!technology) return fail(std::move(technology.error()));
    plan.link = *technology;
  } else {
    if (spec.rate.count() == 0) {
      return fail(input_error("WEFT-FAB-0020", "the network's rate is not known")
                      .with_expected("link = \"ib-ndr\" or rate = \"400Gb/s\""));
    }
    plan.link = {"ethernet", LinkClass::ethernet, spec.rate, spec.rate, Duration(0)};
  }
  if (spec.rate.count() > 0 && spec.rate != plan.link.line) {
    const double goodput_share = plan.link.line.count() > 0 ? plan.link.goodput / plan.link.line : 1.0;
    plan.link.line = spec.rate;
    plan.link.goodput = spec.rate.scaled(goodput_share);
    plan.link.id += "@" + exact(spec.rate);
  }
  if (spec.latency_given) plan.link.latency = spec.latency;

  std::string switch_id = spec.switch_part;
  if (switch_id.empty() && spec.radix == 0) {
    switch_id = usual_switch(plan.link.link_class, plan.link.line);
    if (catalog.network_switch(switch_id)) {
      assumed.push_back("network switches are " + switch_id + " (the usual one at " + human_bits(plan.link.line) + ")");
    } else {
      switch_id.clear();
    }
  }
  plan.radix = spec.radix;
  if (!switch_id.empty()) {
    Result<catalog::SwitchPart> part = catalog.network_switch(switch_id);
    if (!part) return fail(std::move(part.error()));
    plan.model = {part->id, spec.latency_given ? Duration(0) : part->latency, Rate(0)};
    // A port may be split: 64 ports of 800G serve 128 NICs of 400G.
    const double split = plan.link.line.count() > 0 ? std::floor(part->port_rate / plan.link.line) : 1.0;
    if (plan.radix == 0) plan.radix = part->ports * std::max(1, static_cast<int>(split));
  }
  if (plan.radix == 0) {
    plan.radix = 64;
    assumed.emplace_back("switches have 64 ports");
  }
  for (const DeviceId nic : nics) plan.servers = std::max(plan.servers, builder.device(nic).server + 1);
  return plan;
}

Result<void> add_management(FabricBuilder& builder, const catalog::Catalog& catalog, const NetworkSpec& spec) {
  Result<Technology> technology = technology_of(catalog, "ethernet-1g");
  if (!technology) return fail(std::move(technology.error()));
  const std::string id = spec.management_switch.empty() ? "sn2201" : spec.management_switch;
  Result<catalog::SwitchPart> part = catalog.network_switch(id);
  if (!part) return fail(std::move(part.error()));
  const std::uint16_t link = builder.technology(*technology);
  const std::uint16_t model = builder.model({part->id, part->latency, Rate(0)});
  const int ports = std::max(2, part->ports) - 1;  // one port goes to the next management switch
  DeviceId current;
  DeviceId first;
  for (std::uint32_t server = 0; server < builder.server_count(); ++server) {
    if (server % static_cast<std::uint32_t>(ports) == 0) {
      current = builder.add_switch(DeviceKind::management, model);
      if (first.valid()) {
        builder.add_cable(first, current, link);
      } else {
        first = current;
      }
    }
    const DeviceId cpu = builder.find_in_server(server, DeviceKind::cpu, 0);
    if (cpu.valid()) builder.add_cable(cpu, current, link);
  }
  return {};
}

}  // namespace

std::string_view name_of(NetworkKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

Result<void> add_network(FabricBuilder& builder, const catalog::Catalog& catalog, const NetworkSpec& spec,
                         std::string_view nic_link, std::vector<std::string>& assumed) {
  std::vector<DeviceId> nics;
  for (std::size_t i = 0; i < builder.device_count(); ++i) {
    if (builder.device(DeviceId(i)).kind == DeviceKind::nic) nics.emplace_back(i);
  }
  if (spec.kind != NetworkKind::none) {
    if (nics.empty()) {
      return fail(input_error("WEFT-FAB-0021", "no server has a NIC to connect")
                      .with_hint("give the servers NICs: nic = \"cx7-ndr\", nics = 8"));
    }
    Result<NetworkPlan> plan = plan_of(builder, catalog, spec, nics, nic_link, assumed);
    if (!plan) return fail(std::move(plan.error()));
    Result<void> done;
    switch (spec.kind) {
      case NetworkKind::rail:
      case NetworkKind::leaf_spine:
        done = add_clos(builder, spec, *plan, assumed);
        break;
      case NetworkKind::fat_tree:
        done = add_fat_tree(builder, spec, *plan);
        break;
      case NetworkKind::dragonfly:
        done = add_dragonfly(builder, spec, *plan);
        break;
      case NetworkKind::torus:
        done = add_torus(builder, spec, *plan);
        break;
      case NetworkKind::custom:
        done = add_custom(builder, catalog, spec, *plan);
        break;
      case NetworkKind::none:
        break;
    }
    if (!done) return done;
  }
  return spec.management ? add_management(builder, catalog, spec) : Result<void>{};
}

}  // namespace weft::fabric
