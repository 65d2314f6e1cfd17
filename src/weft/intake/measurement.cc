#include "weft/intake/measurement.h"

#include <algorithm>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"
#include "weft/intake/cluster.h"
#include "weft/intake/library_guess.h"
#include "weft/intake/measured_cluster.h"
#include "weft/intake/server_guess.h"

namespace weft::intake {
namespace {

using collective::LaunchMode;
using collective::Operation;
using formats::MeasuredTable;

constexpr int kMostServers = 100'000;
constexpr std::int64_t kMostRanks = 1'000'000;
constexpr int kTraysOfARack = 18;
constexpr int kGpusOfARack = 72;

// Which of the four things that nobody can assume is missing; "" = none.
std::string missing(const MeasuredTable& table) {
  if (table.server.empty()) {
    if (!table.raw_log) return "the server is unknown";
    return table.gpu.empty() ? "the log does not say on which GPUs it ran: name the cluster"
                             : in_quotes(table.gpu, 60) + " does not tell the server: name the cluster";
  }
  if (!table.servers) return "the number of servers is unknown";
  if (!table.gpus_per_server) return "the number of GPUs a server is unknown";
  const std::int64_t ranks = std::int64_t{*table.servers} * *table.gpus_per_server;
  if (ranks < 2) return "one GPU has nobody to send to";
  if (!table.operation)
    return table.raw_log ? "the collective is unknown: a line \"# collective: all_reduce\" on top of the log tells it"
                         : "the collective is unknown";
  if (*table.servers > kMostServers || ranks > kMostRanks) return "more servers than can be built here";
  return "";
}

// NCCL_ALGO=Ring in "NCCL_ALGO=Ring NCCL_PROTO=Simple" -> "ring"; "" when it is not there or lists several.
std::string value_in(const std::string& env, std::string_view name) {
  for (const std::string_view word : formats::words(env)) {
    if (word.size() > name.size() && word.starts_with(name) && word[name.size()] == '=')
      return formats::lower(word.substr(name.size() + 1));
  }
  return "";
}

void take_forced(MeasuredTable& table) {
  std::string algorithm = value_in(table.env, "NCCL_ALGO");
  if (algorithm == "nvlstree") algorithm = "nvls_tree";
  if (!table.algorithm) table.algorithm = collective::algorithm_from(algorithm);
  if (!table.protocol) table.protocol = collective::protocol_from(value_in(table.env, "NCCL_PROTO"));
}

bool is_rack(std::string_view server) { return server.ends_with("-nvl72"); }

// The trays of one NVL72 are hosts to a log and one server here.
void fold_trays(MeasuredTable& table, std::vector<std::string>& assumed) {
  if (!is_rack(table.server) || !table.servers || !table.gpus_per_server || *table.servers < 2) return;
  const std::int64_t gpus = std::int64_t{*table.servers} * *table.gpus_per_server;
  const int racks = (*table.servers + kTraysOfARack - 1) / kTraysOfARack;
  if (gpus % racks != 0 || gpus / racks > kGpusOfARack) return;
  assumed.push_back("the " + std::to_string(*table.servers) + " hosts are trays of " + std::to_string(racks) +
                    (racks == 1 ? " rack" : " racks"));
  table.servers = racks;
  table.gpus_per_server = static_cast<int>(gpus / racks);
}

void take_library(Measurement& measurement, const catalog::GpuPart& gpu) {
  if (measurement.table.library && measurement.table.library->version_known()) {
    measurement.library = *measurement.table.library;
    return;
  }
  LibraryGuess guess = guess_library(gpu, measurement.table.date);
  measurement.library = guess.library;
  if (!guess.library.version_known()) {
    measurement.assumed.emplace_back("the library's version is unknown");
    return;
  }
  measurement.assumed.push_back("the library is " + collective::to_text(guess.library) + " (" + guess.why + ")");
}

void take_launch(Measurement& measurement) {
  const MeasuredTable& table = measurement.table;
  const int all = *table.gpus_per_server;
  switch (table.launch) {
    case LaunchMode::single_process:
      measurement.gpus_per_process = std::clamp(table.gpus_per_process.value_or(all), 1, all);
      break;
    case LaunchMode::unknown:
      measurement.assumed.emplace_back("the launch mode is unknown: no time on the host is counted");
      break;
    default:
      break;
  }
}

// The first GPUs of the first servers; false when the cluster has not so many.
bool take_group(Measurement& measurement) {
  const fabric::Fabric& fabric = measurement.cluster->fabric;
  const auto servers = static_cast<std::size_t>(*measurement.table.servers);
  const auto gpus = static_cast<std::uint32_t>(*measurement.table.gpus_per_server);
  if (fabric.servers().size() < servers) {
    measurement.why_not = "the cluster has " + formats::counted(fabric.servers().size(), "server") + ", and " +
                          std::to_string(servers) + " took part";
    return false;
  }
  for (std::size_t server = 0; server < servers; ++server) {
    const std::uint32_t count = fabric.servers()[server].gpus;
    if (count < gpus) {
      measurement.why_not = "server" + std::to_string(server) + " has " + formats::counted(count, "GPU") + ", and " +
                            std::to_string(gpus) + " took part";
      return false;
    }
    for (std::uint32_t i = 0; i < gpus; ++i)
      measurement.group.push_back(fabric.gpu(static_cast<std::uint32_t>(server), i));
  }
  return true;
}

// The GPU part of a cluster that the user gave, for the library's usual version.
catalog::GpuPart gpu_of(const catalog::Catalog& catalog, const fabric::Cluster& cluster) {
  for (const fabric::Server& server : cluster.fabric.servers()) {
    const Result<catalog::ServerPart> part = catalog.server(server.part);
    if (!part) continue;
    if (Result<catalog::GpuPart> gpu = catalog.gpu(part->gpu); gpu) return std::move(*gpu);
  }
  catalog::GpuPart unknown;
  unknown.vendor = "nvidia";
  return unknown;
}

}  // namespace

collective::Call Measurement::call(Bytes size) const {
  return {table.operation.value_or(Operation::all_reduce),
          size,
          table.algorithm,
          table.protocol,
          table.launch,
          gpus_per_process};
}

Result<void> MeasurementJoiner::use_cluster(std::string_view spec, const std::string& gpu,
                                            std::istream& standard_input) {
  const catalog::Part* part = catalog_.find(spec.substr(0, spec.find(':')));
  if (part != nullptr && part->kind == catalog::Kind::server) {
    server_ = spec;
    return {};
  }
  ClusterOptions options;
  options.gpu = gpu;
  Result<ClusterInput> input = load_cluster(catalog_, spec, options, standard_input);
  if (!input) return fail(std::move(input.error()));
  cluster_ = std::make_shared<const fabric::Cluster>(std::move(input->cluster));
  return {};
}

std::shared_ptr<const fabric::Cluster> MeasurementJoiner::build(const fabric::ClusterSpec& spec, const std::string& key,
                                                                std::string& why_not) {
  std::shared_ptr<const fabric::Cluster>& cluster = built_[key];
  if (cluster) return cluster;
  Result<fabric::Cluster> built = fabric::build_cluster(catalog_, spec);
  if (!built) {
    why_not = built.error().message;
    return nullptr;
  }
  cluster = std::make_shared<const fabric::Cluster>(std::move(*built));
  return cluster;
}

Measurement MeasurementJoiner::join(MeasuredTable table) {
  Measurement measurement;
  measurement.table = std::move(table);
  MeasuredTable& own = measurement.table;
  take_forced(own);
  if (!server_.empty()) {
    own.server = server_;
  } else if (cluster_) {
    own.server = cluster_->name.empty() ? "the cluster given" : cluster_->name;
  } else if (own.server.empty() && own.raw_log) {
    own.server = guess_server(own.gpu);
    if (!own.server.empty())
      measurement.assumed.push_back("the server is " + own.server + ", by the GPU's name " + in_quotes(own.gpu, 60));
  }
  if (own.raw_log && !cluster_) fold_trays(own, measurement.assumed);
  measurement.why_not = missing(own);
  if (!measurement.usable()) return measurement;

  catalog::GpuPart gpu;
  if (cluster_) {
    measurement.cluster = cluster_;
    gpu = gpu_of(catalog_, *cluster_);
  } else {
    Result<MeasuredCluster> described = describe_cluster(catalog_, own);
    if (!described) {
      measurement.why_not = described.error().message;
      return measurement;
    }
    measurement.cluster = build(described->spec, described->key(), measurement.why_not);
    if (!measurement.cluster) return measurement;
    measurement.assumed.insert(measurement.assumed.end(), described->assumed.begin(), described->assumed.end());
    gpu = std::move(described->gpu);
  }
  take_library(measurement, gpu);
  take_launch(measurement);
  if (!take_group(measurement)) return measurement;
  measurement.shape = fabric::shape_of(measurement.cluster->fabric, measurement.group, measurement.cluster->conditions);
  if (!measurement.shape.connected) measurement.why_not = "the GPUs are not connected to each other";
  return measurement;
}

}  // namespace weft::intake
