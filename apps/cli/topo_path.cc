#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cluster_argument.h"
#include "topo.h"
#include "weft/base/printable.h"
#include "weft/fabric/path.h"
#include "weft/fabric/sharing.h"
#include "weft/report/link_look.h"
#include "weft/report/table.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using fabric::DeviceId;
using fabric::Fabric;
using fabric::Hop;
using fabric::Path;
using fabric::PathType;
using report::Align;
using report::Cell;

struct Transfer {
  DeviceId from;
  DeviceId to;
  Path path;
};

Result<Transfer> transfer_of(const intake::ClusterInput& input, const std::string& from, const std::string& to) {
  const Fabric& fabric = input.cluster.fabric;
  Result<DeviceId> a = find_device(fabric, from);
  if (!a) return fail(std::move(a.error()));
  Result<DeviceId> b = find_device(fabric, to);
  if (!b) return fail(std::move(b.error()));
  Result<Path> path = find_path(fabric, *a, *b, input.cluster.conditions);
  if (!path) return fail(std::move(path.error()));
  return Transfer{*a, *b, std::move(*path)};
}

// "A B", as --with takes it.
Result<Transfer> second_transfer(const intake::ClusterInput& input, const std::string& text) {
  const std::size_t space = text.find(' ');
  const std::size_t rest = text.find_first_not_of(' ', space == std::string::npos ? text.size() : space);
  const bool two =
      space != std::string::npos && space > 0 && rest != std::string::npos && text.find(' ', rest) == std::string::npos;
  if (!two) {
    return fail(usage_error("WEFT-CLI-0023", "--with " + in_quotes(text) + " does not name two devices")
                    .with_expected("--with \"server0.gpu2 server0.gpu3\""));
  }
  return transfer_of(input, text.substr(0, space), text.substr(rest));
}

bool is_gpu(const Fabric& fabric, DeviceId id) { return fabric.device(id).kind == fabric::DeviceKind::gpu; }

// The way in a sentence: what carries it, and who copies.
std::string in_words(const Fabric& fabric, const Transfer& transfer) {
  const Path& path = transfer.path;
  switch (path.type) {
    case PathType::self:
      return "the device itself";
    case PathType::nvl: {
      const DeviceId next = fabric.link(path.hops.front().link).to;
      return next == transfer.to ? "direct GPU-to-GPU links"
                                 : "GPU-to-GPU links through " + std::string(name_of(fabric.device(next).kind)) + "es";
    }
    case PathType::nvb:
      return "GPU-to-GPU links, relayed by " + fabric.name(fabric.link(path.hops.front().link).to);
    case PathType::net: {
      if (!is_gpu(fabric, transfer.from) && !is_gpu(fabric, transfer.to)) return "the network";
      return path.host_bounce ? "the network, through host memory (no GPUDirect RDMA)" : "the network, GPUDirect RDMA";
    }
    default:
      break;
  }
  std::string bus = std::string("the bus (") + std::string(name_of(path.type)) + ')';
  if (!is_gpu(fabric, transfer.from) || !is_gpu(fabric, transfer.to)) return bus;
  return bus + (path.host_bounce ? ", through host memory (no peer-to-peer)" : ", GPUDirect peer-to-peer");
}

// The link as a person names it; a network link also by its rate in Gb/s.
std::string link_name(const Fabric& fabric, const Hop& hop) {
  const fabric::Technology& technology = fabric.technology(hop.link);
  const bool network = catalog::is_network(technology.link_class);
  return network ? technology.id + " (" + human_bits(hop.state.line) + ')' : technology.id;
}

std::string arrival_name(const Fabric& fabric, const Hop& hop) {
  const DeviceId to = fabric.link(hop.link).to;
  return hop.ways > 1 ? "all " + std::to_string(hop.ways) + ' ' + std::string(name_of(fabric.device(to).kind)) + "es"
                      : fabric.name(to);
}

std::string departure_name(const Fabric& fabric, const Path& path, std::size_t i) {
  if (i > 0 && path.hops[i - 1].ways > 1) return arrival_name(fabric, path.hops[i - 1]);
  return fabric.name(fabric.link(path.hops[i].link).from);
}

// A hop over all NVSwitches at once ends in one device: the second half says its name.
std::string hop_target(const Fabric& fabric, const Path& path, std::size_t i) {
  const bool converges = i > 0 && path.hops[i].ways > 1 && path.hops[i - 1].ways > 1;
  return converges ? fabric.name(fabric.link(path.hops[i].link).to) : arrival_name(fabric, path.hops[i]);
}

int units_of(const Fabric& fabric, const Hop& hop) {
  const Rate one = fabric.technology(hop.link).line;
  return one.count() > 0 ? static_cast<int>(hop.state.line.count() / one.count()) : fabric.link(hop.link).count;
}

// What root complexes and the like let pass, those with one limit in one note.
std::vector<std::string> cap_notes(const Fabric& fabric, const Path& path) {
  std::map<Rate, std::string> devices;
  for (const Hop& hop : path.hops) {
    if (hop.through_cap.count() == 0) continue;
    std::string& names = devices[hop.through_cap];
    names += (names.empty() ? "" : ", ") + fabric.name(fabric.link(hop.link).to);
  }
  std::vector<std::string> notes;
  for (const auto& [cap, names] : devices) {
    notes.push_back("peer transfers through " + names + " get at most " + human_bytes(cap) + " together");
  }
  return notes;
}

report::Table hop_table(const Fabric& fabric, const Path& path) {
  report::Table table;
  table.columns = {{"from"},
                   {"to"},
                   {"link"},
                   {"links", Align::right},
                   {"line GB/s", Align::right},
                   {"goodput GB/s", Align::right},
                   {"latency us", Align::right}};
  for (std::size_t i = 0; i < path.hops.size(); ++i) {
    const Hop& hop = path.hops[i];
    table.rows.push_back({departure_name(fabric, path, i), hop_target(fabric, path, i), link_name(fabric, hop),
                          std::to_string(units_of(fabric, hop)), significant(hop.state.line.gbytes()),
                          significant(hop.state.goodput.gbytes()), significant(hop.latency.us(), 3)});
  }
  table.rows.emplace_back();
  table.rows.push_back({"total", "", "", "", significant(path.line().gbytes()), significant(path.goodput().gbytes()),
                        significant(path.latency().us(), 3)});
  table.notes = cap_notes(fabric, path);
  if (path.equal_paths > 1) {
    table.notes.push_back("one of " + std::to_string(path.equal_paths) + " equally short ways through the network");
  }
  return table;
}

report::Table sharing_table(const Fabric& fabric, std::span<const Transfer> transfers, std::span<const Rate> shared) {
  report::Table table;
  table.title = "At the same time";
  table.columns = {{"from"}, {"to"}, {"alone GB/s", Align::right}, {"together GB/s", Align::right}};
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const bool less = shared[i] < transfers[i].path.goodput();
    table.rows.push_back({fabric.name(transfers[i].from), fabric.name(transfers[i].to),
                          significant(transfers[i].path.goodput().gbytes()),
                          Cell(significant(shared[i].gbytes()), less ? report::Tone::warn : report::Tone::plain)});
  }
  table.notes = {"max-min fair shares of links and of what passes through a root complex; no latency, no software"};
  return table;
}

nlohmann::ordered_json path_json(const Fabric& fabric, const Transfer& transfer) {
  const Path& path = transfer.path;
  nlohmann::ordered_json json = {{"from", fabric.name(transfer.from)}, {"to", fabric.name(transfer.to)},
                                 {"type", name_of(path.type)},         {"way", in_words(fabric, transfer)},
                                 {"host_bounce", path.host_bounce},    {"equal_paths", path.equal_paths}};
  json["hops"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < path.hops.size(); ++i) {
    const Hop& hop = path.hops[i];
    nlohmann::ordered_json entry = {{"from", departure_name(fabric, path, i)},
                                    {"to", hop_target(fabric, path, i)},
                                    {"link", fabric.technology(hop.link).id},
                                    {"class", name_of(fabric.technology(hop.link).link_class)},
                                    {"links", units_of(fabric, hop)},
                                    {"line_gbytes_per_s", hop.state.line.gbytes()},
                                    {"goodput_gbytes_per_s", hop.state.goodput.gbytes()},
                                    {"latency_us", hop.latency.us()}};
    if (hop.through_cap.count() > 0) entry["through_cap_gbytes_per_s"] = hop.through_cap.gbytes();
    json["hops"].push_back(std::move(entry));
  }
  json["total"] = {{"line_gbytes_per_s", path.line().gbytes()},
                   {"goodput_gbytes_per_s", path.goodput().gbytes()},
                   {"latency_us", path.latency().us()}};
  return json;
}

nlohmann::ordered_json document_of(const intake::ClusterInput& input, std::span<const Transfer> transfers,
                                   std::span<const Rate> shared) {
  const Fabric& fabric = input.cluster.fabric;
  nlohmann::ordered_json document = {{"schema", "weft/topo/1"}, {"view", "path"}, {"cluster", cluster_json(input)}};
  document["assumed"] = input.cluster.assumed;
  document.update(path_json(fabric, transfers.front()));
  if (transfers.size() < 2) return document;
  document["concurrent"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    document["concurrent"].push_back({{"from", fabric.name(transfers[i].from)},
                                      {"to", fabric.name(transfers[i].to)},
                                      {"alone_gbytes_per_s", transfers[i].path.goodput().gbytes()},
                                      {"together_gbytes_per_s", shared[i].gbytes()}});
  }
  return document;
}

Result<int> run_path(const Args& args, Context& context) {
  const Result<intake::ClusterInput> input = load_cluster(args, context);
  if (!input) return fail(input.error());
  const Fabric& fabric = input->cluster.fabric;
  std::vector<Transfer> transfers;
  Result<Transfer> first = transfer_of(*input, args.text("FROM"), args.text("TO"));
  if (!first) return fail(std::move(first.error()));
  transfers.push_back(std::move(*first));
  for (const std::string& text : args.list("--with")) {
    Result<Transfer> another = second_transfer(*input, text);
    if (!another) return fail(std::move(another.error()));
    transfers.push_back(std::move(*another));
  }
  std::vector<Path> paths;
  for (const Transfer& transfer : transfers) paths.push_back(transfer.path);
  const std::vector<Rate> shared = concurrent_rates(paths);
  if (context.json) {
    context.write_json(document_of(*input, transfers, shared));
    return 0;
  }
  const Transfer& main = transfers.front();
  context.out << fabric.name(main.from) << " to " << fabric.name(main.to) << ": " << in_words(fabric, main) << "\n\n";
  if (!main.path.hops.empty()) context.out << to_text(hop_table(fabric, main.path), context.style());
  if (transfers.size() > 1) context.out << '\n' << to_text(sharing_table(fabric, transfers, shared), context.style());
  return 0;
}

}  // namespace

Command topo_path_command() {
  return {
      .name = "path",
      .summary = "the way from one device to another, hop by hop, with rates and latency",
      .description =
          "The way that hardware and libraries take: NVLink or xGMI where there is one, else PCIe peer-to-peer, else "
          "through host memory; between servers from the nearest NIC to the nearest NIC. Latency is hardware alone, "
          "one "
          "way.",
      .positionals = {cluster_positional(),
                      {.name = "FROM", .help = "a device, such as server0.gpu0"},
                      {.name = "TO", .help = "another, such as server3.gpu7"}},
      .options =
          with_cluster_options({{.name = "--with",
                                 .value = "\"A B\"",
                                 .repeatable = true,
                                 .help = "another transfer at the same time, from A to B: what each then gets"}}),
      .examples = {{.arguments = "topo path 4xhgx-h100-8 server0.gpu0 server3.gpu7", .what = "between servers"},
                   {.arguments = "topo path pcie-a100:8 gpu0 gpu1 --with \"gpu2 gpu3\"",
                    .what = "two transfers at once"},
                   {.arguments = "topo path hgx-h100-8 gpu0 gpu1 --condition \"links 12 server0.gpu0\"",
                    .what = "with six NVLinks of a GPU down"}},
      .run = run_path,
  };
}

}  // namespace weft::cli
