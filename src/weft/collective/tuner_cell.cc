#include "weft/collective/tuner_cell.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace weft::collective {
namespace {

constexpr int kMostNvlsGatherers = 32;  // GPUs of a server, for what does not reduce everywhere

std::size_t generation_of(const Tuner& tuner, int capability) {
  if (tuner.only_80_is_ampere) return capability == kAmpere ? 1 : 0;
  return capability >= kBlackwell ? 3 : capability >= kHopper ? 2 : capability >= kAmpere ? 1 : 0;
}

bool gathers(Operation operation) {
  return operation == Operation::all_gather || operation == Operation::reduce_scatter;
}

int log2_down(int n) { return std::bit_width(static_cast<unsigned>(n)) - 1; }

class Cell {
 public:
  Cell(const Tuner& tuner, const TunerSystem& system, Operation operation, std::size_t algorithm, Protocol protocol)
      : t_(tuner), s_(system), op_(operation), a_(algorithm), p_(protocol), graph_(graph_for(algorithm)) {
    generation_ = generation_of(tuner, system.capability);
    many_ = static_cast<std::size_t>(std::min(system.servers, 3) - 1);
    per_server_ = static_cast<double>(system.ranks) / system.servers;
  }
  [[nodiscard]] TunerCell value() const {
    if (!exists()) return {};
    return {latency(), enabled() ? std::max(0.0, bandwidth()) : 0};
  }

 private:
  [[nodiscard]] const ChannelGraph& graph_for(std::size_t algorithm) const {
    constexpr std::array<GraphPattern, kTunedAlgorithms.size()> kGraph = {
        GraphPattern::tree,          GraphPattern::ring, GraphPattern::collnet_direct,
        GraphPattern::collnet_chain, GraphPattern::nvls, GraphPattern::nvls_tree,
        GraphPattern::tree};
    return graph_of(s_.graphs, kGraph[algorithm]);
  }
  [[nodiscard]] bool simple() const { return p_ == Protocol::simple; }
  [[nodiscard]] bool one_server() const { return s_.servers == 1; }

  // Algorithms that do an operation with a protocol at all.
  [[nodiscard]] bool exists() const {
    if (graph_.channels == 0 || !t_.knows[a_]) return false;
    if (a_ != kRing && a_ != kTree && !simple()) return false;
    if (op_ == Operation::broadcast || op_ == Operation::reduce) return a_ == kRing;
    if (op_ == Operation::all_reduce) return a_ != kPat;
    if (a_ == kPat) return s_.capability >= 60 && s_.servers == s_.ranks;
    if (a_ == kNvls) return t_.nvls.gathers > 0 && per_server_ <= kMostNvlsGatherers;
    return a_ == kRing || (a_ == kCollnetDirect && t_.collnet.gathers > 0);
  }

  [[nodiscard]] bool enabled() const {
    if (a_ == kNvlsTree && (one_server() || !s_.nvls)) return false;
    if (a_ == kNvls && (!s_.nvls || (!one_server() && !s_.collnet))) return false;
    if ((a_ == kCollnetDirect || a_ == kCollnetChain) && (!s_.collnet || one_server())) return false;
    if (a_ == kCollnetDirect && !s_.nvswitch) return false;
    return p_ != Protocol::ll128 || ll128_is_safe();
  }
  // Stores of 128 bytes must stay whole on their way.
  [[nodiscard]] bool ll128_is_safe() const {
    const Reach farthest = s_.capability >= kHopper ? Reach::pxn : Reach::pxb;
    const std::vector<int>& trusted = t_.ll128.capabilities;
    if (s_.capability < kVolta || graph_.intra > (t_.ll128.over_neighbours ? Reach::nvb : Reach::nvl)) return false;
    if (!trusted.empty() && std::find(trusted.begin(), trusted.end(), s_.capability) == trusted.end()) return false;
    return one_server() || graph_.inter <= farthest;
  }

  [[nodiscard]] int steps() const {
    if (op_ == Operation::all_reduce) return 2 * (s_.ranks - 1);
    return gathers(op_) ? s_.ranks - 1 : s_.ranks;
  }

  // --- bandwidth: what all channels carry, less what the algorithm and protocol leave of it ---

  // On one server the search raises a channel's rate between servers until it does not bind.
  [[nodiscard]] double nvls_channel() const {
    const bool tree = a_ == kNvlsTree;
    const double intra = graph_.bw_intra;
    const double inter = graph_.bw_inter;
    if (t_.nvls.rule >= 4) {
      const double channels = graph_.channels;
      if (channels < 2) return 0;
      const double reduced = intra * t_.nvls.efficiency[generation_] * (channels - 1) / channels;
      const double inside = op_ == Operation::all_reduce ? 2 * reduced : reduced * (per_server_ - 1) / per_server_;
      const double outside = inter * (tree && s_.servers <= 2 ? 2 : 1);
      const double cap = tree ? t_.nvls_tree_cap[generation_][many_] : std::numeric_limits<double>::infinity();
      return std::min({inside, one_server() ? inside : outside, cap});
    }
    if (t_.nvls.rule >= 3 && gathers(op_))
      return one_server() ? intra * (per_server_ - 1) / per_server_
                          : std::min(intra * (per_server_ - 1) / per_server_, 0.9 * inter);
    if (t_.nvls.rule >= 2) {
      if (one_server()) return intra;
      return std::min(intra, tree && s_.servers > 2 ? inter / 2 : inter);
    }
    return s_.servers <= 2 ? intra : inter;
  }

  [[nodiscard]] double bus() const {
    if (a_ == kNvls || a_ == kNvlsTree) return graph_.channels * nvls_channel();
    const bool collnet = a_ == kCollnetDirect || a_ == kCollnetChain;
    const double channel = s_.servers <= 2 || collnet ? graph_.bw_intra : graph_.bw_inter;
    return std::min(graph_.channels * channel, t_.bus_cap[generation_]);
  }

  [[nodiscard]] double ring_bus(double bus) const {
    const bool gather_here = one_server() && op_ != Operation::all_reduce && op_ != Operation::reduce;
    if (p_ == Protocol::ll)
      return std::min(ll_cap(), bus * (gather_here ? t_.ring.ll_share_gather_one_server : t_.ring.ll_share));
    if (p_ == Protocol::ll128)
      return std::min(bus * (per_server_ < 2 ? t_.ring.ll128_share_one_gpu : t_.ring.ll128_share),
                      graph_.channels * t_.ring_ll128_cap[generation_][many_]);
    return bus;
  }
  [[nodiscard]] double tree_bus(double bus) const {
    double left = std::min(bus * t_.tree.share, graph_.channels * t_.tree_cap[generation_][many_]);
    if (p_ == Protocol::ll) left = std::min(left * t_.tree.ll_share, ll_cap());
    if (p_ == Protocol::ll128)
      left = std::min(left * (one_server() ? t_.tree.ll128_share_one_server : t_.tree.ll128_share),
                      graph_.channels * t_.tree_ll128_cap[generation_][many_]);
    return s_.plain_tree ? left * t_.tree.plain_share : left;
  }
  // On one server the GPUs decide what LL reaches, between servers the CPUs.
  [[nodiscard]] double ll_cap() const {
    return t_.ll_cap[one_server() ? generation_ : s_.cpu == TunerSystem::Cpu::amd ? 1 : 0][many_];
  }
  [[nodiscard]] double collnet_direct() const {
    const double more = per_server_ / graph_.channels;
    if (gathers(op_)) {
      if (more > 1) return 0;  // a NIC for every GPU
      if (t_.collnet.gathers >= 2) return per_server_ * std::min(graph_.bw_intra, 0.9 * graph_.bw_inter);
      const double full = (per_server_ - 1) / 7;  // of a server of eight
      return per_server_ * graph_.bw_intra * (0.85 * full + 0.95 * (1 - full));
    }
    if (t_.collnet.heeds_nics == 0) return bus();
    return bus() / (more - (more - 1) / 2) * (s_.capability >= kHopper ? t_.collnet.hopper_share : 1);
  }

  [[nodiscard]] double bandwidth() const {
    const double ring_ratio = static_cast<double>(s_.ranks) / steps();
    switch (a_) {
      case kRing:
        return ring_bus(bus()) * ring_ratio;
      case kTree:
        return tree_bus(bus()) * 0.5;
      case kCollnetDirect:
        return gathers(op_) ? collnet_direct() : collnet_direct() * 0.5;
      case kCollnetChain:
        return bus() * 0.5;
      case kPat:
        return bus() * 0.75;
      default: {
        if (gathers(op_)) return bus() * t_.nvls.gather_share;
        if (t_.nvls.rule >= 4) return bus() * ring_ratio;
        const bool waning = a_ == kNvlsTree && t_.nvls.rule < 2;
        return bus() * (waning        ? t_.nvls.tree_share * s_.servers / (2.0 * (s_.servers - 1))
                        : a_ == kNvls ? t_.nvls.share
                                      : t_.nvls.tree_share);
      }
    }
  }

  // --- latency ---

  [[nodiscard]] double hop(Tuner::Hop kind, std::size_t algorithm) const {
    return t_.hop[static_cast<std::size_t>(kind)][algorithm][static_cast<std::size_t>(p_)];
  }
  [[nodiscard]] Tuner::Hop inside() const { return graph_.intra == Reach::nvl ? Tuner::Hop::nvlink : Tuner::Hop::pci; }
  [[nodiscard]] double inter() const {
    const bool exposed = t_.one_gpu_exposes_the_network && s_.ranks == s_.servers;
    // Simple flushes what the NIC has written.
    return hop(Tuner::Hop::net, exposed ? kTree : a_) + s_.nic_latency_us * (simple() ? 2 : 1);
  }
  [[nodiscard]] double ring_latency() const {
    if (op_ == Operation::broadcast || op_ == Operation::reduce) {
      const Tuner::Hop kind = one_server() ? inside() : Tuner::Hop::net;
      return graph_.cross_nic ? steps() * hop(kind, simple() ? kTree : kRing) : hop(kind, kRing);
    }
    const double post = one_server() ? 0 : s_.cpu == TunerSystem::Cpu::amd ? t_.ring.post_us_amd : t_.ring.post_us;
    double intra = hop(inside(), kRing);
    if (!one_server() && p_ == Protocol::ll) intra *= t_.ring.ll_intra_factor;
    intra = std::max(intra, post * (simple() ? t_.ring.post_simple_factor : 1));
    const bool twice = op_ == Operation::all_reduce;
    const double crossing =
        one_server() ? 0 : (twice ? 2 * (s_.servers - 1) + t_.ring.inter_steps_more : s_.servers - 1);
    return (steps() - crossing) * intra + crossing * inter();
  }
  [[nodiscard]] double latency() const {
    const double base = t_.base[a_][static_cast<std::size_t>(p_)];
    const int others = s_.ranks / s_.servers - 1;
    const double intra = hop(inside(), a_);
    const int levels = log2_down(s_.servers);
    switch (a_) {
      case kRing:
        return base + ring_latency();
      case kTree: {
        const double slowed = !one_server() && p_ == Protocol::ll ? intra * t_.ring.ll_intra_factor : intra;
        return base + 2 * (others * slowed + levels * inter());
      }
      case kCollnetDirect:
        return base + 2 * (std::min(1, others) * intra + others * t_.collnet.arity_us) + inter();
      case kCollnetChain:
        return base + 2 * others * intra + inter();
      case kNvls:
        return base + intra + (one_server() ? 0 : inter());
      case kNvlsTree:
        return base + intra + 2 * levels * inter();
      default:
        return base + levels * inter() / 3.5 + s_.ranks * 2.8;
    }
  }

  const Tuner& t_;
  const TunerSystem& s_;
  Operation op_;
  std::size_t a_;
  Protocol p_;
  const ChannelGraph& graph_;
  std::size_t generation_ = 0;
  std::size_t many_ = 0;  // one server, two, more
  double per_server_ = 1;
};

}  // namespace

TunerCell tuner_cell(const Tuner& tuner, const TunerSystem& system, Operation operation, std::size_t algorithm,
                     Protocol protocol) {
  return Cell(tuner, system, operation, algorithm, protocol).value();
}

}  // namespace weft::collective
