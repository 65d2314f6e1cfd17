#include "weft/fabric/server.h"

#include <algorithm>
#include <map>
#include <utility>

#include "weft/base/check.h"

namespace weft::fabric {
namespace {

using catalog::GpuFabricShape;
using catalog::PcieGroup;
using catalog::ServerPart;

// Everything of the catalog that one server needs, looked up once.
struct Parts {
  catalog::GpuPart gpu;
  catalog::CpuPart cpu;
  catalog::NicPart nic;
  Technology gpu_host;
  Technology nic_host;
};

struct Placed {
  std::vector<DeviceId> gpus;
  std::vector<DeviceId> cpus;
  std::vector<DeviceId> nics;
};

// An x16 slot whose lanes are split between `shares` devices: "pcie5-x16" -> "pcie5-x8" with half the rates.
Technology bifurcate(Technology slot, int shares) {
  const std::size_t x = slot.id.rfind("-x16");
  slot.id = x == std::string::npos ? slot.id + "/" + std::to_string(shares)
                                   : slot.id.substr(0, x) + "-x" + std::to_string(16 / shares);
  slot.line = slot.line / shares;
  slot.goodput = slot.goodput / shares;
  return slot;
}

bool is_c2c(const Technology& technology) { return technology.link_class == LinkClass::c2c; }

Result<Parts> look_up(const catalog::Catalog& catalog, const ServerPart& part) {
  Parts parts;
  if (part.gpus > 0) {
    Result<catalog::GpuPart> gpu = catalog.gpu(part.gpu);
    if (!gpu) return fail(std::move(gpu.error()));
    Result<Technology> host = technology_of(catalog, gpu->host_link);
    if (!host) return fail(std::move(host.error()));
    parts.gpu = std::move(*gpu);
    parts.gpu_host = std::move(*host);
  }
  if (!part.cpu.empty()) {
    Result<catalog::CpuPart> cpu = catalog.cpu(part.cpu);
    if (!cpu) return fail(std::move(cpu.error()));
    parts.cpu = std::move(*cpu);
  }
  if (part.nics > 0) {
    Result<catalog::NicPart> nic = catalog.nic(part.nic);
    if (!nic) return fail(std::move(nic.error()));
    Result<Technology> host = technology_of(catalog, nic->host_link);
    if (!host) return fail(std::move(host.error()));
    parts.nic = std::move(*nic);
    parts.nic_host = std::move(*host);
  }
  return parts;
}

Result<void> add_sockets(FabricBuilder& builder, const catalog::Catalog& catalog, const ServerPart& part,
                         const Parts& parts, Placed& placed) {
  const std::uint16_t model = builder.model({part.cpu, Duration(0), parts.cpu.p2p_rate});
  for (int i = 0; i < part.sockets; ++i) placed.cpus.push_back(builder.add_server_device(DeviceKind::cpu, model));
  if (parts.cpu.socket_link.empty()) return {};
  Result<Technology> link = technology_of(catalog, parts.cpu.socket_link);
  if (!link) return fail(std::move(link.error()));
  const std::uint16_t technology = builder.technology(*link);
  const int per_tray = part.sockets / std::max(1, part.trays);
  for (int a = 0; a < part.sockets; ++a) {
    for (int b = a + 1; b < part.sockets && b / per_tray == a / per_tray; ++b) {
      builder.add_cable(placed.cpus[static_cast<std::size_t>(a)], placed.cpus[static_cast<std::size_t>(b)], technology,
                        static_cast<std::uint16_t>(std::max(1, parts.cpu.socket_links)));
    }
  }
  return {};
}

Result<void> add_gpu_links(FabricBuilder& builder, const catalog::Catalog& catalog, const ServerPart& part,
                           const Parts& parts, const Placed& placed) {
  if (part.shape == GpuFabricShape::none) return {};
  Result<Technology> link = technology_of(catalog, parts.gpu.gpu_link);
  if (!link) return fail(std::move(link.error()));
  const std::uint16_t technology = builder.technology(*link);
  const auto gpu = [&](int i) { return placed.gpus[static_cast<std::size_t>(i)]; };
  if (part.shape != GpuFabricShape::switched) {
    for (const catalog::MeshEdge& edge : part.mesh) {
      builder.add_cable(gpu(edge.a), gpu(edge.b), technology, static_cast<std::uint16_t>(edge.links));
    }
    return {};
  }
  Result<catalog::SwitchPart> chip = catalog.network_switch(part.nvswitch);
  if (!chip) return fail(std::move(chip.error()));
  const std::uint16_t model = builder.model({chip->id, chip->latency, Rate(0)});
  const int boards = std::max(1, part.baseboards);
  const int gpus_per_board = part.gpus / boards;
  std::vector<std::vector<DeviceId>> chips(static_cast<std::size_t>(boards));
  for (auto& board : chips) {
    for (std::size_t s = 0; s < part.switch_links.size(); ++s)
      board.push_back(builder.add_server_device(DeviceKind::nvswitch, model));
  }
  for (int g = 0; g < part.gpus; ++g) {
    const auto& board = chips[static_cast<std::size_t>(g / gpus_per_board)];
    for (std::size_t s = 0; s < board.size(); ++s) {
      if (part.switch_links[s] > 0)
        builder.add_cable(gpu(g), board[s], technology, static_cast<std::uint16_t>(part.switch_links[s]));
    }
  }
  for (int b = 0; b + 1 < boards; ++b) {
    for (std::size_t s = 0; s < part.switch_links.size(); ++s) {
      builder.add_cable(chips[static_cast<std::size_t>(b)][s], chips[static_cast<std::size_t>(b) + 1][s], technology,
                        static_cast<std::uint16_t>(part.switch_links[s] * gpus_per_board));
    }
  }
  return {};
}

// The root complexes of the sockets, made as groups ask for them.
class Roots {
 public:
  Roots(FabricBuilder& builder, const Parts& parts, const Placed& placed) : builder_(builder), placed_(placed) {
    model_ = builder.model({"", Duration(0), parts.cpu.p2p_rate});
    // Between a root complex and its socket's memory lies the die: as fast as the memory, and nothing to cable.
    const Rate memory = parts.cpu.memory_rate.count() > 0 ? parts.cpu.memory_rate : Rate::gbyte_per_s(200);
    on_die_ = builder.technology({"on-die", LinkClass::cpu_bus, memory, memory, Duration(0)});
  }
  DeviceId of(int socket, int root) {
    if (root >= 0) {
      if (const auto found = shared_.find({socket, root}); found != shared_.end()) return found->second;
    }
    const DeviceId id = builder_.add_server_device(DeviceKind::root_complex, model_);
    builder_.add_cable(id, placed_.cpus[static_cast<std::size_t>(socket)], on_die_);
    if (root >= 0) shared_[{socket, root}] = id;
    return id;
  }

 private:
  FabricBuilder& builder_;
  const Placed& placed_;
  std::uint16_t model_ = 0;
  std::uint16_t on_die_ = 0;
  std::map<std::pair<int, int>, DeviceId> shared_;
};

Result<void> add_group(FabricBuilder& builder, const catalog::Catalog& catalog, const PcieGroup& group,
                       const Parts& parts, const Placed& placed, Roots& roots) {
  const DeviceId cpu = placed.cpus[static_cast<std::size_t>(group.socket)];
  const bool gpus_on_bus = !group.gpus.empty() && !is_c2c(parts.gpu_host);
  DeviceId parent;
  if (gpus_on_bus || !group.nics.empty()) parent = roots.of(group.socket, group.root);
  if (!group.switch_part.empty()) {
    Result<catalog::SwitchPart> part = catalog.network_switch(group.switch_part);
    if (!part) return fail(std::move(part.error()));
    Result<Technology> uplink = technology_of(catalog, group.uplink);
    if (!uplink) return fail(std::move(uplink.error()));
    const DeviceId bridge =
        builder.add_server_device(DeviceKind::pcie_switch, builder.model({part->id, part->latency, Rate(0)}));
    builder.add_cable(bridge, parent, builder.technology(*uplink));
    parent = bridge;
  }
  const int members = static_cast<int>(group.gpus.size() + group.nics.size());
  const auto share = [&](const Technology& link) {
    return builder.technology(group.bifurcated && members > 1 ? bifurcate(link, members) : link);
  };
  for (const int g : group.gpus) {
    const DeviceId gpu = placed.gpus[static_cast<std::size_t>(g)];
    if (is_c2c(parts.gpu_host)) {
      builder.add_cable(gpu, cpu, builder.technology(parts.gpu_host));
    } else {
      builder.add_cable(gpu, parent, share(parts.gpu_host));
    }
  }
  for (const int n : group.nics)
    builder.add_cable(placed.nics[static_cast<std::size_t>(n)], parent, share(parts.nic_host));
  return {};
}

// Another number of NICs than the design's, dealt to the PCIe groups in order.
void deal_nics(ServerPart& part, int nics) {
  for (PcieGroup& group : part.pcie) group.nics.clear();
  part.nics = nics;
  if (part.pcie.empty()) return;
  const std::size_t groups = part.pcie.size();
  for (int n = 0; n < nics; ++n) {
    const std::size_t at = nics <= static_cast<int>(groups)
                               ? static_cast<std::size_t>(n) * groups / static_cast<std::size_t>(nics)
                               : static_cast<std::size_t>(n) % groups;
    part.pcie[at].nics.push_back(n);
  }
}

}  // namespace

Result<Technology> technology_of(const catalog::Catalog& catalog, std::string_view link_id) {
  return catalog.link(link_id).map([](const catalog::LinkPart& link) {
    return Technology{link.id, link.link_class, link.line, link.goodput.count() > 0 ? link.goodput : link.line,
                      link.latency};
  });
}

Result<ServerPart> resolve_server(const catalog::Catalog& catalog, std::string_view name,
                                  const ServerOptions& options) {
  const std::string asked = options.gpus > 0 && name.find(':') == std::string_view::npos
                                ? std::string(name) + ":" + std::to_string(options.gpus)
                                : std::string(name);
  Result<ServerPart> part = catalog.server(asked);
  if (!part) return part;
  if (!options.nic.empty()) part->nic = options.nic;
  if (options.nics >= 0 || (!options.nic.empty() && part->nics == 0)) {
    const int nics = options.nics >= 0 ? options.nics : 1;
    if (nics > 0 && part->nic.empty()) {
      return fail(input_error("WEFT-FAB-0031", part->id + " has no NIC of its own")
                      .with_expected("nic = \"cx7-ndr\" or another NIC part"));
    }
    deal_nics(*part, nics);
  }
  return part;
}

Result<std::uint32_t> add_server(FabricBuilder& builder, const catalog::Catalog& catalog, const ServerPart& part,
                                 const ServerOptions& options) {
  Result<Parts> parts = look_up(catalog, part);
  if (!parts) return fail(std::move(parts.error()));
  Server properties;
  properties.part = part.id;
  properties.peer_to_peer = options.peer_to_peer.value_or(part.peer_to_peer);
  properties.gpudirect_rdma = options.gpudirect_rdma && (part.nics == 0 || parts->nic.gpudirect_rdma);
  properties.nvls = part.nvls;
  const std::uint32_t server = builder.open_server(std::move(properties));

  Placed placed;
  const std::uint16_t gpu_model = builder.model({part.gpu, Duration(0), Rate(0), parts->gpu.sm});
  for (int i = 0; i < part.gpus; ++i) placed.gpus.push_back(builder.add_server_device(DeviceKind::gpu, gpu_model));
  const std::uint16_t nic_model = builder.model({part.nic, Duration(0), Rate(0)});
  for (int i = 0; i < part.nics; ++i) placed.nics.push_back(builder.add_server_device(DeviceKind::nic, nic_model));
  Result<void> done = add_sockets(builder, catalog, part, *parts, placed);
  if (done) done = add_gpu_links(builder, catalog, part, *parts, placed);
  Roots roots(builder, *parts, placed);
  for (const PcieGroup& group : part.pcie) {
    if (done) done = add_group(builder, catalog, group, *parts, placed, roots);
  }
  if (!done) return fail(std::move(done.error()));
  return server;
}

}  // namespace weft::fabric
