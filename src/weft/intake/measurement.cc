#include "weft/intake/measurement.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "weft/intake/library_guess.h"

namespace weft::intake {
namespace {

using collective::Operation;
using fabric::ClusterSpec;
using formats::MeasuredTable;

struct NetworkLink {
  std::string_view fabric;
  double gbps;
  const char* link;
};
constexpr auto kNetworkLinks = std::to_array<NetworkLink>({
    {"ib", 100, "ib-edr"},         {"ib", 200, "ib-hdr"},
    {"ib", 400, "ib-ndr"},         {"ib", 800, "ib-xdr"},
    {"roce", 25, "roce-v2-25g"},   {"roce", 50, "roce-v2-50g"},
    {"roce", 100, "roce-v2-100g"}, {"roce", 200, "roce-v2-200g"},
    {"roce", 400, "roce-v2-400g"}, {"roce", 800, "roce-v2-800g"},
    {"efa", 100, "efa-100g"},      {"efa", 200, "efa-200g"},
    {"efa", 400, "efa-400g"},      {"slingshot", 200, "slingshot-11"},
    {"tcp", 25, "tcp-25g"},        {"tcp", 100, "tcp-100g"},
    {"tcp", 200, "tcp-200g"},      {"tcp", 400, "tcp-400g"},
    {"tcpx", 200, "tcpx-200g"},
});

const NetworkLink* nearest_link(std::string_view fabric, double gbps) {
  const NetworkLink* best = nullptr;
  for (const NetworkLink& each : kNetworkLinks) {
    if (each.fabric != fabric) continue;
    if (best == nullptr || std::abs(std::log(each.gbps / gbps)) < std::abs(std::log(best->gbps / gbps))) best = &each;
  }
  return best;
}

// Exact phrases only: prose is no topology.
bool says(const std::string& prose, std::initializer_list<std::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return prose.find(phrase) != std::string::npos; });
}

std::string in_gbps(double gbps) { return std::to_string(static_cast<int>(std::lround(gbps))) + " Gb/s"; }

// Builds up the cluster of one table, saying what it assumes.
class Joining {
 public:
  Joining(const catalog::Catalog& catalog, Measurement& measurement)
      : catalog_(catalog), out_(measurement), table_(measurement.table) {}

  // False with `why_not` set when something that cannot be assumed is missing.
  bool describe() {
    if (table_.server.empty()) return refuse("the server is unknown");
    if (!table_.servers || *table_.servers < 1) return refuse("the number of servers is unknown");
    if (!table_.gpus_per_server || *table_.gpus_per_server < 1) return refuse("the number of GPUs a server is unknown");
    if (!table_.operation) return refuse("the collective is unknown");
    if (*table_.servers * *table_.gpus_per_server < 2) return refuse("one GPU has nobody to send to");
    const Result<catalog::ServerPart> part = fabric::resolve_server(catalog_, server_name());
    if (!part) return refuse(part.error().message);
    if (part->gpus < *table_.gpus_per_server)
      return refuse(table_.server + " has " + std::to_string(part->gpus) + " GPUs, not " +
                    std::to_string(*table_.gpus_per_server));
    const Result<catalog::GpuPart> gpu = catalog_.gpu(part->gpu);
    if (!gpu) return refuse(gpu.error().message);
    spec_.groups.push_back({server_name(), *table_.servers, 0, "", {}});
    choose_library(*gpu);
    if (!choose_network(*part)) return false;
    choose_conditions(*part);
    take_forced();
    if (table_.launch == collective::LaunchMode::unknown)
      out_.assumed.emplace_back("the launch mode is unknown: no time on the host is counted");
    return true;
  }

  [[nodiscard]] const ClusterSpec& spec() const { return spec_; }
  [[nodiscard]] const std::string& key() const { return key_; }

 private:
  bool refuse(const std::string& why) {
    out_.why_not = why;
    return false;
  }

  // PCIe servers take a count, and bridges when the table names them.
  std::string server_name() {
    const catalog::Part* part = catalog_.find(table_.server);
    std::string name = table_.server;
    if (says(table_.interconnect, {"NVLink bridge", "NVLink2 bridge", "NVLink3 bridge"}) &&
        catalog_.find(name + "-bridged") != nullptr)
      name += "-bridged";
    const Result<catalog::ServerPart> server = part != nullptr ? catalog_.server(name) : fail(input_error("", ""));
    if (server && server->parametric) name += ":" + std::to_string(*table_.gpus_per_server);
    return name;
  }

  void choose_library(const catalog::GpuPart& gpu) {
    if (table_.library && table_.library->version_known()) {
      out_.library = *table_.library;
      return;
    }
    std::string why;
    out_.library = guess_library(gpu, table_.date, why);
    if (out_.library.version_known())
      out_.assumed.push_back("the library is " + collective::to_text(out_.library) + " (" + why + ")");
  }

  bool choose_network(const catalog::ServerPart& part) {
    fabric::ServerGroup& group = spec_.groups.front();
    key_ = group.server + "|" + std::to_string(group.count);
    if (*table_.servers < 2) return true;
    const Result<catalog::NicPart> own = catalog_.nic(part.nic);
    // Half of the GPUs with half of the NICs are the first half of a server that has all of them.
    const bool own_layout = own && table_.nics_per_server && part.nics > 0 &&
                            *table_.nics_per_server * part.gpus == part.nics * *table_.gpus_per_server;
    if (table_.nics_per_server && !own_layout) group.options.nics = *table_.nics_per_server;
    if (!own) group.options.nic = "cx7-ndr";
    if (!own && !table_.nics_per_server) return refuse("the server has no NICs, and the table names none");
    std::string fabric_name = table_.fabric;
    if (fabric_name == "none") return refuse("several servers without a network");
    if (fabric_name.empty() && table_.nic_gbps) {
      fabric_name = "ib";
      out_.assumed.emplace_back("the network between servers is InfiniBand");
    }
    if (!fabric_name.empty()) {
      const double gbps = rate_of(own);
      const NetworkLink* link = nearest_link(fabric_name, gbps);
      if (link == nullptr) return refuse("no link of the network \"" + fabric_name + "\" is known");
      if (!table_.nic_gbps) out_.assumed.push_back("the NICs run at " + in_gbps(gbps));
      if (link->gbps != gbps) out_.assumed.push_back("the NICs are " + std::string(link->link));
      spec_.network.link = link->link;
    } else {
      out_.assumed.push_back("the NICs and the network are the server's own (" + part.nic + ")");
    }
    spec_.network_given = true;
    spec_.network.kind = fabric::NetworkKind::rail;
    spec_.network.radix = 64;  // no switch is named, and none is what limits these runs
    spec_.network.latency_given = true;
    spec_.network.latency = Duration::nanoseconds(600);
    key_ += "|" + spec_.network.link + "|" + std::to_string(group.options.nics);
    return true;
  }

  double rate_of(const Result<catalog::NicPart>& own) const {
    if (table_.nic_gbps) return *table_.nic_gbps;
    if (own) {
      if (const Result<fabric::Technology> link = fabric::technology_of(catalog_, own->network_link))
        return link->line.gbytes() * 8;
    }
    return 400;
  }

  void choose_conditions(const catalog::ServerPart& part) {
    bool p2p = table_.p2p.value_or(part.peer_to_peer);
    if (!table_.p2p && says(table_.interconnect, {"no P2P", "peer access NOT available", "(SHM)"})) p2p = false;
    if (!table_.p2p && says(table_.interconnect, {"P2P driver", "PCIe P2P"})) p2p = true;
    if (p2p != part.peer_to_peer) {
      spec_.groups.front().options.peer_to_peer = p2p;
      key_ += p2p ? "|p2p" : "|no-p2p";
    }
    if (table_.gdr == false) {
      spec_.groups.front().options.gpudirect_rdma = false;
      key_ += "|no-gdr";
    }
  }

  void take_forced() {
    const auto value = [&](std::string_view name) -> std::string {
      const std::size_t at = table_.env.find(std::string(name) + "=");
      if (at == std::string::npos) return "";
      const std::size_t begin = at + name.size() + 1;
      std::string text = table_.env.substr(begin, table_.env.find(' ', begin) - begin);
      std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
      return text;
    };
    if (!table_.algorithm) table_.algorithm = collective::algorithm_from(value("NCCL_ALGO"));
    if (!table_.protocol) table_.protocol = collective::protocol_from(value("NCCL_PROTO"));
  }

  const catalog::Catalog& catalog_;
  Measurement& out_;
  MeasuredTable& table_;
  ClusterSpec spec_;
  std::string key_;
};

}  // namespace

collective::Call Measurement::call(Bytes size) const {
  return {table.operation.value_or(Operation::all_reduce), size, table.algorithm, table.protocol, table.launch};
}

Measurement MeasurementJoiner::join(MeasuredTable table) {
  Measurement measurement;
  measurement.table = std::move(table);
  Joining joining(catalog_, measurement);
  if (!joining.describe()) return measurement;
  std::shared_ptr<const fabric::Cluster>& cluster = built_[joining.key()];
  if (!cluster) {
    Result<fabric::Cluster> built = fabric::build_cluster(catalog_, joining.spec());
    if (!built) {
      measurement.why_not = built.error().message;
      return measurement;
    }
    cluster = std::make_shared<const fabric::Cluster>(std::move(*built));
  }
  measurement.cluster = cluster;
  const fabric::Fabric& fabric = cluster->fabric;
  for (std::size_t server = 0; server < fabric.servers().size(); ++server) {
    for (int i = 0; i < *measurement.table.gpus_per_server; ++i)
      measurement.group.push_back(fabric.gpu(static_cast<std::uint32_t>(server), static_cast<std::uint32_t>(i)));
  }
  measurement.shape = fabric::shape_of(fabric, measurement.group, cluster->conditions);
  if (!measurement.shape.connected) measurement.why_not = "the GPUs are not connected";
  return measurement;
}

}  // namespace weft::intake
