#include "weft/fabric/direct_network.h"

#include <charconv>
#include <map>
#include <string>

#include "weft/base/suggest.h"

namespace weft::fabric {
namespace {

Error too_many_nics(std::string_view what, std::int64_t places, std::size_t nics) {
  return input_error("WEFT-FAB-0026", std::string(what) + " has " + std::to_string(places) +
                                          " host ports; the servers have " + std::to_string(nics) + " NICs");
}

std::vector<DeviceId> add_routers(FabricBuilder& builder, const NetworkPlan& plan, std::int64_t count) {
  const std::uint16_t model = builder.model(plan.model);
  std::vector<DeviceId> routers;
  for (std::int64_t i = 0; i < count; ++i) routers.push_back(builder.add_switch(DeviceKind::leaf, model));
  return routers;
}

void attach(FabricBuilder& builder, const NetworkPlan& plan, const std::vector<DeviceId>& routers, int per_router,
            std::uint16_t link) {
  for (std::size_t i = 0; i < plan.nics.size(); ++i)
    builder.add_cable(plan.nics[i], routers[i / static_cast<std::size_t>(per_router)], link);
}

// "server3.nic0" of the servers built so far.
DeviceId find_end(const FabricBuilder& builder, const std::map<std::string, DeviceId>& switches,
                  const std::string& name) {
  if (const auto found = switches.find(name); found != switches.end()) return found->second;
  const std::size_t dot = name.find(".nic");
  std::uint32_t server = 0;
  std::uint32_t index = 0;
  if (!name.starts_with("server") || dot == std::string::npos) return DeviceId::none();
  const char* end = name.data() + name.size();
  const auto a = std::from_chars(name.data() + 6, name.data() + dot, server);
  const auto b = std::from_chars(name.data() + dot + 4, end, index);
  if (a.ec != std::errc{} || a.ptr != name.data() + dot || b.ec != std::errc{} || b.ptr != end) return DeviceId::none();
  return server < builder.server_count() ? builder.find_in_server(server, DeviceKind::nic, index) : DeviceId::none();
}

}  // namespace

Result<void> add_dragonfly(FabricBuilder& builder, const NetworkSpec& spec, const NetworkPlan& plan) {
  const int a = spec.routers_per_group;
  const int h = spec.global_links;
  const int p = spec.hosts_per_router;
  const int groups = spec.groups > 0 ? spec.groups : a * h + 1;
  const std::int64_t places = std::int64_t{groups} * a * p;
  if (static_cast<std::int64_t>(plan.nics.size()) > places)
    return fail(too_many_nics("the dragonfly", places, plan.nics.size()));
  if (groups > a * h + 1) {
    return fail(input_error("WEFT-FAB-0027", std::to_string(groups) + " groups need " + std::to_string(groups - 1) +
                                                 " global links a group; a x h gives " + std::to_string(a * h)));
  }
  const std::uint16_t link = builder.technology(plan.link);
  const std::vector<DeviceId> routers = add_routers(builder, plan, std::int64_t{groups} * a);
  attach(builder, plan, routers, p, link);
  const auto router = [&](int group, int index) {
    return routers[static_cast<std::size_t>(group) * static_cast<std::size_t>(a) + static_cast<std::size_t>(index)];
  };
  for (int g = 0; g < groups; ++g) {
    for (int i = 0; i < a; ++i) {
      for (int j = i + 1; j < a; ++j) builder.add_cable(router(g, i), router(g, j), link);
    }
  }
  // Global link k of a group (k = 0 .. groups-2) leads to the k-th other group; links are dealt to routers in order.
  for (int g = 0; g < groups; ++g) {
    for (int other = g + 1; other < groups; ++other) {
      builder.add_cable(router(g, (other - 1) / h), router(other, g / h), link);
    }
  }
  return {};
}

Result<void> add_torus(FabricBuilder& builder, const NetworkSpec& spec, const NetworkPlan& plan) {
  std::int64_t nodes = 1;
  for (const int size : spec.dimensions) nodes *= size;
  if (static_cast<std::int64_t>(plan.nics.size()) > nodes)
    return fail(too_many_nics("the torus", nodes, plan.nics.size()));
  const std::uint16_t link = builder.technology(plan.link);
  const std::vector<DeviceId> routers = add_routers(builder, plan, nodes);
  attach(builder, plan, routers, 1, link);
  std::int64_t stride = 1;
  for (const int size : spec.dimensions) {
    for (std::int64_t node = 0; node < nodes && size > 1; ++node) {
      const std::int64_t place = node / stride % size;
      if (size == 2 && place == 1) continue;  // one cable, not two, between a pair
      const std::int64_t next = node + ((place + 1) % size - place) * stride;
      builder.add_cable(routers[static_cast<std::size_t>(node)], routers[static_cast<std::size_t>(next)], link);
    }
    stride *= size;
  }
  return {};
}

Result<void> add_custom(FabricBuilder& builder, const catalog::Catalog& catalog, const NetworkSpec& spec,
                        const NetworkPlan& plan) {
  const std::uint16_t link = builder.technology(plan.link);
  std::map<std::string, DeviceId> switches;
  std::vector<std::string> names;
  for (const CustomSwitch& custom : spec.switches) {
    DeviceModel model = plan.model;
    if (!custom.part.empty()) {
      Result<catalog::SwitchPart> part = catalog.network_switch(custom.part);
      if (!part) return fail(std::move(part.error()));
      model = {part->id, part->latency, Rate(0)};
    }
    const DeviceId id = builder.add_switch(custom.spine ? DeviceKind::spine : DeviceKind::leaf, builder.model(model));
    builder.set_operator_name(id, custom.name);
    if (!switches.emplace(custom.name, id).second)
      return fail(input_error("WEFT-FAB-0028", "two switches are named \"" + custom.name + "\""));
    names.push_back(custom.name);
  }
  for (const CustomCable& cable : spec.cables) {
    const DeviceId from = find_end(builder, switches, cable.from);
    const DeviceId to = find_end(builder, switches, cable.to);
    if (!from.valid() || !to.valid() || from == to) {
      const std::string& wrong = from.valid() ? cable.to : cable.from;
      return fail(
          input_error("WEFT-FAB-0029", "a cable ends at \"" + wrong + "\", which is no NIC or switch of this cluster")
              .with_expected("server0.nic0 or the name of a switch")
              .with_hint(did_you_mean(wrong, names)));
    }
    builder.add_cable(from, to, link, static_cast<std::uint16_t>(cable.count));
  }
  return {};
}

}  // namespace weft::fabric
