// How NCCL chooses: the algorithm, the protocol and the channels that a version of it uses for a size.
//
// NCCL keeps a table of a latency and a bandwidth for each operation, algorithm and protocol, made once from what its
// search over the links found (channel_graph.h), and takes what is least in
//
//   t = latency + S / bandwidth        us; bandwidth is S over time, in GB/s
//
// with a correction for trees by size and for long rings of Simple. The table's constants and rules differ by version;
// they are data/calibration/nccl-tuner-*.toml, from the library's source (src/graph/tuning.cc, src/enqueue.cc). These
// times are what the library believes, often by a factor of two or more away from what it then reaches: they choose,
// and weft's own lines say how long it takes.
//
// Operations without a table (all-to-all, send/recv, gather, scatter) have no choice: point to point. Not modelled:
// plugins that tune; environment variables other than a forced algorithm or protocol; servers of unequal GPU counts
// (their mean counts); POWER CPUs; what a datum's type forbids (fp8 over long rings).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "weft/catalog/calibration.h"
#include "weft/collective/call.h"
#include "weft/collective/channel_graph.h"

namespace weft::collective {

// What the tuner heeds of a system.
struct TunerSystem {
  enum class Cpu { intel, amd, other };
  int ranks = 1;
  int servers = 1;      // NVLink domains over a rack count as one
  int capability = 90;  // of the GPUs, x10
  Cpu cpu = Cpu::intel;
  double nic_latency_us = 0;  // as the network plugin says; 0 for the builtin ones
  bool nvls = false;          // switches that reduce, among more than two GPUs of a server
  int nvls_blocks = 16;       // blocks of threads that run it
  bool nvswitch = false;
  bool collnet = false;     // a plugin for reduction in the network
  bool plain_tree = false;  // the search found no balanced tree
  ChannelGraphs graphs{};
};

// Algorithms that have a table, in the order in which NCCL asks them: of equals the first is taken.
inline constexpr std::array kTunedAlgorithms = {
    Algorithm::tree,      Algorithm::ring, Algorithm::collnet_direct, Algorithm::collnet_chain, Algorithm::nvls,
    Algorithm::nvls_tree, Algorithm::pat};
inline constexpr std::size_t kProtocols = 3;

struct TunerCell {
  double latency_us = 0;
  double gbyte_per_s = 0;  // 0: not to be used
};

// One version's constants, as its set has them.
class Tuner {
 public:
  // The newest known version that is not newer than the library; the default library's where its version is not known.
  static Result<Tuner> of(const catalog::Calibration& calibration, const Library& library);
  [[nodiscard]] const std::string& id() const { return id_; }  // "nccl-tuner-2.27"

  enum class Hop { nvlink, pci, net };
  using ByProtocol = std::array<double, kProtocols>;
  using ByServers = std::array<double, 3>;        // one, two, more
  using ByGeneration = std::array<ByServers, 4>;  // Volta, Ampere, Hopper, Blackwell

  std::array<bool, kTunedAlgorithms.size()> knows{};  // algorithms of this version
  std::array<ByProtocol, kTunedAlgorithms.size()> base{};
  std::array<std::array<ByProtocol, kTunedAlgorithms.size()>, 3> hop{};  // by Hop
  ByGeneration ll_cap{};
  ByGeneration ring_ll128_cap{};
  ByGeneration tree_ll128_cap{};
  ByGeneration tree_cap{};
  ByGeneration nvls_tree_cap{};
  std::array<double, 4> bus_cap{};  // infinite where there is none
  struct Ring {
    double ll_share, ll_share_gather_one_server, ll128_share, ll128_share_one_gpu;
    double inter_steps_more, ll_intra_factor, post_us, post_us_amd, post_simple_factor;
    double plateau_by_ranks, plateau_before_ampere, plateau;
  } ring{};
  struct Tree {
    double share, ll_share, ll128_share, ll128_share_one_server, plain_share;
  } tree{};
  // Gathers (all-gather and reduce-scatter) by release: 0 none, 1 (2.21), 2 (2.27).
  struct Collnet {
    double arity_us, hopper_share, heeds_nics, gathers;
  } collnet{};
  // 128-byte stores are trusted on these GPUs; on all from Volta on where none is named.
  struct Ll128 {
    std::vector<int> capabilities;
    bool over_neighbours = true;  // inside a server, over an NVLink neighbour
  } ll128{};
  // The rule for NVLS by release: 1 (2.18), 2 (2.21), 3 (2.27), 4 (2.30).
  struct Nvls {
    double rule = 0, share = 1, tree_share = 1, gathers = 0, gather_share = 1, tree_corrected = 0;
    std::array<double, 4> efficiency = {0, 0, 1, 1};
  } nvls{};
  bool only_80_is_ampere = false;  // all others count as Volta
  bool one_gpu_exposes_the_network = false;
  std::array<std::vector<double>, kProtocols> tree_correction{};

 private:
  std::string id_;
};

// The table for one system.
class TunerTable {
 public:
  TunerTable(const Tuner& tuner, const TunerSystem& system);
  [[nodiscard]] const TunerCell& cell(Operation operation, Algorithm algorithm, Protocol protocol) const;
  // None: the operation has no table, or nothing that is allowed can do it.
  [[nodiscard]] std::optional<Choice> choose(const Call& call) const;

 private:
  [[nodiscard]] double believed_us(Operation operation, std::size_t algorithm, std::size_t protocol,
                                   double bytes) const;
  [[nodiscard]] double corrected_share(std::size_t algorithm, std::size_t protocol, double bytes) const;
  [[nodiscard]] Choice with_channels(std::size_t algorithm, std::size_t protocol, double bytes) const;

  TunerSystem system_;
  std::array<std::vector<double>, kProtocols> tree_correction_;
  bool nvls_tree_corrected_ = false;
  bool plateau_by_ranks_ = false;
  double plateau_ = 1;
  int channels_ = 0;  // that a ring or tree runs
  std::array<std::array<std::array<TunerCell, kProtocols>, kTunedAlgorithms.size()>, 5> cells_{};
};

}  // namespace weft::collective
