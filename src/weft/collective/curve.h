// How long a collective takes inside one server, as calibrated lines of one link technology.
//
// A curve has up to five lines, in the order in which a library uses them as messages grow: LL, LL128, Simple with few
// channels, Simple with all, and the slow last rise of in-switch reduction (far):
//
//   t = launch + rank (n - 1) + F S / (b (1 - taper / n)) + (n - 2) min(fill_share S, fill_bytes) / b
//
// F is the bus factor of the operation (operation.h). b is a fixed rate where the GPU's own stores are the limit (LL,
// LL128), never above what the protocol leaves of the links; or a share of what the links give each GPU. The taper says
// that few ranks keep less of the link busy. The last term fills the pipeline of broadcast and reduce, which hand
// whole chunks on. F, n, S as in nccl-tests; constants from data/calibration, one set a technology.
//
// A set may hold for library versions before some release only; it comes before the set that holds for all.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/catalog/calibration.h"
#include "weft/collective/call.h"

namespace weft::collective {

enum class Stage { ll, ll128, simple_few, simple, simple_far };
inline constexpr std::size_t kStages = 5;
[[nodiscard]] std::string_view name_of(Stage stage);
[[nodiscard]] Protocol protocol_of(Stage stage);
// What a protocol leaves of a link: flags take half of LL and an eighth... of LL128 (8 of 128 bytes).
[[nodiscard]] double protocol_share(Protocol protocol);

struct Line {
  double launch_us = 0;
  double rank_us = 0;
  double gbyte_per_s = 0;  // of busbw; 0 = by share
  double share = 0;
};

struct Curve {
  std::array<std::optional<Line>, kStages> lines;
  double taper = 0;
  double fill_share = 0;
  double fill_bytes = 0;
};

// NVLS is an all-reduce with curves of its own.
enum class CurveKind {
  all_reduce,
  all_reduce_nvls,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  reduce,
  send_recv
};
inline constexpr std::size_t kCurveKinds = 8;
[[nodiscard]] std::string_view name_of(CurveKind kind);

// A ring forced to Simple at small sizes: base + step x steps x (1 .. 1 + growth between 8 KiB and 256 KiB).
struct RingSimple {
  double base_us = 0;
  double step_us = 0;
  double growth = 0;
};

struct InsideProfile {
  std::string id;
  std::vector<std::string> links;  // parts or classes
  std::optional<Library> before;   // holds for older versions of that library only
  std::array<std::optional<Curve>, kCurveKinds> curves;
  RingSimple ring_simple;
  // Overlays of a user's own measurements multiply: times of launch and ranks, and rates.
  double latency_scale = 1;
  double rate_scale = 1;
  [[nodiscard]] const Curve* curve(CurveKind kind) const;  // nullptr: not known
};

Result<InsideProfile> read_inside_profile(const catalog::CalibrationSet& set);

}  // namespace weft::collective
