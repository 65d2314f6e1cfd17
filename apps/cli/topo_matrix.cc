#include <nlohmann/json.hpp>
#include <ostream>

#include "cluster_argument.h"
#include "topo.h"
#include "weft/report/topology_matrix.h"

namespace weft::cli {
namespace {

using report::Matrix;
using report::MatrixCell;
using report::MatrixValues;

template <class Value>
nlohmann::ordered_json rows_json(const Matrix& matrix, const Value& value) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const auto& row : matrix.cells) {
    nlohmann::ordered_json cells = nlohmann::ordered_json::array();
    for (const MatrixCell& cell : row) cells.push_back(value(cell));
    rows.push_back(std::move(cells));
  }
  return rows;
}

nlohmann::ordered_json document_of(const intake::ClusterInput& input, const Matrix& matrix, std::uint32_t server) {
  const fabric::Fabric& fabric = input.cluster.fabric;
  nlohmann::ordered_json document = {{"schema", "weft/topo/1"}, {"view", "matrix"}, {"cluster", cluster_json(input)}};
  document["assumed"] = input.cluster.assumed;
  document["server"] = server;
  document["devices"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < matrix.devices.size(); ++i) {
    nlohmann::ordered_json device = {{"column", report::matrix_name(fabric, matrix.devices[i])},
                                     {"name", fabric.name(matrix.devices[i])}};
    if (const std::string& own = fabric.operator_name(matrix.devices[i]); !own.empty()) device["operator_name"] = own;
    if (matrix.numa[i] != "N/A") device["numa"] = matrix.numa[i];
    document["devices"].push_back(std::move(device));
  }
  const auto figure = [](const MatrixCell& cell, double value) {
    return cell.connected ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  document["types"] = rows_json(matrix, [](const MatrixCell& cell) {
    return cell.type == fabric::PathType::self ? std::string("X") : cell.text();
  });
  document["goodput_gbytes_per_s"] =
      rows_json(matrix, [&](const MatrixCell& cell) { return figure(cell, cell.goodput.gbytes()); });
  document["latency_us"] = rows_json(matrix, [&](const MatrixCell& cell) { return figure(cell, cell.latency.us()); });
  document["host_bounce"] = rows_json(matrix, [](const MatrixCell& cell) { return cell.host_bounce; });
  return document;
}

Result<int> run_matrix(const Args& args, Context& context) {
  const Result<intake::ClusterInput> input = load_cluster(args, context);
  if (!input) return fail(input.error());
  const fabric::Fabric& fabric = input->cluster.fabric;
  const Result<std::uint32_t> server = server_argument(args, fabric);
  if (!server) return fail(server.error());
  const Matrix matrix = report::matrix_of(fabric, input->cluster.conditions, *server);
  if (context.json) {
    context.write_json(document_of(*input, matrix, *server));
    return 0;
  }
  if (fabric.servers().size() > 1 && !args.given("--server") && !context.quiet) {
    context.err << "note: this is server0 of " << fabric.servers().size() << "; --server N shows another\n";
  }
  const std::string values = args.text("--values");
  context.out << report::matrix_text(fabric, matrix,
                                     values == "bw"        ? MatrixValues::bandwidth
                                     : values == "latency" ? MatrixValues::latency
                                                           : MatrixValues::types);
  return 0;
}

}  // namespace

Command topo_matrix_command() {
  return {
      .name = "matrix",
      .summary = "how the GPUs and NICs of a server reach each other, as nvidia-smi topo -m prints it",
      .description =
          "Tab-separated, with nvidia-smi's own words and legend; bw and latency give figures in the same place.",
      .positionals = {cluster_positional()},
      .options = with_cluster_options({{.name = "--server",
                                        .value = "N",
                                        .type = ValueType::integer,
                                        .default_text = "0",
                                        .least = 0,
                                        .help = "which server"},
                                       {.name = "--values",
                                        .value = "WHAT",
                                        .default_text = "type",
                                        .choices = {"type", "bw", "latency"},
                                        .help = "the kind of way, its rate per direction, or its latency"}}),
      .examples = {{.arguments = "topo matrix hgx-h100-8", .what = "as nvidia-smi would show it"},
                   {.arguments = "topo matrix pcie-a100:4 --values bw", .what = "GB/s between every two"}},
      .run = run_matrix,
  };
}

}  // namespace weft::cli
