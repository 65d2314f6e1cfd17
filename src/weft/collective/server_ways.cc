#include "weft/collective/server_ways.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "weft/fabric/local_path.h"
#include "weft/fabric/path.h"

namespace weft::collective {
namespace {

using catalog::LinkClass;
using fabric::Conditions;
using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::Path;
using fabric::PathType;

constexpr double kBitsPerGbyte = 8e9;

double gbyte_per_s(Rate rate) { return static_cast<double>(rate.count()) / kBitsPerGbyte; }

Reach reach_of(const Fabric& fabric, const Path& path) {
  const bool chip_to_chip = std::any_of(path.hops.begin(), path.hops.end(), [&](const fabric::Hop& hop) {
    return fabric.technology(hop.link).link_class == LinkClass::c2c;
  });
  if (chip_to_chip && path.hops.size() > 1 && path.type != PathType::sys) return Reach::p2c;
  switch (path.type) {
    case PathType::self:
      return Reach::loc;
    case PathType::nvl:
      return Reach::nvl;
    case PathType::nvb:
      return Reach::nvb;
    case PathType::c2c:
      return Reach::c2c;
    case PathType::pix:
      return path.host_bounce ? Reach::phb : Reach::pix;
    case PathType::pxb:
      return path.host_bounce ? Reach::phb : Reach::pxb;
    case PathType::phb:
    case PathType::node:  // libraries tell sockets apart, not host bridges of one
      return Reach::phb;
    default:
      return Reach::sys;
  }
}

class Builder {
 public:
  Builder(const Fabric& fabric, const Conditions& conditions, const ChannelRules& rules, ServerWays& ways)
      : fabric_(fabric), conditions_(conditions), rules_(rules), ways_(ways) {}

  Way way_over(const Path& path) {
    Way way;
    way.there = true;
    way.reach = reach_of(fabric_, path);
    for (const fabric::Hop& hop : path.hops) way.links.push_back(link_of(hop));
    return way;
  }
  // A NIC's port, one way each.
  int port(DeviceId nic, bool out) {
    const auto [found, added] = ports_.try_emplace({nic.value(), out}, static_cast<int>(ways_.capacity.size()));
    if (!added) return found->second;
    double gbytes = 0;
    for (const fabric::LinkId id : fabric_.links_from(nic)) {
      if (catalog::is_network(fabric_.technology(id).link_class))
        gbytes += gbyte_per_s(conditions_.state(fabric_, id).line);
    }
    ways_.capacity.push_back(gbytes);
    return found->second;
  }

 private:
  [[nodiscard]] double nominal(const fabric::Hop& hop) const {
    const fabric::Technology& technology = fabric_.technology(hop.link);
    const auto known = rules_.link_gbyte_per_s.find(technology.id);
    double gbytes = gbyte_per_s(hop.state.goodput);
    if (known != rules_.link_gbyte_per_s.end()) {
      gbytes = known->second * (hop.state.goodput / technology.goodput);
    } else if (technology.link_class == LinkClass::pcie) {
      gbytes = rules_.pcie_share_of_line * gbyte_per_s(hop.state.line);
    }
    if (hop.through_cap.count() > 0) gbytes = std::min(gbytes, gbyte_per_s(hop.through_cap));
    return gbytes;
  }
  int link_of(const fabric::Hop& hop) {
    const auto [found, added] = links_.try_emplace(hop.link.value(), static_cast<int>(ways_.capacity.size()));
    if (added) ways_.capacity.push_back(nominal(hop));
    // A device behind it may let less pass of one way than of another: the narrowest counts.
    double& capacity = ways_.capacity[static_cast<std::size_t>(found->second)];
    if (!added) capacity = std::min(capacity, nominal(hop));
    return found->second;
  }

  const Fabric& fabric_;
  const Conditions& conditions_;
  const ChannelRules& rules_;
  ServerWays& ways_;
  std::map<std::uint32_t, int> links_;
  std::map<std::pair<std::uint32_t, bool>, int> ports_;
};

bool cabled(const Fabric& fabric, DeviceId nic, const Conditions& conditions) {
  return std::any_of(fabric.links_from(nic).begin(), fabric.links_from(nic).end(), [&](fabric::LinkId id) {
    return catalog::is_network(fabric.technology(id).link_class) && conditions.state(fabric, id).up;
  });
}

// How far a NIC may be that a GPU still uses itself; over NVLink to a neighbour's NIC otherwise.
constexpr Reach kNear = Reach::p2c;

class NicWays {
 public:
  NicWays(const Fabric& fabric, const Conditions& conditions, Builder& builder, ServerWays& ways)
      : fabric_(fabric), conditions_(conditions), builder_(builder), ways_(ways) {}

  void add_all() {
    std::vector<DeviceId> nics;
    std::set<std::uint32_t> servers;  // a rack-scale domain may span several
    for (const DeviceId gpu : ways_.gpus) {
      const std::uint32_t server = fabric_.device(gpu).server;
      if (!servers.insert(server).second) continue;
      const std::vector<DeviceId> here = fabric_.devices_of(DeviceKind::nic, server);
      nics.insert(nics.end(), here.begin(), here.end());
    }
    for (const DeviceId nic : nics) {
      if (cabled(fabric_, nic, conditions_)) add(nic);
    }
  }

 private:
  // By GPU; none where nothing but NVLink leads near.
  using Paths = std::vector<std::optional<Path>>;

  void add(DeviceId nic) {
    Paths paths;
    std::optional<std::size_t> nearest;
    for (std::size_t gpu = 0; gpu < ways_.gpus.size(); ++gpu) {
      paths.push_back(path(ways_.gpus[gpu], nic));
      if (paths[gpu] && (!nearest || rank(nic, gpu, *paths[gpu]) < rank(nic, *nearest, *paths[*nearest])))
        nearest = gpu;
    }
    if (!nearest) return;
    ways_.nics.push_back(nic);
    ways_.gpu_of_nic.push_back(static_cast<int>(*nearest));
    for (std::size_t gpu = 0; gpu < paths.size(); ++gpu) {
      ways_.out.push_back(route(nic, gpu, *nearest, paths, true));
      ways_.in.push_back(route(nic, gpu, *nearest, paths, false));
    }
  }
  // Through host memory where NICs do not reach that of GPUs; the plain way is found sooner and so taken when it is it.
  [[nodiscard]] std::optional<Path> path(DeviceId from, DeviceId to) const {
    const std::uint32_t server = fabric_.device(from).server;
    const bool plain = conditions_.gpudirect_rdma(fabric_, server) && !conditions_.acs_redirect(fabric_, server);
    return plain ? fabric::bus_path(fabric_, from, to, conditions_)
                 : fabric::local_path(fabric_, from, to, conditions_);
  }
  // How far a NIC is; among equals, the GPU of the same place is next to it: rails.
  [[nodiscard]] std::tuple<Reach, std::size_t, bool> rank(DeviceId nic, std::size_t gpu, const Path& path) const {
    const bool same = fabric_.device(ways_.gpus[gpu]).index == fabric_.device(nic).index;
    return {reach_of(fabric_, path), path.hops.size(), !same};
  }
  Way route(DeviceId nic, std::size_t gpu, std::size_t nearest, const Paths& paths, bool out) {
    const bool near = gpu == nearest || (paths[gpu] && reach_of(fabric_, *paths[gpu]) <= kNear);
    const Way& hop = out ? ways_.way(gpu, nearest) : ways_.way(nearest, gpu);
    const bool over_neighbour =
        !near && hop.there && hop.reach <= Reach::nvb && reach_of(fabric_, *paths[nearest]) <= kNear;
    Way way = bus_way(nic, over_neighbour ? nearest : gpu, paths, out);
    if (!way.there) return way;
    if (over_neighbour) {
      way.links.insert(way.links.end(), hop.links.begin(), hop.links.end());
      way.reach = Reach::pxn;
    }
    way.links.push_back(builder_.port(nic, out));
    return way;
  }
  Way bus_way(DeviceId nic, std::size_t gpu, const Paths& paths, bool out) {
    if (out) return paths[gpu] ? builder_.way_over(*paths[gpu]) : Way{};
    const std::optional<Path> back = path(nic, ways_.gpus[gpu]);
    return back ? builder_.way_over(*back) : Way{};
  }

  const Fabric& fabric_;
  const Conditions& conditions_;
  Builder& builder_;
  ServerWays& ways_;
};

}  // namespace

double ServerWays::width(const Way& way) const {
  double narrowest = std::numeric_limits<double>::infinity();
  for (const int link : way.links) narrowest = std::min(narrowest, capacity[static_cast<std::size_t>(link)]);
  return way.there ? narrowest : 0;
}

ServerWays ways_of(const Fabric& fabric, const std::vector<DeviceId>& gpus, bool across, const Conditions& conditions,
                   const ChannelRules& rules) {
  ServerWays ways;
  ways.gpus = gpus;
  ways.capability = std::numeric_limits<int>::max();
  Builder builder(fabric, conditions, rules, ways);
  for (const DeviceId from : gpus) {
    ways.capability = std::min(ways.capability, fabric.model(from).capability);
    for (const DeviceId to : gpus) {
      Way way;
      if (from != to) {
        if (const std::optional<Path> path = fabric::local_path(fabric, from, to, conditions))
          way = builder.way_over(*path);
      }
      ways.between.push_back(std::move(way));
    }
  }
  if (across) NicWays(fabric, conditions, builder, ways).add_all();
  return ways;
}

}  // namespace weft::collective
