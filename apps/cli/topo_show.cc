#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cluster_argument.h"
#include "topo.h"
#include "weft/report/network_drawing.h"
#include "weft/report/topology_svg.h"
#include "weft/report/topology_tree.h"

namespace weft::cli {
namespace {

using fabric::DeviceId;
using fabric::Fabric;
using fabric::LinkId;

constexpr std::size_t kMostUnrolled = 4'000;  // devices; a larger fabric is summarised

nlohmann::ordered_json device_json(const Fabric& fabric, DeviceId id) {
  nlohmann::ordered_json json = {{"name", fabric.name(id)}, {"kind", name_of(fabric.device(id).kind)}};
  if (const std::string& part = fabric.model(id).part; !part.empty()) json["part"] = part;
  if (const std::string& own = fabric.operator_name(id); !own.empty()) json["operator_name"] = own;
  return json;
}

nlohmann::ordered_json rates_json(Rate line, Rate goodput) {
  return {{"line_gbytes_per_s", line.gbytes()}, {"goodput_gbytes_per_s", goodput.gbytes()}};
}

nlohmann::ordered_json technologies_json(const Fabric& fabric) {
  std::vector<std::int64_t> units(fabric.technologies().size());
  for (std::size_t i = 0; i < fabric.link_count(); i += 2) {
    units[fabric.link(LinkId(i)).technology] += fabric.link(LinkId(i)).count;
  }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t t = 0; t < units.size(); ++t) {
    const fabric::Technology& technology = fabric.technologies()[t];
    nlohmann::ordered_json entry = {{"link", technology.id}, {"class", name_of(technology.link_class)}};
    entry.update(rates_json(technology.line, technology.goodput));
    entry["latency_us"] = technology.latency.us();
    entry["units"] = units[t];
    list.push_back(std::move(entry));
  }
  return list;
}

nlohmann::ordered_json kinds_json(const Fabric& fabric) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const report::ServerKind& kind : report::server_kinds(fabric)) {
    const fabric::Server& server = fabric.servers()[kind.servers.front()];
    list.push_back({{"part", kind.part.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(kind.part)},
                    {"count", kind.servers.size()},
                    {"first", kind.servers.front()},
                    {"gpus_each", server.gpus},
                    {"nics_each", server.nics},
                    {"peer_to_peer", server.peer_to_peer},
                    {"gpudirect_rdma", server.gpudirect_rdma},
                    {"nvls", server.nvls}});
  }
  return list;
}

nlohmann::ordered_json document_of(const intake::ClusterInput& input) {
  const Fabric& fabric = input.cluster.fabric;
  nlohmann::ordered_json document = {{"schema", "weft/topo/1"}, {"view", "show"}, {"cluster", cluster_json(input)}};
  document["assumed"] = input.cluster.assumed;
  document["conditions"] = nlohmann::ordered_json::array();
  for (const fabric::Condition& condition : input.cluster.conditions.list()) {
    document["conditions"].push_back(condition.text);
  }
  document["server_kinds"] = kinds_json(fabric);
  document["links"] = technologies_json(fabric);
  document["unrolled"] = fabric.device_count() <= kMostUnrolled;
  if (fabric.device_count() > kMostUnrolled) return document;
  document["devices"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < fabric.device_count(); ++i)
    document["devices"].push_back(device_json(fabric, DeviceId(i)));
  document["cables"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < fabric.link_count(); i += 2) {
    const LinkId id(i);
    nlohmann::ordered_json cable = {{"a", fabric.name(fabric.link(id).from)},
                                    {"b", fabric.name(fabric.link(id).to)},
                                    {"link", fabric.technology(id).id},
                                    {"count", fabric.link(id).count}};
    cable.update(rates_json(fabric.line_rate(id), fabric.goodput(id)));
    document["cables"].push_back(std::move(cable));
  }
  return document;
}

Result<int> run_show(const Args& args, Context& context) {
  const Result<intake::ClusterInput> input = load_cluster(args, context);
  if (!input) return fail(input.error());
  const fabric::Cluster& cluster = input->cluster;
  if (args.given("--svg")) {
    const std::string svg = report::topology_svg(cluster.fabric, cluster.name);
    if (Result<void> done = write_output(context, args.text("--svg"), svg); !done) return fail(std::move(done.error()));
    if (!context.json || args.text("--svg") == "-") return 0;
  }
  if (context.json) {
    context.write_json(document_of(*input));
  } else {
    context.out << report::topology_tree(cluster.fabric, cluster.name);
  }
  return 0;
}

}  // namespace

Command topo_show_command() {
  return {
      .name = "show",
      .summary = "the cluster as a tree, or drawn",
      .description = "Servers that are alike are shown once, with how many there are.",
      .positionals = {cluster_positional()},
      .options = with_cluster_options({{.name = "--svg",
                                        .value = "FILE",
                                        .offer = Offer::files,
                                        .help = "draw it into an SVG file instead (- for stdout)"}}),
      .examples = {{.arguments = "topo show hgx-h100-8", .what = "what is in a server"},
                   {.arguments = "topo show 16xhgx-h100-8 --svg cluster.svg", .what = "a drawing of 16 of them"},
                   {.arguments = "topo show topo.xml --gpu h100-sxm5", .what = "an operator's NCCL topology file"}},
      .run = run_show,
  };
}

}  // namespace weft::cli
