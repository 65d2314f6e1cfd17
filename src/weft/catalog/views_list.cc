#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/catalog/fields.h"
#include "weft/catalog/view_text.h"
#include "weft/catalog/views.h"
#include "weft/units/text.h"

namespace weft::catalog {
namespace {

std::string links_by_rate(const Part& link) {
  return std::to_string(int_field(link, "per_gpu", 1)) + " x " + human_bytes(field<Rate>(link, "line"));
}

// Slots narrower than x16 repeat their generation: the PCIe table has them.
bool is_narrow_slot(const Part& link) { return class_of(link) == LinkClass::pcie && int_field(link, "lanes", 16) < 16; }

void add_link(TableModel& table, const Part& link) {
  const LinkClass link_class = class_of(link);
  std::string of = one_unit(link);
  if (int_field(link, "per_gpu", 1) > 1) of = "a GPU: " + links_by_rate(link);
  table.add_row({{link.id},
                 {link.title},
                 rate_cell(link_class, "bandwidth", aggregate(link)),
                 {std::move(of)},
                 figure_cell(link, "latency"),
                 figure_cell(link, "end_to_end"),
                 figure_cell(link, "use")});
}

TableModel list_links(std::vector<const Part*> links, std::string title) {
  TableModel table;
  table.title = std::move(title);
  table.columns = {"link", "what", "bandwidth, each way", "of", "hop", "end to end", "use"};
  // Fastest first; ties stay in file order, which is that of the addresses.
  std::ranges::sort(links, {}, [](const Part* link) { return std::pair(-aggregate(*link).count(), link); });
  for (const Part* link : links) add_link(table, *link);
  table.notes = {
      "bandwidth is per direction, after line coding, before headers; see `show` for what a transfer reaches",
      "hop: hardware of one link, one way; end to end: memory to memory, small message, nothing in the way"};
  return table;
}

TableModel list_hierarchy(const Catalog& catalog) {
  std::vector<const Part*> links = catalog.parts(Kind::link);
  std::erase_if(links, [](const Part* link) { return is_narrow_slot(*link); });
  TableModel table = list_links(std::move(links), "Links, from the chip down");
  table.notes.emplace_back("PCIe slots narrower than x16 stand in `list --kind pcie`");
  return table;
}

TableModel list_class(const Catalog& catalog, LinkClass link_class) {
  std::vector<const Part*> links = catalog.parts(Kind::link);
  std::erase_if(links, [&](const Part* link) { return class_of(*link) != link_class; });
  return list_links(std::move(links), "Links: " + std::string(name_of(link_class)));
}

std::string first_caveat(const Part& part) { return part.caveats.empty() ? "" : part.caveats.front(); }

TableModel list_pcie(const Catalog& catalog) {
  TableModel table;
  table.title = "PCI Express";
  table.columns = {"slot",      "GT/s a lane",   "a lane, each way", "each way",
                   "both ways", "raw, each way", "256 B payloads",   "note"};
  std::vector<const Part*> slots = catalog.parts(Kind::link);
  std::erase_if(slots, [](const Part* link) {
    return class_of(*link) != LinkClass::pcie || field<std::string>(*link, "unit") == "port";  // tunnels
  });
  std::ranges::sort(slots, {}, [](const Part* slot) {
    return std::tuple(-int_field(*slot, "lanes"), field<double>(*slot, "transfer_rate"), slot);
  });
  for (const Part* slot : slots) {
    const auto line = field<Rate>(*slot, "line");
    table.add_row({{slot->id},
                   figure_cell(*slot, "transfer_rate"),
                   bytes_rate_cell("lane", line / std::max(1, int_field(*slot, "lanes", 1))),
                   bytes_rate_cell("line", line),
                   bytes_rate_cell("line_bidir", line * 2),
                   figure_cell(*slot, "raw"),
                   figure_cell(*slot, "goodput"),
                   {first_caveat(*slot)}});
  }
  table.notes = {"each way: after line coding (128b/130b; PCIe 6: after CRC and FEC of its flits)",
                 "no coherence between GPUs; peer-to-peer needs driver support, and ACS redirect off behind switches"};
  return table;
}

TableModel list_nvlink(const Catalog& catalog) {
  TableModel table;
  table.title = "NVLink";
  table.columns = {"generation", "links x rate", "each way", "bidir", "usable, each way", "GPU", "note"};
  std::vector<const Part*> links = catalog.parts(Kind::link);
  std::erase_if(links, [](const Part* link) {
    return class_of(*link) != LinkClass::nvlink || field<std::string>(*link, "unit") != "link";
  });
  std::ranges::sort(links, {}, &Part::id);
  for (const Part* link : links) {
    const int count = int_field(*link, "per_gpu", 1);
    table.add_row({{link->id},
                   {links_by_rate(*link), Number{"links", static_cast<double>(count)}},
                   bytes_rate_cell("each_way", aggregate(*link)),
                   bytes_rate_cell("bidir", aggregate(*link) * 2),
                   bytes_rate_cell("goodput", field<Rate>(*link, "goodput") * count),
                   figure_cell(*link, "gpus"),
                   {first_caveat(*link)}});
  }
  table.notes = {"vendors quote both directions of all links of a GPU; what one GPU sends is half of that",
                 "usable: what NCCL plans with; 128-byte payloads fill 128 of 160 bytes"};
  return table;
}

struct ColumnSpec {
  std::string_view heading;
  std::string_view key;
};

TableModel list_figures(const Catalog& catalog, Kind kind, std::string title, std::span<const ColumnSpec> columns) {
  TableModel table;
  table.title = std::move(title);
  table.columns = {std::string(name_of(kind)), "what"};
  for (const ColumnSpec& column : columns) table.columns.emplace_back(column.heading);
  for (const Part* part : catalog.parts(kind)) {
    std::vector<Cell> cells = {{part->id}, {part->title}};
    for (const ColumnSpec& column : columns) cells.push_back(figure_cell(*part, column.key));
    table.add_row(std::move(cells));
  }
  return table;
}

constexpr auto kGpuColumns = std::to_array<ColumnSpec>({{"memory", "memory"},
                                                        {"memory rate", "memory_rate"},
                                                        {"fp16, dense", "fp16_tflops"},
                                                        {"fp8", "fp8_tflops"},
                                                        {"fp4", "fp4_tflops"},
                                                        {"GPU link", "gpu_link"},
                                                        {"links", "gpu_links"},
                                                        {"host link", "host_link"}});
constexpr auto kCpuColumns = std::to_array<ColumnSpec>({{"peer-to-peer", "p2p_rate"},
                                                        {"memory rate", "memory_rate"},
                                                        {"socket link", "socket_link"},
                                                        {"links", "socket_links"}});
constexpr auto kNicColumns = std::to_array<ColumnSpec>(
    {{"port", "network_link"}, {"ports", "ports"}, {"host link", "host_link"}, {"GPUDirect", "gpudirect_rdma"}});
constexpr auto kSwitchColumns = std::to_array<ColumnSpec>({{"port", "link"},
                                                           {"ports", "ports"},
                                                           {"port rate", "port_rate"},
                                                           {"latency", "latency"},
                                                           {"sums", "in_network_reduction"},
                                                           {"use", "use"}});
constexpr auto kServerColumns = std::to_array<ColumnSpec>({{"GPUs", "gpus"},
                                                           {"GPU", "gpu"},
                                                           {"fabric", "shape"},
                                                           {"NICs", "nics"},
                                                           {"NIC", "nic"},
                                                           {"leaf switch", "network_switch"},
                                                           {"peer-to-peer", "peer_to_peer"}});
constexpr auto kRackColumns = std::to_array<ColumnSpec>(
    {{"height", "height"}, {"power", "power"}, {"cooling", "cooling"}, {"server", "server"}, {"servers", "servers"}});
constexpr auto kCableColumns = std::to_array<ColumnSpec>({{"media", "media"},
                                                          {"rate", "line"},
                                                          {"reach", "max_length"},
                                                          {"a metre", "latency_per_metre"},
                                                          {"power", "power"},
                                                          {"use", "use"}});

TableModel list_kind(const Catalog& catalog, Kind kind) {
  switch (kind) {
    case Kind::link:
      return list_hierarchy(catalog);
    case Kind::gpu:
      return list_figures(catalog, kind, "GPUs", kGpuColumns);
    case Kind::cpu:
      return list_figures(catalog, kind, "Processors", kCpuColumns);
    case Kind::nic:
      return list_figures(catalog, kind, "Network adapters", kNicColumns);
    case Kind::network_switch:
      return list_figures(catalog, kind, "Switches", kSwitchColumns);
    case Kind::server:
      return list_figures(catalog, kind, "Servers", kServerColumns);
    case Kind::rack:
      return list_figures(catalog, kind, "Racks", kRackColumns);
    case Kind::cable:
      return list_figures(catalog, kind, "Cables", kCableColumns);
  }
  return {};
}

}  // namespace

void TableModel::add_row(std::vector<Cell> cells) {
  std::vector<std::string>& texts = rows.emplace_back();
  std::vector<std::optional<Number>>& values = numbers.emplace_back();
  for (Cell& cell : cells) {
    texts.push_back(std::move(cell.text));
    values.push_back(std::move(cell.number));
  }
}

std::vector<std::string> list_words() {
  std::vector<std::string> words;
  for (int i = 0; i < kKinds; ++i) words.emplace_back(name_of(static_cast<Kind>(i)));
  for (int i = 0; i <= static_cast<int>(LinkClass::proprietary); ++i) {
    words.emplace_back(name_of(static_cast<LinkClass>(i)));
  }
  return words;
}

Result<TableModel> list(const Catalog& catalog, std::string_view what) {
  if (const std::optional<Kind> kind = kind_from(what)) return list_kind(catalog, *kind);
  const std::optional<LinkClass> link_class = link_class_from(what);
  if (link_class == LinkClass::pcie) return list_pcie(catalog);
  if (link_class == LinkClass::nvlink) return list_nvlink(catalog);
  if (link_class) return list_class(catalog, *link_class);
  const std::vector<std::string> words = list_words();
  std::string expected;
  for (const std::string& word : words) expected += (expected.empty() ? "" : ", ") + word;
  return fail(usage_error("WEFT-CAT-0024", "no kind of part " + in_quotes(what))
                  .with_expected(std::move(expected))
                  .with_hint(did_you_mean(what, words)));
}

}  // namespace weft::catalog
