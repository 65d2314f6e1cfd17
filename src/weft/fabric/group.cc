#include "weft/fabric/group.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "weft/fabric/copies.h"
#include "weft/fabric/local_path.h"
#include "weft/fabric/network_path.h"
#include "weft/fabric/sharing.h"

namespace weft::fabric {
namespace {

// The group's ranks on one server, in rank order.
struct Members {
  std::uint32_t server = 0;
  std::vector<DeviceId> gpus;
};

std::vector<Members> by_server(const Fabric& fabric, std::span<const DeviceId> gpus) {
  std::vector<Members> members;
  std::map<std::uint32_t, std::size_t> place;
  for (const DeviceId gpu : gpus) {
    const std::uint32_t server = fabric.device(gpu).server;
    if (!members.empty() && members.back().server == server) {  // ranks of a server mostly stand together
      members.back().gpus.push_back(gpu);
      continue;
    }
    const auto [found, added] = place.try_emplace(server, members.size());
    if (added) members.push_back({server, {}});
    members[found->second].gpus.push_back(gpu);
  }
  return members;
}

// What a GPU's NVLink or xGMI ports carry towards the group: all of them through switches, those to members in a mesh.
struct GpuFabricUse {
  Rate rate;
  LinkId example;
  bool switched = false;
};

GpuFabricUse gpu_fabric_use(const Fabric& fabric, DeviceId gpu, const std::vector<DeviceId>& group,
                            const Conditions& conditions) {
  GpuFabricUse use;
  for (const LinkId id : fabric.links_from(gpu)) {
    if (!catalog::is_gpu_fabric(fabric.technology(id).link_class)) continue;
    const DeviceId to = fabric.link(id).to;
    const bool to_switch = fabric.device(to).kind == DeviceKind::nvswitch;
    if (!to_switch && std::find(group.begin(), group.end(), to) == group.end()) continue;
    use.rate += conditions.empty() ? fabric.goodput(id) : conditions.state(fabric, id).goodput;
    use.example = id;
    use.switched = use.switched || to_switch;
  }
  return use;
}

// One NVLink domain: the GPU with the least to give sets the rate. False when some member has no port towards the rest.
bool inside_domain(const Fabric& fabric, const std::vector<DeviceId>& gpus, const Conditions& conditions,
                   GroupShape& shape) {
  const std::uint32_t domain = fabric.nvlink_domain(gpus.front());
  if (domain == Fabric::kNoDomain) return false;
  Rate slowest;
  bool all_switched = true;
  LinkId example;
  for (const DeviceId gpu : gpus) {
    if (fabric.nvlink_domain(gpu) != domain) return false;
    const GpuFabricUse use = gpu_fabric_use(fabric, gpu, gpus, conditions);
    if (use.rate.count() == 0) return false;
    if (!example.valid() || use.rate < slowest) slowest = use.rate;
    example = use.example;
    all_switched = all_switched && use.switched;
  }
  shape.inside = fabric.technology(example).link_class;
  shape.inside_link = fabric.technology(example).id;
  shape.inside_rate = shape.inside_rate.count() == 0 ? slowest : std::min(shape.inside_rate, slowest);
  shape.inside_alone = shape.inside_rate;
  shape.all_to_all = all_switched;
  return true;
}

// Over PCIe: the ring of neighbours, all sending at once.
bool inside_bus(const Fabric& fabric, const std::vector<DeviceId>& gpus, const Conditions& conditions,
                GroupShape& shape) {
  std::vector<Path> ring;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    std::optional<Path> path = local_path(fabric, gpus[i], gpus[(i + 1) % gpus.size()], conditions);
    if (!path) return false;
    ring.push_back(std::move(*path));
  }
  const std::vector<Rate> rates = concurrent_rates(ring);
  const auto slowest = std::min_element(rates.begin(), rates.end());
  const Path& path = ring[static_cast<std::size_t>(slowest - rates.begin())];
  if (shape.inside_rate.count() == 0 || *slowest < shape.inside_rate) {
    const auto narrow = std::min_element(path.hops.begin(), path.hops.end(),
                                         [](const Hop& a, const Hop& b) { return a.state.goodput < b.state.goodput; });
    shape.inside = fabric.technology(narrow->link).link_class;
    shape.inside_link = fabric.technology(narrow->link).id;
    shape.inside_rate = *slowest;
    shape.inside_alone = path.goodput();
  }
  for (const Path& each : ring) shape.inside_bounce = shape.inside_bounce || each.host_bounce;
  return true;
}

struct NicUse {
  std::vector<DeviceId> nics;  // distinct, in rank order
  Rate total;
  LinkId example;
  bool reached = true;  // every rank has a NIC with a cable
};

Rate host_side(const Fabric& fabric, DeviceId nic, const Conditions& conditions) {
  Rate rate;
  for (const LinkId id : fabric.links_from(nic)) {
    if (fabric.technology(id).link_class == LinkClass::pcie) rate += conditions.state(fabric, id).goodput;
  }
  return rate;
}

// The NICs that hang on the same PCIe switch as this one and as the GPU: a library uses all of them (32 x 100G EFA).
std::vector<DeviceId> with_siblings(const Fabric& fabric, DeviceId gpu, DeviceId nic) {
  for (const LinkId up : fabric.links_from(nic)) {
    const DeviceId pcie_switch = fabric.link(up).to;
    if (fabric.device(pcie_switch).kind != DeviceKind::pcie_switch) continue;
    if (!fabric.link_between(pcie_switch, gpu).valid()) break;
    std::vector<DeviceId> nics;
    for (const LinkId down : fabric.links_from(pcie_switch)) {
      const DeviceId device = fabric.link(down).to;
      if (fabric.device(device).kind == DeviceKind::nic && fabric.leaf_of(device).valid()) nics.push_back(device);
    }
    return nics;
  }
  return {nic};
}

void add_nic(const Fabric& fabric, DeviceId nic, const Conditions& conditions, NicUse& use) {
  if (std::find(use.nics.begin(), use.nics.end(), nic) != use.nics.end()) return;
  use.nics.push_back(nic);
  Rate port;
  for (const LinkId id : fabric.links_from(nic)) {
    if (!catalog::is_network(fabric.technology(id).link_class)) continue;
    port += conditions.state(fabric, id).goodput;
    use.example = id;
  }
  const Rate host = host_side(fabric, nic, conditions);
  use.total += host.count() > 0 ? std::min(port, host) : port;
}

NicUse nic_use(const Fabric& fabric, const Members& members, const Conditions& conditions, GroupShapes& shapes) {
  NicUse use;
  for (const DeviceId gpu : members.gpus) {
    const DeviceId nic = shapes.nic_of(gpu);
    if (!nic.valid()) {
      use.reached = false;
      continue;
    }
    for (const DeviceId each : with_siblings(fabric, gpu, nic)) add_nic(fabric, each, conditions, use);
  }
  return use;
}

// The NICs of a server that is a copy of one whose use is known. None: they are not cabled alike.
std::optional<NicUse> copied_use(const Fabric& fabric, const NicUse& original, std::uint32_t server) {
  NicUse use = original;
  for (DeviceId& nic : use.nics) {
    nic = fabric.nic(server, fabric.device(nic).index);
    if (!fabric.leaf_of(nic).valid()) return std::nullopt;
  }
  return use;
}

// Capacity down over capacity up of a leaf; 1 when it has no uplinks to compare or more up than down.
double oversubscription_of(const Fabric& fabric, DeviceId leaf, const Conditions& conditions) {
  Rate down;
  Rate up;
  for (const LinkId id : fabric.links_from(leaf)) {
    const DeviceKind kind = fabric.device(fabric.link(id).to).kind;
    Rate& side = is_network_switch(kind) ? up : down;
    side += conditions.empty() ? fabric.line_rate(id) : conditions.state(fabric, id).line;
  }
  if (up.count() == 0 || up >= down) return 1.0;
  return down / up;
}

void network_scope(const Fabric& fabric, const std::vector<Members>& members, const std::vector<NicUse>& uses,
                   const Conditions& conditions, GroupShape& shape) {
  // Rail by rail: the k-th NIC of every server.
  bool one_leaf = true;
  std::vector<DeviceId> leaves;
  for (const NicUse& use : uses) {
    for (std::size_t k = 0; k < use.nics.size(); ++k) {
      const DeviceId leaf = fabric.leaf_of(use.nics[k]);
      if (k < uses.front().nics.size() && leaf != fabric.leaf_of(uses.front().nics[k])) one_leaf = false;
      leaves.push_back(leaf);
    }
  }
  std::sort(leaves.begin(), leaves.end());
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
  bool one_rack = true;
  for (const Members& m : members)
    one_rack = one_rack && fabric.servers()[m.server].rack == fabric.servers()[members.front().server].rack;
  shape.scope = !one_leaf ? Scope::fabric : one_rack ? Scope::rack : Scope::leaf;
  if (!one_leaf) {
    for (const DeviceId leaf : leaves) {
      if (leaf.valid())
        shape.oversubscription = std::max(shape.oversubscription, oversubscription_of(fabric, leaf, conditions));
    }
  }
}

// Hops and hardware latency between the first and the last server, over the first pair of NICs that is connected.
void network_distance(const std::vector<NicUse>& uses, GroupShapes& shapes, GroupShape& shape) {
  for (const DeviceId a : uses.front().nics) {
    for (const DeviceId b : uses.back().nics) {
      const GroupShapes::Distance& distance = shapes.distance(a, b);
      if (!distance.connected) continue;
      shape.switch_hops = distance.switches;
      shape.network_latency = distance.latency;
      return;
    }
  }
  shape.connected = false;
}

void between_servers(const Fabric& fabric, const std::vector<Members>& members, const Conditions& conditions,
                     GroupShapes& shapes, GroupShape& shape) {
  std::vector<NicUse> uses;
  for (const Members& m : members) {
    const bool copy = conditions.empty() && !uses.empty() && are_copies(fabric, members.front().gpus, m.gpus);
    std::optional<NicUse> copied = copy ? copied_use(fabric, uses.front(), m.server) : std::nullopt;
    NicUse use = copied ? std::move(*copied) : nic_use(fabric, m, conditions, shapes);
    if (!use.reached || use.total.count() == 0) {
      shape.connected = false;
      return;
    }
    const Rate per_rank = use.total / static_cast<std::int64_t>(m.gpus.size());
    if (uses.empty() || use.total < shape.nic_rate_per_server) {
      shape.nic_rate_per_server = use.total;
      shape.nics_per_server = static_cast<int>(use.nics.size());
      shape.between = fabric.technology(use.example).link_class;
      shape.between_link = fabric.technology(use.example).id;
    }
    shape.nic_rate_per_rank = uses.empty() ? per_rank : std::min(shape.nic_rate_per_rank, per_rank);
    shape.network_bounce = shape.network_bounce || !conditions.gpudirect_rdma(fabric, m.server);
    uses.push_back(std::move(use));
  }
  network_scope(fabric, members, uses, conditions, shape);
  network_distance(uses, shapes, shape);
}

bool one_domain(const Fabric& fabric, std::span<const DeviceId> gpus, GroupShape& shape) {
  std::vector<std::uint32_t> domains;
  int alone = 0;
  for (const DeviceId gpu : gpus) {
    const std::uint32_t domain = fabric.nvlink_domain(gpu);
    if (domain == Fabric::kNoDomain) {
      ++alone;
    } else if (domains.empty() || domains.back() != domain) {
      domains.push_back(domain);  // a server's GPUs stand together: one entry a server, not one a GPU
    }
  }
  std::sort(domains.begin(), domains.end());
  domains.erase(std::unique(domains.begin(), domains.end()), domains.end());
  shape.domains = static_cast<int>(domains.size()) + alone;
  return shape.domains == 1;
}

}  // namespace

std::string_view name_of(Scope scope) {
  static constexpr std::array<std::string_view, 6> kNames = {"self", "nvlink-domain", "server",
                                                             "rack", "leaf",          "fabric"};
  return kNames[static_cast<std::size_t>(scope)];
}

GroupShapes::GroupShapes(const Fabric& fabric, const Conditions& conditions)
    : fabric_(fabric), conditions_(conditions), nic_(fabric.gpus().size()), known_(fabric.gpus().size(), false) {}

DeviceId GroupShapes::nic_of(DeviceId gpu) {
  const Server& server = fabric_.server_of(gpu);
  const std::uint32_t local = fabric_.device(gpu).index;
  const std::uint32_t place = server.first_gpu + local;
  if (known_[place]) return nic_[place];
  known_[place] = true;
  const bool copies = conditions_.empty() && !server.part.empty();
  const std::uint32_t own = fabric_.device(gpu).server;
  const std::uint32_t model = copies ? model_server_.try_emplace(server.part, own).first->second : own;
  const Server& original = fabric_.servers()[model];
  if (model == own || original.gpus != server.gpus || original.nics != server.nics) {
    nic_[place] = nearest_nic(fabric_, gpu, conditions_);
  } else if (const DeviceId nic = nic_of(fabric_.gpu(model, local)); nic.valid()) {
    const DeviceId same = fabric_.nic(own, fabric_.device(nic).index);
    nic_[place] = fabric_.leaf_of(same).valid() ? same : nearest_nic(fabric_, gpu, conditions_);
  }
  return nic_[place];
}

const GroupShapes::Distance& GroupShapes::distance(DeviceId from_nic, DeviceId to_nic) {
  const std::uint64_t key = std::uint64_t{fabric_.leaf_of(from_nic).value()} << 32U | fabric_.leaf_of(to_nic).value();
  const auto [found, added] = distance_.try_emplace(key);
  if (!added) return found->second;
  if (const std::optional<Path> path = network_path(fabric_, from_nic, to_nic, conditions_)) {
    found->second = {true, static_cast<int>(path->hops.size()) - 1, path->latency()};
  }
  return found->second;
}

GroupShape shape_of(const Fabric& fabric, std::span<const DeviceId> gpus, const Conditions& conditions) {
  return GroupShapes(fabric, conditions).of(gpus);
}

GroupShape GroupShapes::of(std::span<const DeviceId> gpus) {
  const Fabric& fabric = fabric_;
  const Conditions& conditions = conditions_;
  GroupShape shape;
  shape.ranks = static_cast<int>(gpus.size());
  if (gpus.empty()) return shape;
  std::vector<Members> members = by_server(fabric, gpus);
  if (one_domain(fabric, gpus, shape) && gpus.size() > 1) {
    // A domain may span servers (an NVL72 read as trays): then it is one server to a collective.
    const std::vector<DeviceId> all(gpus.begin(), gpus.end());
    if (inside_domain(fabric, all, conditions, shape)) {
      shape.scope = Scope::nvlink_domain;
      shape.servers = 1;
      shape.most_ranks_per_server = shape.fewest_ranks_per_server = shape.ranks;
      shape.nvls = shape.all_to_all && fabric.server_of(gpus.front()).nvls;
      return shape;
    }
  }
  shape.servers = static_cast<int>(members.size());
  shape.fewest_ranks_per_server = shape.ranks;
  shape.nvls = true;
  bool all_to_all = true;
  for (const Members& m : members) {
    const int here = static_cast<int>(m.gpus.size());
    shape.most_ranks_per_server = std::max(shape.most_ranks_per_server, here);
    shape.fewest_ranks_per_server = std::min(shape.fewest_ranks_per_server, here);
    const bool copy = conditions.empty() && &m != &members.front() && are_copies(fabric, members.front().gpus, m.gpus);
    if (here > 1 && !copy) {
      const bool nvlink = inside_domain(fabric, m.gpus, conditions, shape);
      if (!nvlink && !inside_bus(fabric, m.gpus, conditions, shape)) shape.connected = false;
      all_to_all = all_to_all && nvlink && shape.all_to_all;
    }
    shape.nvls = shape.nvls && fabric.servers()[m.server].nvls && here > 1;
  }
  shape.all_to_all = all_to_all && shape.most_ranks_per_server > 1;
  shape.nvls = shape.nvls && shape.all_to_all;
  shape.scope = shape.ranks > 1 ? Scope::server : Scope::self;
  if (shape.servers > 1) between_servers(fabric, members, conditions, *this, shape);
  return shape;
}

}  // namespace weft::fabric
