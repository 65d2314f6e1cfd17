#include "weft/engine/closed/between.h"

#include <algorithm>
#include <cmath>

#include "weft/engine/closed/inside.h"

namespace weft::engine::closed {
namespace {

using collective::Algorithm;
using collective::BetweenLine;
using collective::Call;
using collective::Library;
using collective::LibraryFamily;
using collective::NetworkProfile;
using collective::Operation;
using collective::Profiles;
using collective::Stage;
using fabric::GroupShape;

constexpr Library kTwoServerTree{LibraryFamily::nccl, 2, 19, 0};

// The network as a form sees it: rates in bytes per microsecond, hops in microseconds.
struct Network {
  const NetworkProfile& profile;
  double per_server = 0;
  double per_rank = 0;
  double extra_hop_us = 0;
  [[nodiscard]] double hop(double bytes) const { return profile.hop_at(bytes) * profile.latency_scale + extra_hop_us; }
};

Network network_of(const GroupShape& shape, const Profiles& profiles) {
  const NetworkProfile& profile = profiles.network(shape.between);
  const double share = profile.share * profile.rate_scale / std::max(1.0, shape.oversubscription);
  Network network{profile, bytes_per_us(shape.nic_rate_per_server) * share,
                  bytes_per_us(shape.nic_rate_per_rank) * share, 0};
  if (shape.network_bounce) {
    const double most = bytes_per_us(profiles.between.bounce_rate) * profile.rate_scale;
    network.per_rank = std::min(network.per_rank, most);
    network.per_server = std::min(network.per_server, most * shape.fewest_ranks_per_server);
    network.extra_hop_us = profiles.between.bounce_hop_us;
  }
  return network;
}

Estimate estimate_of(const Network& network, Algorithm algorithm, Stage stage, std::string_view form) {
  Estimate estimate;
  estimate.algorithm = algorithm;
  estimate.stage = stage;
  estimate.set = &network.profile.id;
  estimate.form = form;
  return estimate;
}

// A tree between servers; inside, a chain or the NVSwitches' reduction (NVLSTree).
void offer_tree(std::optional<Estimate>& best, const Call& call, const GroupShape& shape, const Network& network,
                const Profiles& profiles) {
  const double bytes = static_cast<double>(call.bytes.count());
  const double n = shape.ranks;
  const double levels = std::log2(static_cast<double>(shape.servers));
  const bool once = shape.servers == 2 && profiles.library.family == LibraryFamily::nccl &&
                    (!profiles.library.version_known() || !(profiles.library < kTwoServerTree));
  const bool by_switches = switches_reduce(shape) && simple_allowed(call) && allows(call, Algorithm::nvls_tree) &&
                           !(call.chosen && call.chosen->algorithm == Algorithm::tree);
  const double inside = inside_ceiling(shape, profiles, by_switches ? Inside::switches : Inside::chain);
  const double rate =
      once ? std::min(2 * (n - 1) / n * network.per_server, inside) : std::min(network.per_server, inside);
  for (std::size_t i = 0; i < collective::kBetweenStages; ++i) {
    const Stage stage = static_cast<Stage>(i);
    const std::optional<double> share = share_under(call, stage);
    const bool simple = collective::protocol_of(stage) == collective::Protocol::simple;
    const Algorithm algorithm = simple && by_switches ? Algorithm::nvls_tree : Algorithm::tree;
    if (!share || !allows(call, algorithm)) continue;
    const BetweenLine& line = profiles.between.tree[i];
    Estimate estimate = estimate_of(network, algorithm, stage, "tree");
    estimate.launch_us = line.launch_us;
    estimate.latency_us = line.rank_us * shape.most_ranks_per_server + 2 * levels * line.hops * network.hop(bytes);
    estimate.transfer_us =
        collective::bus_factor(Operation::all_reduce, shape.ranks) * bytes / (line.share * *share * rate);
    offer(best, estimate);
  }
}

// `passes` over the ring: two for an all-reduce, one for what only gathers, scatters or hands on.
void offer_ring(std::optional<Estimate>& best, const Call& call, const GroupShape& shape, const Network& network,
                const Profiles& profiles, int passes) {
  const double bytes = static_cast<double>(call.bytes.count());
  const double rate = std::min(network.per_server, inside_ceiling(shape, profiles, Inside::ring));
  for (std::size_t i = 0; i < collective::kBetweenStages; ++i) {
    const Stage stage = static_cast<Stage>(i);
    const std::optional<double> share = share_under(call, stage);
    if (!share) continue;
    const BetweenLine& line = profiles.between.ring[i];
    Estimate estimate = estimate_of(network, Algorithm::ring, stage, "ring");
    estimate.launch_us = line.launch_us;
    estimate.transfer_us = collective::bus_factor(call.operation, shape.ranks) * bytes / (line.share * *share * rate);
    const double steps_us = line.rank_us * passes * (shape.ranks - shape.servers) +
                            passes * (shape.servers - 1) * line.hops * network.hop(bytes / shape.ranks);
    // A chunk goes in slices: the next rank works on the first while others are on the wire.
    estimate.latency_us = std::max(0.0, steps_us - profiles.between.hidden * estimate.transfer_us);
    offer(best, estimate);
  }
}

// What leaves a rank's server over what the rank has of its NICs; the part that stays runs beside it.
Estimate all_to_all(const Call& call, const GroupShape& shape, const Network& network, const Profiles& profiles) {
  const double bytes = static_cast<double>(call.bytes.count());
  const double n = shape.ranks;
  const double g = shape.fewest_ranks_per_server;
  const BetweenLine& line = profiles.between.all_to_all;
  Estimate estimate = estimate_of(network, Algorithm::direct, Stage::simple, "all_to_all");
  estimate.launch_us = line.launch_us;
  estimate.latency_us = line.hops * network.hop(bytes) + line.rank_us * (n - 1);
  const double outside_us = bytes * (n - g) / n / (line.share * network.per_rank);
  const double inside_us = g > 1 ? bytes * (g - 1) / n / inside_ceiling(shape, profiles, Inside::ring) : 0;
  estimate.transfer_us = std::max(outside_us, inside_us);
  return estimate;
}

Estimate send_recv(const Call& call, const GroupShape& shape, const Network& network, const Profiles& profiles) {
  const double bytes = static_cast<double>(call.bytes.count());
  const BetweenLine& line = profiles.between.send_recv;
  Estimate estimate = estimate_of(network, Algorithm::direct, Stage::simple, "send_recv");
  estimate.launch_us = line.launch_us;
  estimate.latency_us = line.hops * network.hop(bytes);
  // Each rank sends to the next: the pairs inside servers run beside the one that crosses.
  estimate.transfer_us = bytes / std::min(line.share * network.per_rank, inside_ceiling(shape, profiles, Inside::ring));
  return estimate;
}

}  // namespace

std::optional<Estimate> between_estimate(const Call& call, const GroupShape& shape, const Profiles& profiles) {
  const Network network = network_of(shape, profiles);
  std::optional<Estimate> best;
  switch (call.operation) {
    case Operation::all_reduce: {
      const bool trees = profiles.library.family != LibraryFamily::rccl;
      const bool chosen_ring = call.chosen && call.chosen->algorithm == Algorithm::ring;
      const bool chosen_tree = call.chosen && !chosen_ring;
      if (trees && !chosen_ring && (allows(call, Algorithm::tree) || allows(call, Algorithm::nvls_tree)))
        offer_tree(best, call, shape, network, profiles);
      if (!chosen_tree && allows(call, Algorithm::ring)) offer_ring(best, call, shape, network, profiles, 2);
      return best;
    }
    case Operation::all_gather:
    case Operation::reduce_scatter:
    case Operation::broadcast:
    case Operation::reduce:
      if (allows(call, Algorithm::ring)) offer_ring(best, call, shape, network, profiles, 1);
      return best;
    case Operation::send_recv:
      return send_recv(call, shape, network, profiles);
    default:
      return all_to_all(call, shape, network, profiles);
  }
}

}  // namespace weft::engine::closed
