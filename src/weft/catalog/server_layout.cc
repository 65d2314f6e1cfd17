#include "weft/catalog/server_layout.h"

#include <algorithm>
#include <utility>

#include "weft/base/printable.h"
#include "weft/catalog/fields.h"

namespace weft::catalog {
namespace {

tl::unexpected<Error> wrong(const Part& part, const std::string& what, std::string expected = "") {
  return fail(input_error("WEFT-CAT-0023", part.id + ": " + what).with_expected(std::move(expected)));
}

std::string count_of(int n, std::string_view what) { return std::to_string(n) + " " + std::string(what); }

std::vector<PcieGroup> groups_of_cards(const Part& part, int gpus, int nics, int sockets) {
  const int per_group = std::max(1, int_field(part, "gpus_per_group", 1));
  const int groups = (gpus + per_group - 1) / per_group;
  std::vector<PcieGroup> all;
  for (int g = 0; g < groups; ++g) {
    PcieGroup group;
    group.socket = g * sockets / groups;
    group.switch_part = field<std::string>(part, "group_switch");
    group.uplink = field<std::string>(part, "group_uplink");
    group.bifurcated = per_group > 1 && group.switch_part.empty();
    for (int i = g * per_group; i < std::min(gpus, (g + 1) * per_group); ++i) group.gpus.push_back(i);
    all.push_back(std::move(group));
  }
  for (int i = 0; i < nics; ++i) all[static_cast<std::size_t>(i * groups / nics)].nics.push_back(i);
  return all;
}

// The groups of one tray, for each tray, with indices moved on.
std::vector<PcieGroup> repeated(const std::vector<PcieGroup>& tray, const ServerPart& server) {
  std::vector<PcieGroup> all;
  const auto move_on = [](std::vector<int>& indices, int by) {
    for (int& index : indices) index += by;
  };
  for (int t = 0; t < server.trays; ++t) {
    for (PcieGroup group : tray) {
      group.socket += t * (server.sockets / server.trays);
      move_on(group.gpus, t * (server.gpus / server.trays));
      move_on(group.nics, t * (server.nics / server.trays));
      all.push_back(std::move(group));
    }
  }
  return all;
}

std::vector<MeshEdge> mesh_of(const Part& part, int gpus) {
  auto edges = field<std::vector<MeshEdge>>(part, "mesh");
  if (const int links = int_field(part, "links_per_pair"); links > 0) {
    for (int a = 0; a < gpus; ++a) {
      for (int b = a + 1; b < gpus; ++b) edges.push_back({a, b, links});
    }
  }
  if (const int links = int_field(part, "bridge_links"); links > 0) {
    for (int a = 0; a + 1 < gpus; a += 2) edges.push_back({a, a + 1, links});
  }
  return edges;
}

Result<GpuFabricShape> shape_of(const Part& part) {
  const auto text = field<std::string>(part, "shape");
  if (text == "none") return GpuFabricShape::none;
  if (text == "switched") return GpuFabricShape::switched;
  if (text == "mesh") return GpuFabricShape::mesh;
  if (text == "bridges") return GpuFabricShape::bridges;
  return wrong(part, "shape " + in_quotes(text), "none, switched, mesh or bridges");
}

Result<void> check_members(const Part& part, const std::vector<PcieGroup>& groups, std::vector<int> PcieGroup::*members,
                           int count, std::string_view what) {
  std::vector<int> seen(static_cast<std::size_t>(count), 0);
  for (const PcieGroup& group : groups) {
    for (const int index : group.*members) {
      const std::string name = std::string(what) + std::to_string(index);
      if (index >= count) return wrong(part, "pcie names " + name + " of " + std::to_string(count));
      if (++seen[static_cast<std::size_t>(index)] > 1) return wrong(part, "pcie names " + name + " twice");
    }
  }
  const auto missing = std::ranges::find(seen, 0);
  if (missing == seen.end()) return {};
  return wrong(part, "pcie leaves out " + std::string(what) + std::to_string(missing - seen.begin()),
               "each GPU and each NIC in exactly one group");
}

Result<void> check_pcie(const Part& part, const ServerPart& server) {
  for (const PcieGroup& group : server.pcie) {
    if (group.socket >= server.sockets) {
      return wrong(part, "pcie names socket " + std::to_string(group.socket) + " of " + std::to_string(server.sockets));
    }
  }
  if (Result<void> gpus = check_members(part, server.pcie, &PcieGroup::gpus, server.gpus, "gpu"); !gpus) return gpus;
  return check_members(part, server.pcie, &PcieGroup::nics, server.nics, "nic");
}

Result<void> check_fabric(const Part& part, const ServerPart& server, int gpu_links) {
  const bool meshed = server.shape == GpuFabricShape::mesh || server.shape == GpuFabricShape::bridges;
  if ((server.shape == GpuFabricShape::switched) != !server.switch_links.empty() ||
      server.nvswitch.empty() != server.switch_links.empty()) {
    return wrong(part, "shape \"switched\" needs nvswitch and switch_links, and no other shape has them");
  }
  if (meshed != !server.mesh.empty() && server.gpus > 1) {
    return wrong(part,
                 "shapes \"mesh\" and \"bridges\" need mesh, links_per_pair or bridge_links, and no other has them");
  }
  int switched = 0;
  for (const int links : server.switch_links) switched += links;
  std::vector<int> used(static_cast<std::size_t>(server.gpus), switched);
  for (const MeshEdge& edge : server.mesh) {
    if (edge.a >= server.gpus || edge.b >= server.gpus || edge.a == edge.b) {
      return wrong(part, "mesh joins " + std::to_string(edge.a) + " and " + std::to_string(edge.b),
                   "two different GPUs below " + std::to_string(server.gpus));
    }
    used[static_cast<std::size_t>(edge.a)] += edge.links;
    used[static_cast<std::size_t>(edge.b)] += edge.links;
  }
  const int most = *std::ranges::max_element(used);
  if (gpu_links > 0 && most > gpu_links) {
    return wrong(part, "a GPU uses " + count_of(most, "links"), "at most the " + std::to_string(gpu_links) + " it has");
  }
  return {};
}

Result<void> check_counts(const Part& part, const ServerPart& server) {
  if (server.gpus < 1 || server.gpus > kMostGpusOfServer) {
    return wrong(part, count_of(server.gpus, "GPUs"), "1 to " + std::to_string(kMostGpusOfServer));
  }
  if (server.sockets < 1 || server.sockets > kMostGpusOfServer) return wrong(part, count_of(server.sockets, "sockets"));
  if (server.nics > 4 * kMostGpusOfServer) return wrong(part, count_of(server.nics, "NICs"));
  if ((server.nics > 0) == server.nic.empty()) return wrong(part, "nic and nics belong together");
  const int trays = server.trays;
  if (trays < 1 || server.gpus % trays != 0 || server.sockets % trays != 0 || server.nics % trays != 0) {
    return wrong(part, "trays do not divide GPUs, sockets and NICs evenly");
  }
  if (server.baseboards < 1 || server.gpus % server.baseboards != 0) {
    return wrong(part, "baseboards do not divide the GPUs evenly");
  }
  return {};
}

}  // namespace

Result<ServerPart> lay_out_server(const Part& part, int gpu_links, int count) {
  ServerPart server;
  server.id = part.id;
  server.title = part.title;
  server.gpu = field<std::string>(part, "gpu");
  server.gpus = count > 0 ? count : int_field(part, "gpus");
  server.parametric = field<bool>(part, "parametric");
  server.cpu = field<std::string>(part, "cpu");
  server.sockets = int_field(part, "sockets");
  server.nvswitch = field<std::string>(part, "nvswitch");
  for (const std::int64_t links : field<std::vector<std::int64_t>>(part, "switch_links")) {
    server.switch_links.push_back(static_cast<int>(links));
  }
  server.nic = field<std::string>(part, "nic");
  server.nics = int_field(part, "nics");
  server.peer_to_peer = field<bool>(part, "peer_to_peer");
  server.network_switch = field<std::string>(part, "network_switch");
  server.nvls = field<bool>(part, "nvls");
  server.trays = int_field(part, "trays", 1);
  server.baseboards = int_field(part, "baseboards", 1);
  if (Result<void> good = check_counts(part, server); !good) return fail(std::move(good.error()));
  Result<GpuFabricShape> shape = shape_of(part);
  if (!shape) return fail(std::move(shape.error()));
  server.shape = *shape;
  server.mesh = mesh_of(part, server.gpus);
  if (part.find("pcie") != nullptr) {
    server.pcie = repeated(field<std::vector<PcieGroup>>(part, "pcie"), server);
  } else {
    server.pcie = groups_of_cards(part, server.gpus, server.nics, server.sockets);
  }
  if (Result<void> good = check_pcie(part, server); !good) return fail(std::move(good.error()));
  if (Result<void> good = check_fabric(part, server, gpu_links); !good) return fail(std::move(good.error()));
  return server;
}

}  // namespace weft::catalog
