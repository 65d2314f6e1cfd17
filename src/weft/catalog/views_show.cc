#include <algorithm>
#include <set>

#include "weft/catalog/fields.h"
#include "weft/catalog/view_text.h"
#include "weft/catalog/views.h"
#include "weft/units/text.h"

namespace weft::catalog {
namespace {

std::string percent(double share) { return significant(share * 100, 3) + " %"; }
std::string counted(std::int64_t n, std::string_view what) {
  return std::to_string(n) + " " + std::string(what) + (n == 1 ? "" : "s");
}

std::vector<std::string> derived_of_link(const Part& link) {
  const auto line = field<Rate>(link, "line");
  const auto raw = field<Rate>(link, "raw");
  const auto goodput = field<Rate>(link, "goodput");
  std::vector<std::string> lines = {one_unit(link) + ": " + human_both(line)};
  if (const int count = int_field(link, "per_gpu", 1); count > 1) {
    lines.push_back(counted(count, "link") + " x " + human_bytes(line) + " = " + human_bytes(line * count) +
                    " per direction, " + human_bytes(line * count * 2) + " bidir a GPU");
  }
  if (const int lanes = int_field(link, "lanes"); lanes > 1 && class_of(link) == LinkClass::pcie) {
    lines.push_back(counted(lanes, "lane") + " x " + human_bytes(line / lanes) + " = " + human_bytes(line));
  }
  if (raw.count() > 0) lines.push_back("line is " + percent(line / raw) + " of raw");
  lines.push_back("goodput is " + percent(goodput / line) + " of line");
  return lines;
}

std::vector<std::string> derived_of_gpu(const Catalog& catalog, const GpuPart& gpu) {
  std::vector<std::string> lines;
  if (const Result<LinkPart> link = catalog.link(gpu.gpu_link); link && gpu.gpu_links > 0) {
    lines.push_back(counted(gpu.gpu_links, "link") + " x " + human_bytes(link->line * 2) +
                    " bidir = " + human_bytes(link->line * 2 * gpu.gpu_links) + "; " +
                    human_bytes(link->line * gpu.gpu_links) + " per direction");
  }
  if (gpu.memory_rate.count() > 0) {
    const double per_byte = gpu.fp16_tflops * 1e12 / (gpu.memory_rate.gbytes() * 1e9);
    lines.push_back("fp16 is memory-bound below " + significant(per_byte, 3) + " FLOP a byte of device memory");
  }
  return lines;
}

// "5 + 4 + 4 + 5 links from each GPU", "2 links from each GPU to each".
std::string shares_of(const ServerPart& server) {
  const std::vector<int>& links = server.switch_links;
  const std::string where = server.baseboards > 1 ? " of its own baseboard" : "";
  const bool even = std::ranges::all_of(links, [&](int n) { return n == links.front(); });
  if (even) return counted(links.front(), "link") + " from each GPU to each" + where;
  std::string shares;
  for (const int n : links) shares += (shares.empty() ? "" : " + ") + std::to_string(n);
  return shares + " links from each GPU" + where;
}

// What cards share below a socket.
void add_slot_lines(const Catalog& catalog, const ServerPart& server, std::vector<std::string>& lines) {
  const Result<GpuPart> gpu = catalog.gpu(server.gpu);
  if (!gpu) return;
  const Result<LinkPart> host = catalog.link(gpu->host_link);
  if (!host || host->link_class != LinkClass::pcie) return;
  const PcieGroup& group = server.pcie.front();
  const auto cards = static_cast<int>(group.gpus.size());
  const Result<LinkPart> uplink = catalog.link(group.uplink.empty() ? gpu->host_link : group.uplink);
  if (!uplink) return;
  std::string line = counted(server.gpus, "card") + " on " + counted(server.sockets, "socket") + ": ";
  if (cards > 1) {
    line += std::to_string(cards) + " share " + uplink->id + " to the socket, " + human_bytes(uplink->line / cards) +
            " per direction each when all use it";
  } else {
    line += "each " + uplink->id + ", " + human_bytes(uplink->line) + " per direction";
  }
  lines.push_back(std::move(line));
}

void add_fabric_lines(const Catalog& catalog, const ServerPart& server, std::vector<std::string>& lines) {
  const Result<GpuPart> gpu = catalog.gpu(server.gpu);
  if (!gpu) return;
  const Result<LinkPart> link = catalog.link(gpu->gpu_link);
  if (!link) return;
  const Rate both = link->line * 2;
  if (server.shape == GpuFabricShape::switched) {
    int per_gpu = 0;
    for (const int links : server.switch_links) per_gpu += links;
    lines.push_back(counted(per_gpu, "link") + " x " + human_bytes(both) + " bidir x " + counted(server.gpus, "GPU") +
                    " = " + human_bytes(both * per_gpu * server.gpus));
    const auto chips = static_cast<std::int64_t>(server.switch_links.size()) * server.baseboards;
    lines.push_back(std::to_string(chips) + (chips == 1 ? " switch: " : " switches: ") + shares_of(server));
    lines.push_back("one GPU: " + human_both(link->line * per_gpu) + ", to all peers together");
  }
  if (server.mesh.empty()) return;
  std::vector<int> degree(static_cast<std::size_t>(server.gpus), 0);
  int total = 0;
  std::set<int> per_pair;
  for (const MeshEdge& edge : server.mesh) {
    degree[static_cast<std::size_t>(edge.a)] += edge.links;
    degree[static_cast<std::size_t>(edge.b)] += edge.links;
    total += edge.links;
    per_pair.insert(edge.links);
  }
  std::string pairs;
  for (const int links : per_pair) pairs += (pairs.empty() ? "" : ", ") + human_bytes(link->line * links);
  lines.push_back(counted(total, "link") + " x " + human_bytes(both) + " bidir = " + human_bytes(both * total));
  lines.push_back("a linked pair: " + pairs +
                  " per direction; one GPU: " + human_both(link->line * *std::ranges::max_element(degree)));
  const std::int64_t all_pairs = static_cast<std::int64_t>(server.gpus) * (server.gpus - 1) / 2;
  const auto linked = static_cast<std::int64_t>(server.mesh.size());
  if (linked < all_pairs)
    lines.push_back(std::to_string(all_pairs - linked) + " of " + counted(all_pairs, "pair") + " have no link");
}

std::vector<std::string> derived_of_server(const Catalog& catalog, const ServerPart& server) {
  std::vector<std::string> lines;
  add_fabric_lines(catalog, server, lines);
  if (server.parametric) add_slot_lines(catalog, server, lines);
  if (const Result<NicPart> nic = catalog.nic(server.nic); nic && server.nics > 0) {
    if (const Result<LinkPart> port = catalog.link(nic->network_link)) {
      const Rate one = port->line * nic->ports;
      lines.push_back("network: " + counted(server.nics, "adapter") + " x " + human_bits(one) + " = " +
                      human_bits(one * server.nics) + " (" + human_bytes(one * server.nics) + ") per direction");
    }
  }
  if (server.trays > 1) {
    lines.push_back(counted(server.trays, "tray") + " of " + counted(server.gpus / server.trays, "GPU") + ", " +
                    counted(server.sockets / server.trays, "socket") + " and " +
                    counted(server.nics / server.trays, "adapter"));
  }
  if (!server.peer_to_peer)
    lines.emplace_back("no peer-to-peer: what GPUs exchange over PCIe goes through host memory");
  return lines;
}

std::vector<std::string> derived_of_switch(const Catalog& catalog, const SwitchPart& part) {
  const Result<LinkPart> link = catalog.link(part.link);
  const LinkClass link_class = link ? link->link_class : LinkClass::proprietary;
  const Rate all = part.port_rate * part.ports;
  return {counted(part.ports, "port") + " x " + rate_text(link_class, part.port_rate) + " = " +
          rate_text(link_class, all) + " per direction, " + rate_text(link_class, all * 2) + " bidir"};
}

std::vector<std::string> derived_of_nic(const Catalog& catalog, const NicPart& nic) {
  const Result<LinkPart> port = catalog.link(nic.network_link);
  const Result<LinkPart> host = catalog.link(nic.host_link);
  if (!port || !host) return {};
  const Rate network = port->goodput * nic.ports;
  std::string line = "network " + human_bytes(network) + ", host link " + human_bytes(host->goodput) + " of goodput";
  line += network > host->goodput ? ": the host link is the bound" : ": the network is the bound";
  return {std::move(line)};
}

// `id` may carry a count (pcie-a100:4).
Result<std::vector<std::string>> derived_of(const Catalog& catalog, const Part& part, std::string_view id) {
  const auto with = [&](auto view, auto lines) -> Result<std::vector<std::string>> {
    if (!view) return fail(std::move(view.error()));
    return lines(catalog, *view);
  };
  switch (part.kind) {
    case Kind::link:
      return derived_of_link(part);
    case Kind::gpu:
      return with(catalog.gpu(part.id), derived_of_gpu);
    case Kind::nic:
      return with(catalog.nic(part.id), derived_of_nic);
    case Kind::network_switch:
      return with(catalog.network_switch(part.id), derived_of_switch);
    case Kind::server:
      return with(catalog.server(id), derived_of_server);
    case Kind::cpu:
    case Kind::rack:
    case Kind::cable:
      return std::vector<std::string>();
  }
  return std::vector<std::string>();
}

}  // namespace

Result<Sheet> show(const Catalog& catalog, std::string_view id) {
  const Result<const Part*> found = catalog.part(id);
  if (!found) return fail(found.error());
  const Part& part = **found;
  Result<std::vector<std::string>> derived = derived_of(catalog, part, id);
  if (!derived) return fail(std::move(derived.error()));
  Sheet sheet{part.id, part.title, part.kind, part.aliases, std::move(*derived), {}, part.caveats, {}};
  sheet.figures.title = part.title;
  sheet.figures.columns = {"figure", "value", "basis", "source", "note"};
  for (const Figure& figure : part.figures) {
    Cell value = figure_cell(part, figure.key);
    sheet.figures.add_row({{figure.key},
                           std::move(value),
                           {std::string(name_of(figure.from.basis))},
                           {figure.from.source},
                           {figure.from.note}});
    const auto known = std::ranges::find(sheet.sources, figure.from.source, &Source::id);
    const Source* source = catalog.source(figure.from.source);
    if (source != nullptr && known == sheet.sources.end()) sheet.sources.push_back(*source);
  }
  return sheet;
}

}  // namespace weft::catalog
