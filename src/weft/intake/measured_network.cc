#include "weft/intake/measured_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <optional>

namespace weft::intake {
namespace {

using catalog::NicPart;
using catalog::ServerPart;
using fabric::Technology;

constexpr double kSameRate = 0.02;
constexpr int kPortsOfASwitch = 64;
const Duration kHop = Duration::nanoseconds(600);  // a cable and a switch

struct Family {
  std::string_view fabric;
  std::string_view links;  // prefix of their ids in the catalog
};
constexpr auto kFamilies = std::to_array<Family>({{"ib", "ib-"},
                                                  {"roce", "roce-v2-"},
                                                  {"efa", "efa-"},
                                                  {"slingshot", "slingshot-"},
                                                  {"tcp", "tcp-"},
                                                  {"tcpx", "tcpx-"}});

double gbps_of(const Technology& link) { return link.line.gbytes() * 8; }

bool same_rate(double a, double b) { return std::abs(a - b) <= kSameRate * b; }

std::string in_gbps(double gbps) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g Gb/s", gbps);
  return text.data();
}

class NetworkChoice {
 public:
  NetworkChoice(const catalog::Catalog& catalog, const formats::MeasuredTable& table, const ServerPart& server,
                fabric::ClusterSpec& spec, std::vector<std::string>& assumed)
      : catalog_(catalog), table_(table), server_(server), spec_(spec), assumed_(assumed) {}

  Result<void> choose() {
    fabric::ServerGroup& group = spec_.groups.front();
    if (Result<void> own = look_up_own(); !own) return own;
    if (table_.nics_per_server) {
      // Half of the GPUs with half of the NICs are the first half of a server that has all of them.
      const bool own_layout = server_.nics > 0 && std::int64_t{*table_.nics_per_server} * server_.gpus ==
                                                      std::int64_t{server_.nics} * *table_.gpus_per_server;
      if (!own_layout) group.options.nics = *table_.nics_per_server;
    } else if (server_.nics == 0) {
      group.options.nics = 1;
      assumed_.emplace_back("each server has one NIC");
    }
    spec_.network_given = true;
    spec_.network.kind = fabric::NetworkKind::rail;
    spec_.network.radix = kPortsOfASwitch;
    spec_.network.latency_given = true;
    spec_.network.latency = kHop;
    const bool named = !table_.fabric.empty() && table_.fabric != "none";
    if (table_.fabric == "none") assumed_.emplace_back("servers cabled to each other directly, as fast as a network");
    if (!named && !table_.nic_gbps) {
      if (table_.fabric.empty() && server_.nics > 0)
        assumed_.push_back("the NICs and the network are the server's own (" + own_->id + ")");
      spec_.network.link = own_->network_link;
      return {};
    }
    if (!named) assumed_.emplace_back("the network between servers is InfiniBand");
    return choose_link(named ? table_.fabric : "ib");
  }

 private:
  // The server's own NIC, or one of its GPU's generation.
  Result<void> look_up_own() {
    std::string id = server_.nic;
    if (id.empty()) {
      const Result<catalog::GpuPart> gpu = catalog_.gpu(server_.gpu);
      const std::string_view host = gpu ? std::string_view(gpu->host_link) : std::string_view();
      id = host.starts_with("pcie3") ? "cx4-edr" : host.starts_with("pcie4") ? "cx6-hdr" : "cx7-ndr";
      if (table_.fabric.empty() && !table_.nic_gbps)
        assumed_.push_back("the server has no NICs of its own: " + id + ", as usual for its GPUs");
      spec_.groups.front().options.nic = id;
    }
    Result<NicPart> nic = catalog_.nic(id);
    if (!nic) return fail(std::move(nic.error()));
    own_ = std::move(*nic);
    Result<Technology> link = fabric::technology_of(catalog_, own_->network_link);
    if (!link) return fail(std::move(link.error()));
    own_gbps_ = gbps_of(*link);
    return {};
  }

  Result<void> choose_link(std::string_view fabric) {
    const double gbps = table_.nic_gbps.value_or(usual_rate(fabric));
    const auto family =
        std::find_if(kFamilies.begin(), kFamilies.end(), [&](const Family& each) { return each.fabric == fabric; });
    if (family == kFamilies.end())
      return fail(input_error("WEFT-INT-0020", "no link of the network \"" + std::string(fabric) + "\" is known"));
    const std::optional<Technology> link = nearest(family->links, gbps);
    if (!link)
      return fail(input_error("WEFT-INT-0020", "no link of the network \"" + std::string(fabric) + "\" is known"));
    spec_.network.link = link->id;
    if (table_.nic_gbps && !same_rate(gbps_of(*link), gbps)) {
      spec_.network.rate = Rate::gbit_per_s(1).scaled(gbps);
      assumed_.push_back("the network is " + link->id + " at " + in_gbps(gbps));
    } else if (!table_.nic_gbps) {
      assumed_.push_back("the NICs run at " + in_gbps(gbps_of(*link)));
    }
    choose_nic(link->id);
    return {};
  }

  // aws.amazon.com/ec2/instance-types: P4d, P5, P5en, P6 (data/catalog/nics.toml).
  [[nodiscard]] double usual_rate(std::string_view fabric) const {
    const int nics = table_.nics_per_server.value_or(server_.nics);
    if (fabric != "efa") return own_gbps_;
    return nics >= 32 || nics == 4 ? 100 : nics == 16 ? 200 : own_gbps_;
  }

  [[nodiscard]] std::optional<Technology> nearest(std::string_view prefix, double gbps) const {
    std::optional<Technology> best;
    double least = 0;
    for (const std::string& id : catalog_.ids(catalog::Kind::link)) {
      if (!id.starts_with(prefix)) continue;
      Result<Technology> link = fabric::technology_of(catalog_, id);
      if (!link || link->line.count() <= 0) continue;
      // Between two as near, the server's own.
      const double distance = std::abs(std::log(gbps_of(*link) / gbps)) - (id == own_->network_link ? 1e-9 : 0);
      if (best && distance >= least) continue;
      best = std::move(*link);
      least = distance;
    }
    return best;
  }

  // A NIC with that port: the server's own, one for the same slot, or any. TCP has none of its own: it runs over what
  // is there.
  void choose_nic(std::string_view link) {
    if (own_->network_link == link) return;
    const NicPart* chosen = nullptr;
    std::vector<NicPart> parts;
    for (const std::string& id : catalog_.ids(catalog::Kind::nic)) {
      if (Result<NicPart> nic = catalog_.nic(id); nic && nic->network_link == link) parts.push_back(std::move(*nic));
    }
    for (const NicPart& nic : parts) {
      if (chosen == nullptr || (chosen->host_link != own_->host_link && nic.host_link == own_->host_link))
        chosen = &nic;
    }
    if (chosen != nullptr) spec_.groups.front().options.nic = chosen->id;
  }

  const catalog::Catalog& catalog_;
  const formats::MeasuredTable& table_;
  const ServerPart& server_;
  fabric::ClusterSpec& spec_;
  std::vector<std::string>& assumed_;
  std::optional<NicPart> own_;
  double own_gbps_ = 0;
};

}  // namespace

Result<void> choose_network(const catalog::Catalog& catalog, const formats::MeasuredTable& table,
                            const ServerPart& server, fabric::ClusterSpec& spec, std::vector<std::string>& assumed) {
  return NetworkChoice(catalog, table, server, spec, assumed).choose();
}

}  // namespace weft::intake
