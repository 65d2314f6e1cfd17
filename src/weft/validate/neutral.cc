#include "weft/validate/neutral.h"

#include <array>

namespace weft::validate {
namespace {

struct Neutral {
  std::string_view tail;
  Bounded start;
};

// Protocol by protocol as messages grow; times in microseconds, rates in GB/s, shares of the link.
constexpr auto kInside = std::to_array<Neutral>({
    {"ll.launch_us", {6, 0.5, 60}},
    {"ll.rank_us", {1, 0.01, 20}},
    {"ll.gbyte_per_s", {10, 0.2, 60}},
    {"ll128.launch_us", {9, 0.5, 100}},
    {"ll128.rank_us", {1.2, 0.01, 30}},
    {"ll128.gbyte_per_s", {80, 0.5, 400}},
    {"simple_few.launch_us", {18, 1, 300}},
    {"simple_few.rank_us", {1.5, 0.01, 60}},
    {"simple_few.share", {0.75, 0.02, 2}},
    {"simple.launch_us", {35, 1, 600}},
    {"simple.rank_us", {4, 0.01, 14}},  // two steps a rank; NCCL itself counts on 3.4 to 5.7 us for one
    {"simple.share", {1.0, 0.02, 2.2}},
    {"simple_far.launch_us", {150, 20, 1500}},
    {"simple_far.rank_us", {4, 0.01, 120}},
    {"simple_far.share", {1.2, 0.02, 2.2}},
    {"taper", {0.4, 0.01, 1.2}},
    {"fill_share", {0.1, 0.001, 2}},
    {"fill_bytes", {1 << 20, 4096, 1 << 26}},
    {"ring_simple.base_us", {8, 1, 60}},
    {"ring_simple.step_us", {3.5, 0.3, 40}},
    {"ring_simple.growth", {0.8, 0.01, 10}},
});

constexpr auto kBetween = std::to_array<Neutral>({
    {"ll.launch_us", {12, 1, 100}},
    {"ll.rank_us", {0.9, 0.01, 5}},
    {"ll.hops", {1, 0.1, 4}},
    {"ll.share", {0.05, 0.005, 0.5}},
    {"ll128.launch_us", {25, 1, 200}},
    {"ll128.rank_us", {1.2, 0.01, 8}},
    {"ll128.hops", {1.2, 0.1, 6}},
    {"ll128.share", {0.25, 0.02, 1}},
    {"simple_few.launch_us", {45, 1, 400}},
    {"simple_few.rank_us", {1.5, 0.01, 10}},
    {"simple_few.hops", {2, 0.1, 12}},
    {"simple_few.share", {0.6, 0.05, 1}},
    {"simple.launch_us", {80, 1, 250}},
    {"ring.hidden", {0.4, 0.02, 0.95}},
    {"ring.ll.hops", {0.6, 0.1, 4}},
    {"ring.ll128.hops", {0.8, 0.1, 6}},
    {"ring.simple_few.hops", {1.5, 0.1, 8}},
    {"ring.simple.hops", {2, 0.1, 8}},
    {"simple.rank_us", {2, 0.01, 14}},
    {"tree.simple.hops", {3, 0.1, 12}},
    {"all_to_all.launch_us", {12, 1, 200}},
    {"all_to_all.rank_us", {0.7, 0.01, 10}},
    {"all_to_all.hops", {1.2, 0.1, 20}},
    {"send_recv.launch_us", {12, 1, 200}},
    {"send_recv.hops", {1.2, 0.1, 20}},
    {"bounce.network_gbyte_per_s", {15, 4, 30}},
    {"bounce.hop_us", {8, 0.5, 60}},
});

constexpr auto kNetwork = std::to_array<Neutral>({
    {"hop_us", {8, 1, 120}},
    {"hop_growth", {0.05, 0.001, 0.5}},
    {"hop_growth_most", {3, 1.01, 12}},
    {"share", {0.95, 0.5, 1.02}},
});

constexpr auto kLaunch = std::to_array<Neutral>({
    {"nccl_us", {4, 0.5, 15}},
    {"rccl_us", {5, 0.5, 15}},
    {"mccl_us", {5, 0.5, 15}},
    {"nccl_all_to_all", {1.5, 0.7, 3}},
    {"rccl_all_to_all", {1, 0.7, 3}},
    {"mccl_all_to_all", {1, 0.7, 3}},
});

constexpr auto kKernels = std::to_array<Neutral>({
    {"launch_us", {6, 0.5, 60}},
    {"rank_us", {0.3, 0.01, 6}},
    {"share", {0.7, 0.05, 1.3}},
    {"peer_gbyte_per_s", {200, 5, 2000}},
});

template <std::size_t N>
std::optional<Bounded> find(const std::array<Neutral, N>& table, std::string_view key, bool whole) {
  const Neutral* best = nullptr;
  for (const Neutral& each : table) {
    const bool part = key.size() > each.tail.size() && key[key.size() - each.tail.size() - 1] == '.';
    const bool fits = key == each.tail || (!whole && part && key.ends_with(each.tail));
    // "all_to_all.launch_us" ends with more than "launch_us": the longest tail speaks of the key.
    if (fits && (best == nullptr || each.tail.size() > best->tail.size())) best = &each;
  }
  return best != nullptr ? std::optional<Bounded>(best->start) : std::nullopt;
}

}  // namespace

std::optional<Bounded> neutral(std::string_view set, std::string_view key) {
  if (set == "between") return find(kBetween, key, false);
  if (set == "launch") return find(kLaunch, key, true);
  if (set == "serving-kernels") return find(kKernels, key, false);
  // A network's own numbers stand at the top of its set; those of links inside servers in tables.
  return key.find('.') == std::string_view::npos ? find(kNetwork, key, true) : find(kInside, key, false);
}

}  // namespace weft::validate
