// The choice from a tuner's table, by time and by size. Rules as in NCCL's src/graph/tuning.cc and src/enqueue.cc.
#include <algorithm>
#include <bit>
#include <limits>

#include "weft/collective/tuner_cell.h"

namespace weft::collective {
namespace {

constexpr std::size_t kTreeCorrected = 23;  // sizes of the correction that trees heed: below 512 MiB
constexpr std::array<Operation, 5> kTuned = {Operation::broadcast, Operation::reduce, Operation::all_gather,
                                             Operation::reduce_scatter, Operation::all_reduce};

std::optional<std::size_t> place_of(Operation operation) {
  const auto* found = std::find(kTuned.begin(), kTuned.end(), operation);
  if (found == kTuned.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kTuned.begin());
}

// A library runs each channel that its search found twice, and once more where several servers have few fast ones.
int channels_run(const TunerSystem& system, int found) {
  constexpr int kMostChannels = 64;
  constexpr int kFew = 16;
  constexpr double kFast = 45;
  int channels = 2 * found;
  const ChannelGraph& ring = graph_of(system.graphs, GraphPattern::ring);
  if (system.capability >= 90 && system.servers > 1 && ring.bw_intra > kFast && channels < kFew) channels *= 2;
  return std::min(channels, kMostChannels);
}

struct Threads {
  int most;
  int threshold;  // bytes a thread, below which fewer are used
};

Threads threads_of(std::size_t algorithm, Protocol protocol, const TunerSystem& system) {
  constexpr int kPcieGbytePerS = 12;  // rings no faster than a PCIe 3 slot use half of the threads
  const ChannelGraph& ring = graph_of(system.graphs, GraphPattern::ring);
  if (protocol == Protocol::ll) return {512, algorithm == kRing ? 8 * system.ranks : 8};
  if (protocol == Protocol::ll128) return {640, 8};
  if (algorithm == kCollnetDirect || algorithm == kCollnetChain) return {640, 512};
  if (algorithm == kNvls || algorithm == kNvlsTree || algorithm == kPat) return {640, 64};
  return {algorithm == kRing && ring.bw_intra * ring.channels <= kPcieGbytePerS ? 256 : 512, 64};
}

constexpr int kWarp = 32;

// Warps beside those that move data, for Simple's steps: a tree's two directions have two each.
int warps_that_wait(std::size_t algorithm, Protocol protocol) {
  if (protocol != Protocol::simple) return 0;
  return algorithm == kRing ? 1 : algorithm == kTree ? 4 : 0;
}

}  // namespace

TunerTable::TunerTable(const Tuner& tuner, const TunerSystem& system)
    : system_(system), tree_correction_(tuner.tree_correction) {
  plateau_by_ranks_ = tuner.ring.plateau_by_ranks > 0;
  nvls_tree_corrected_ =
      tuner.nvls.tree_corrected > 0 && system.capability >= kBlackwell && system.cpu != TunerSystem::Cpu::other;
  plateau_ = system.capability < kAmpere ? tuner.ring.plateau_before_ampere : tuner.ring.plateau;
  channels_ = channels_run(system, graph_of(system.graphs, GraphPattern::ring).channels);
  if (system.ranks < 2) return;
  for (std::size_t o = 0; o < kTuned.size(); ++o) {
    for (std::size_t a = 0; a < kTunedAlgorithms.size(); ++a) {
      for (std::size_t p = 0; p < kProtocols; ++p)
        cells_[o][a][p] = tuner_cell(tuner, system, kTuned[o], a, static_cast<Protocol>(p));
    }
  }
}

const TunerCell& TunerTable::cell(Operation operation, Algorithm algorithm, Protocol protocol) const {
  static constexpr TunerCell kNone{};
  const std::optional<std::size_t> o = place_of(operation);
  const auto* a = std::find(kTunedAlgorithms.begin(), kTunedAlgorithms.end(), algorithm);
  if (!o || a == kTunedAlgorithms.end()) return kNone;
  return cells_[*o][static_cast<std::size_t>(a - kTunedAlgorithms.begin())][static_cast<std::size_t>(protocol)];
}

// What a tree reaches of its bandwidth at a size.
double TunerTable::corrected_share(std::size_t algorithm, std::size_t protocol, double bytes) const {
  const std::vector<double>& share = tree_correction_[protocol];
  const std::size_t sizes = algorithm == kTree                               ? std::min(kTreeCorrected, share.size())
                            : algorithm == kNvlsTree && nvls_tree_corrected_ ? share.size()
                                                                             : 0;
  const auto lines = static_cast<std::uint64_t>(bytes) >> 6;
  const auto place = static_cast<std::size_t>(std::bit_width(lines));  // one more than log2
  return lines > 0 && place <= sizes ? share[place - 1] : 1;
}

double TunerTable::believed_us(Operation operation, std::size_t algorithm, std::size_t protocol, double bytes) const {
  const TunerCell& cell = cells_[*place_of(operation)][algorithm][protocol];
  double bandwidth = cell.gbyte_per_s;
  double latency = cell.latency_us;
  if (operation == Operation::all_reduce) bandwidth *= corrected_share(algorithm, protocol, bytes);
  if (algorithm == kRing && protocol == static_cast<std::size_t>(Protocol::simple) && system_.servers > 1 &&
      operation == Operation::all_reduce) {
    const bool long_ring = plateau_by_ranks_ ? bytes >= system_.ranks / 16.0 * 65536
                                             : bytes / (static_cast<double>(channels_) * system_.ranks) >= 64;
    if (long_ring) latency *= plateau_;
  }
  return latency + bytes / (1000 * bandwidth);
}

Choice TunerTable::with_channels(std::size_t algorithm, std::size_t protocol, double bytes) const {
  const Threads of = threads_of(algorithm, static_cast<Protocol>(protocol), system_);
  Choice choice;
  choice.algorithm = kTunedAlgorithms[algorithm];
  choice.protocol = static_cast<Protocol>(protocol);
  const bool nvls = algorithm == kNvls || algorithm == kNvlsTree;
  choice.channels = nvls ? system_.nvls_blocks : channels_;
  choice.threads = of.most;
  // Few bytes: fewer channels first, then fewer threads. Switches that reduce use all of theirs.
  if (!nvls) {
    const double threads_worth = static_cast<double>(of.most) * of.threshold;
    const int needed = static_cast<int>(std::clamp(bytes / threads_worth, 1.0, static_cast<double>(choice.channels)));
    choice.channels = needed;
    while (choice.channels == 1 && bytes < static_cast<double>(choice.threads) * of.threshold &&
           choice.threads % 128 == 0)
      choice.threads /= 2;
    choice.threads += warps_that_wait(algorithm, static_cast<Protocol>(protocol)) * kWarp;
    choice.threads = std::max(choice.threads, 3 * kWarp);
  }
  return choice;
}

std::optional<Choice> TunerTable::choose(const Call& call) const {
  const std::optional<std::size_t> o = place_of(call.operation);
  if (!o) return std::nullopt;
  const double bytes = static_cast<double>(call.bytes.count());
  double least = std::numeric_limits<double>::infinity();
  std::optional<std::pair<std::size_t, std::size_t>> best;
  for (std::size_t a = 0; a < kTunedAlgorithms.size(); ++a) {
    if (call.algorithm && *call.algorithm != kTunedAlgorithms[a]) continue;
    for (std::size_t p = 0; p < kProtocols; ++p) {
      if (call.protocol && static_cast<std::size_t>(*call.protocol) != p) continue;
      if (cells_[*o][a][p].gbyte_per_s <= 0) continue;
      const double time = believed_us(call.operation, a, p, bytes);
      if (time >= least) continue;
      least = time;
      best = {a, p};
    }
  }
  if (!best) return std::nullopt;
  Choice choice = with_channels(best->first, best->second, bytes);
  choice.believed_us = least;
  return choice;
}

}  // namespace weft::collective
