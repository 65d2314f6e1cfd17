#include "weft/engine/closed/closed.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

namespace weft::engine::closed {
namespace {

using collective::Algorithm;
using collective::HopClass;
using collective::LibraryProfile;
using collective::Operation;
using collective::Profiles;
using collective::Protocol;
using fabric::GroupShape;

constexpr std::size_t kRing = 0;
constexpr std::size_t kTree = 1;
constexpr std::array<Protocol, 3> kProtocols = {Protocol::ll, Protocol::ll128, Protocol::simple};

// The links of a group as rates and latencies that a form can use.
struct Wires {
  double inside = 0;  // bytes per microsecond, one rank
  double network_per_server = 0;
  double network_per_rank = 0;
  HopClass inside_hops = HopClass::nvlink;
  double extra_network_us = 0;  // a network hop beyond the library's own figure
};

double bytes_per_us(Rate rate) { return static_cast<double>(rate.count()) / 8e6; }

Wires wires_of(const GroupShape& shape, const Profiles& profiles) {
  Wires wires;
  wires.inside = bytes_per_us(shape.inside_rate) * profiles.links.inside_share(shape.inside, shape.inside_bounce);
  wires.inside_hops = collective::hop_class(shape.inside);
  if (shape.servers < 2) return wires;
  const double share = profiles.links.network_share(shape.between) / std::max(1.0, shape.oversubscription);
  wires.network_per_rank = bytes_per_us(shape.nic_rate_per_rank) * share;
  wires.network_per_server = bytes_per_us(shape.nic_rate_per_server) * share;
  wires.extra_network_us = profiles.links.extra_hop_us(shape.between) + shape.network_latency.us();
  if (shape.network_bounce) {
    const double most = bytes_per_us(profiles.links.bounce_network);
    wires.network_per_rank = std::min(wires.network_per_rank, most);
    wires.network_per_server = std::min(wires.network_per_server, most * shape.fewest_ranks_per_server);
    wires.extra_network_us += profiles.links.bounce_hop_us;
  }
  return wires;
}

Cost make_cost(double base_us, double latency_us, double transfer_us, Algorithm algorithm, Protocol protocol) {
  Cost cost;
  cost.terms = {Duration::from_us(base_us), Duration::from_us(latency_us), Duration::from_us(transfer_us), Duration()};
  cost.total = cost.terms.total();
  cost.algorithm = algorithm;
  cost.protocol = protocol;
  return cost;
}

// Rings: every byte leaves each rank once a pass; NCCL's latency rule (tuning.cc) counts network and inside hops apart.
Cost ring_cost(int passes, double bytes, const GroupShape& shape, const Wires& wires, const LibraryProfile& library,
               std::size_t p) {
  const int n = shape.ranks;
  const int network_hops = shape.servers > 1 ? passes * (shape.servers - 1) : 0;
  const int inside_hops = passes * (n - 1) - network_hops;
  double inside_us = library.hop_us[static_cast<std::size_t>(wires.inside_hops)][kRing][p];
  if (shape.servers > 1)
    inside_us = std::max(inside_us, library.inside_overhead_us * (kProtocols[p] == Protocol::simple ? 3 : 1));
  const double network_us =
      library.hop_us[static_cast<std::size_t>(HopClass::network)][kRing][p] + wires.extra_network_us;
  const double factor = static_cast<double>(passes) * (n - 1) / n;
  double rate = wires.inside;
  if (shape.servers > 1)
    rate = shape.most_ranks_per_server > 1 ? std::min(rate, wires.network_per_server) : wires.network_per_server;
  return make_cost(library.base_us[kRing][p], inside_hops * inside_us + network_hops * network_us,
                   factor * bytes / (rate * library.protocol_share[p]), Algorithm::ring, kProtocols[p]);
}

// Double binary tree between servers, a chain inside; with two servers each sends its sum once.
Cost tree_cost(double bytes, const GroupShape& shape, const Wires& wires, const LibraryProfile& library,
               std::size_t p) {
  const double inside_us = library.hop_us[static_cast<std::size_t>(wires.inside_hops)][kTree][p];
  const double network_us =
      library.hop_us[static_cast<std::size_t>(HopClass::network)][kTree][p] + wires.extra_network_us;
  const int levels = std::bit_width(static_cast<unsigned>(shape.servers)) - 1;
  const int chain = shape.most_ranks_per_server - 1;
  const double share = library.protocol_share[p];
  double transfer = chain > 0 ? 2 * bytes / (wires.inside * share * library.tree_share) : 0;
  if (shape.servers > 1) {
    const double sent = shape.servers == 2 ? bytes : 2 * bytes;
    transfer = std::max(transfer, sent / (wires.network_per_server * share));
  }
  return make_cost(library.base_us[kTree][p], 2 * (chain * inside_us + levels * network_us), transfer, Algorithm::tree,
                   kProtocols[p]);
}

void offer(std::optional<Cost>& best, const Cost& cost) {
  if (!best || cost.total < best->total) best = cost;
}

void offer_nvls(std::optional<Cost>& best, double bytes, const GroupShape& shape, const Wires& wires,
                const LibraryProfile& library) {
  if (!shape.nvls || shape.servers > 1 || shape.ranks < library.nvls_fewest_ranks) return;
  offer(best, make_cost(library.nvls_base_us, library.nvls_hop_us, bytes / (wires.inside * library.nvls_efficiency),
                        Algorithm::nvls, Protocol::simple));
}

void offer_kernels(std::optional<Cost>& best, Bytes size, const GroupShape& shape, const Wires& wires,
                   const Profiles& profiles) {
  const collective::KernelLines lines = profiles.kernels.lines(shape.inside_link);
  if (shape.servers > 1 || !lines.known() || size > profiles.kernels.largest ||
      shape.ranks > profiles.kernels.most_ranks)
    return;
  const double bytes = static_cast<double>(size.count());
  const double n = shape.ranks;
  offer(best, make_cost(lines.one_shot_us, 0, (n - 1) * bytes / (wires.inside * lines.one_shot_share),
                        Algorithm::one_shot, Protocol::simple));
  offer(best, make_cost(lines.two_shot_us, 0, 2 * (n - 1) / n * bytes / (wires.inside * lines.two_shot_share),
                        Algorithm::two_shot, Protocol::simple));
}

// Everyone sends every other rank its part at once: inside and network run side by side.
Cost all_to_all_cost(double bytes, const GroupShape& shape, const Wires& wires, const LibraryProfile& library) {
  constexpr std::size_t kSimple = 2;
  const double n = shape.ranks;
  const double g = shape.fewest_ranks_per_server;
  double transfer = shape.most_ranks_per_server > 1 ? bytes * (shape.most_ranks_per_server - 1) / n / wires.inside : 0;
  double latency = library.hop_us[static_cast<std::size_t>(wires.inside_hops)][kRing][kSimple];
  if (shape.servers > 1) {
    transfer = std::max(transfer, bytes * (n - g) / n / wires.network_per_rank);
    latency = library.hop_us[static_cast<std::size_t>(HopClass::network)][kRing][kSimple] + wires.extra_network_us;
  }
  return make_cost(library.base_us[kRing][kSimple], latency, transfer, Algorithm::pairwise, Protocol::simple);
}

Error not_applicable(const std::string& why) {
  return unassessable_error("WEFT-ENG-0001", "the closed-form engine cannot say: " + why);
}

// Do two tasks that overlap in time meet on a link? Ranks in common, or servers in common when both use the network.
struct Footprint {
  std::vector<std::uint32_t> gpus;
  std::vector<std::uint32_t> servers;  // empty when the task stays inside one
};

bool meet(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint32_t x) { return std::find(b.begin(), b.end(), x) != b.end(); });
}

std::vector<fabric::DeviceId> ranks_of(const Task& task) {
  if (const auto* collective = std::get_if<CollectiveTask>(&task.work)) return collective->group;
  if (const auto* message = std::get_if<MessageTask>(&task.work)) return {message->from, message->to};
  return {};
}

Footprint footprint_of(const fabric::Fabric& fabric, const Task& task) {
  Footprint print;
  for (const fabric::DeviceId gpu : ranks_of(task)) {
    print.gpus.push_back(gpu.value());
    const std::uint32_t server = fabric.device(gpu).server;
    if (std::find(print.servers.begin(), print.servers.end(), server) == print.servers.end())
      print.servers.push_back(server);
  }
  if (print.servers.size() < 2) print.servers.clear();
  return print;
}

Result<Cost> cost_of(const fabric::Fabric& fabric, const fabric::Conditions& conditions, const Task& task,
                     const Workload& workload) {
  if (const auto* compute = std::get_if<ComputeTask>(&task.work)) {
    Cost cost;
    cost.terms.launch = compute->time;
    cost.total = compute->time;
    return cost;
  }
  const GroupShape shape = fabric::shape_of(fabric, ranks_of(task), conditions);
  if (const auto* collective = std::get_if<CollectiveTask>(&task.work)) {
    return collective_cost({collective->operation, collective->bytes}, shape, *workload.profiles,
                           workload.serving_kernels);
  }
  return message_cost(std::get<MessageTask>(task.work).bytes, shape, *workload.profiles);
}

}  // namespace

Result<Cost> collective_cost(const collective::Call& call, const GroupShape& shape, const Profiles& profiles,
                             bool serving_kernels) {
  const Operation operation = call.operation;
  const Bytes size = call.bytes;
  if (!shape.connected) return fail(not_applicable("the group's servers are not connected"));
  if (shape.ranks < 2 || size.count() == 0) return Cost{};
  const Wires wires = wires_of(shape, profiles);
  const double bytes = static_cast<double>(size.count());
  std::optional<Cost> best;
  for (std::size_t p = 0; p < kProtocols.size(); ++p) {
    switch (operation) {
      case Operation::all_reduce:
        offer(best, ring_cost(2, bytes, shape, wires, profiles.library, p));
        offer(best, tree_cost(bytes, shape, wires, profiles.library, p));
        break;
      case Operation::all_gather:
      case Operation::reduce_scatter:
        offer(best, ring_cost(1, bytes, shape, wires, profiles.library, p));
        break;
      case Operation::all_to_all:
        offer(best, all_to_all_cost(bytes, shape, wires, profiles.library));
        break;
      default:
        return fail(not_applicable("no form for " + std::string(collective::name_of(operation))));
    }
  }
  if (operation == Operation::all_reduce) {
    offer_nvls(best, bytes, shape, wires, profiles.library);
    if (serving_kernels) offer_kernels(best, size, shape, wires, profiles);
  }
  return *best;
}

Result<Cost> message_cost(Bytes size, const GroupShape& pair, const Profiles& profiles) {
  if (!pair.connected) return fail(not_applicable("the two GPUs are not connected"));
  if (pair.ranks < 2 || size.count() == 0) return Cost{};
  const Wires wires = wires_of(pair, profiles);
  const bool network = pair.servers > 1;
  const HopClass hop = network ? HopClass::network : wires.inside_hops;
  const double rate = network ? wires.network_per_rank : wires.inside;
  const double latency =
      profiles.library.hop_us[static_cast<std::size_t>(hop)][kRing][0] + (network ? wires.extra_network_us : 0);
  return make_cost(profiles.library.base_us[kRing][0], latency, static_cast<double>(size.count()) / rate,
                   Algorithm::pairwise, Protocol::simple);
}

Result<Timeline> run(const fabric::Fabric& fabric, const fabric::Conditions& conditions, const Workload& workload,
                     const Options&) {
  Timeline timeline;
  std::vector<Footprint> prints;
  for (std::size_t i = 0; i < workload.tasks.size(); ++i) {
    const Task& task = workload.tasks[i];
    Result<Cost> cost = cost_of(fabric, conditions, task, workload);
    if (!cost) return fail(std::move(cost.error()));
    Finished finished;
    for (const std::uint32_t before : task.after) {
      if (before >= i)
        return fail(input_error("WEFT-ENG-0002", "task " + task.name + " depends on one that comes later"));
      finished.start = std::max(finished.start, timeline.tasks[before].end);
    }
    finished.end = finished.start + cost->total;
    finished.terms = cost->terms;
    finished.algorithm = cost->algorithm;
    finished.protocol = cost->protocol;
    Footprint print = footprint_of(fabric, task);
    for (std::size_t j = 0; j < i; ++j) {
      const bool overlap = timeline.tasks[j].start < finished.end && finished.start < timeline.tasks[j].end;
      if (overlap && (meet(print.gpus, prints[j].gpus) || meet(print.servers, prints[j].servers))) {
        return fail(not_applicable(workload.tasks[j].name + " and " + task.name + " share links at the same time"));
      }
    }
    timeline.makespan = std::max(timeline.makespan, finished.end.since_start());
    timeline.tasks.push_back(finished);
    prints.push_back(std::move(print));
  }
  return timeline;
}

}  // namespace weft::engine::closed
