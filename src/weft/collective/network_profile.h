// How long a collective takes between servers.
//
// One set a network technology: the latency of a hop and what a large transfer reaches of the ports. One set for what
// all of them share: the lines of trees and rings, as in curve.h but with hops over the network,
//
//   tree   launch + rank g + 2 log2(m) hops hop(S) + F S / (share B)            m servers, g ranks on each
//   ring   launch + max(0, rank (n - m) + passes (m - 1) hops hop(S/n) - hidden T) + T,  T = F S / (share B)
//
// hop(S) = hop (S / from)^growth, at least one and at most `growth_most` times hop: Slingshot and EFA are slower by the
// message. B is what a server's NICs give (fabric/group.h), less oversubscription; with two servers a tree of NCCL 2.19
// and later sends each byte once and reaches 2(n-1)/n of it, as far as the inside of the servers lets it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "weft/catalog/calibration.h"
#include "weft/collective/curve.h"
#include "weft/units/units.h"

namespace weft::collective {

struct NetworkProfile {
  std::string id;
  std::vector<std::string> links;  // classes: "infiniband"
  double hop_us = 0;
  double growth = 0;
  double growth_from = 1;
  double growth_most = 1;
  double share = 1;
  double latency_scale = 1;
  double rate_scale = 1;
  [[nodiscard]] double hop_at(double bytes) const;
};

struct BetweenLine {
  double launch_us = 0;
  double rank_us = 0;
  double hops = 1;
  double share = 1;
};

// The stages up to Simple with all channels.
inline constexpr std::size_t kBetweenStages = 4;

struct BetweenProfile {
  std::array<BetweenLine, kBetweenStages> tree{};
  std::array<BetweenLine, kBetweenStages> ring{};
  double hidden = 0;  // of a ring's transfer: as much latency goes on beside it
  BetweenLine all_to_all;
  BetweenLine send_recv;
  Rate bounce_rate;  // per GPU, without GPUDirect RDMA
  double bounce_hop_us = 0;
};

Result<NetworkProfile> read_network_profile(const catalog::CalibrationSet& set);
Result<BetweenProfile> read_between_profile(const catalog::CalibrationSet& set);

}  // namespace weft::collective
