// What a library's search over the links finds for one pattern of a collective: how many channels, and what each has.
//
// The numbers are those that NCCL prints as "Pattern 4, crossNic 0, nChannels 16, bw 40.0/40.0, type NVL/PIX": GB/s a
// channel and direction inside a server and between servers, in the library's own nominal units (an x16 PCIe 5 slot
// counts 48, an NVLink 4 counts 20.6), and the farthest kind of way that a channel takes. Channels are found by
// channels.h and read by the tuner (tuner.h); neither says how long a collective takes.
#pragma once

#include <array>
#include <string_view>

namespace weft::collective {

// From near to far, as NCCL orders them.
enum class Reach {
  loc,  // the same device
  nvl,  // NVLink or xGMI
  nvb,  // over an NVLink neighbour
  c2c,  // chip to chip (NVLink-C2C)
  pix,  // one PCIe switch
  pxb,  // several PCIe switches
  p2c,  // chip to chip, then PCIe (a NIC of Grace)
  pxn,  // over an NVLink neighbour's NIC
  phb,  // a root complex
  sys,  // between sockets
  net   // the network
};
[[nodiscard]] std::string_view name_of(Reach reach);  // "NVL"

enum class GraphPattern { ring, tree, collnet_chain, collnet_direct, nvls, nvls_tree };
inline constexpr std::size_t kGraphPatterns = 6;

struct ChannelGraph {
  int channels = 0;     // 0: the pattern does not exist here
  double bw_intra = 0;  // GB/s a channel, inside a server
  double bw_inter = 0;  // GB/s a channel, between servers; as bw_intra on one server
  Reach intra = Reach::nvl;
  Reach inter = Reach::pix;
  bool cross_nic = false;
};

using ChannelGraphs = std::array<ChannelGraph, kGraphPatterns>;
[[nodiscard]] inline const ChannelGraph& graph_of(const ChannelGraphs& graphs, GraphPattern pattern) {
  return graphs[static_cast<std::size_t>(pattern)];
}

}  // namespace weft::collective
