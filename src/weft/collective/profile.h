// What a communication library costs beside the wire: a base latency, a latency for each hop, and the share of a link's
// goodput that its protocols leave. The same input to every engine.
//
//   nccl-2.27        ring and tree, LL, LL128 and Simple; NVLS inside an NVSwitch domain
//   serving-kernels  the one-shot and two-shot all-reduce kernels of serving engines under a captured graph; inside one
//                    server only, small messages; the library takes over above `largest`
//
// Values come from catalog::CalibrationSet; nothing is fitted here.
#pragma once

#include <array>
#include <string>

#include "weft/base/error.h"
#include "weft/catalog/calibration.h"
#include "weft/catalog/parts.h"
#include "weft/collective/call.h"
#include "weft/units/units.h"

namespace weft::collective {

// Which of a library's latency rows a link falls under.
enum class HopClass { nvlink, pcie, network };
inline constexpr int kHopClasses = 3;
[[nodiscard]] HopClass hop_class(catalog::LinkClass link_class);

struct LibraryProfile {
  std::string id;
  // [ring or tree][ll, ll128, simple], microseconds
  std::array<std::array<double, 3>, 2> base_us{};
  std::array<std::array<std::array<double, 3>, 2>, kHopClasses> hop_us{};
  std::array<double, 3> protocol_share{};
  double tree_share = 1;
  double inside_overhead_us =
      0;  // least cost of a hop inside once a ring crosses servers; three times that with Simple
  double nvls_base_us = 0;
  double nvls_hop_us = 0;
  double nvls_efficiency = 0;
  int nvls_fewest_ranks = 0;
};

// One-shot and two-shot kernels: t = a1 + (n-1) S / (e1 B) and t = a2 + 2(n-1)/n S / (e2 B), B the GPU's goodput.
struct KernelLines {
  double one_shot_us = 0;
  double one_shot_share = 0;
  double two_shot_us = 0;
  double two_shot_share = 0;
  [[nodiscard]] bool known() const { return one_shot_us > 0; }
};

struct KernelProfile {
  std::string id;
  Bytes largest;  // above this the library's collective is used
  int most_ranks = 0;
  std::array<std::pair<std::string, KernelLines>, 8> by_link{};  // "nvlink4" -> lines
  [[nodiscard]] KernelLines lines(std::string_view link) const;
};

// What links reach, from the set "links".
struct LinkShares {
  std::string id;
  [[nodiscard]] double network_share(catalog::LinkClass link_class) const;  // of the line rate
  [[nodiscard]] double extra_hop_us(catalog::LinkClass link_class) const;
  [[nodiscard]] double inside_share(catalog::LinkClass link_class, bool bounce) const;  // of the goodput
  Rate bounce_network;  // per GPU, without GPUDirect RDMA
  double bounce_hop_us = 0;
  std::array<double, 16> network{};
  std::array<double, 16> extra_us{};
  std::array<double, 16> inside{};
  double pcie_bounce = 0;
};

struct Profiles {
  LibraryProfile library;
  KernelProfile kernels;
  LinkShares links;
};

Result<Profiles> load_profiles(const catalog::Calibration& calibration, std::string_view library = "nccl-2.27");

}  // namespace weft::collective
