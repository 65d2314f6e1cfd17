// Which servers and switches of a fabric are drawn, and what joins them.
//
// Few of each kind are drawn as they are; of many alike, the first ones and one box that stands for the rest. Cables
// between the same two drawn things are one edge with how many cables it holds. Positions are the caller's business.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/fabric/graph.h"

namespace weft::report {

enum class Row { management, servers, leaves, spines, cores };
inline constexpr int kRows = 5;

struct NetworkNode {
  Row row = Row::servers;
  fabric::DeviceId device;   // a switch; none() for a server or a rest
  std::uint32_t server = 0;  // of a server
  bool is_rest = false;
  std::size_t stands_for = 1;  // how many servers or switches
  std::string title;           // "leaf3", "120 more leaves"
  std::string detail;          // part and operator's name; "leaf8 … leaf127"
};

struct NetworkEdge {
  std::size_t lower = 0;  // index of the node in the lower row (or the earlier one of the same row)
  std::size_t upper = 0;
  fabric::DeviceId port;  // the NIC or socket it leaves from, when the lower node is one server
  fabric::LinkId link;    // one of them
  std::int64_t cables = 0;
  std::int64_t units = 0;  // parallel cables of one link counted each
};

struct NetworkPicture {
  std::vector<NetworkNode> nodes;  // by row, then in id order, the rest last
  std::vector<NetworkEdge> edges;
};

// `most_servers` of each kind are drawn (all when there is one more than that).
[[nodiscard]] NetworkPicture network_picture(const fabric::Fabric& fabric, std::size_t most_servers);

// Servers of one layout, in order of first appearance: what "16 x hgx-h100-8" counts.
struct ServerKind {
  std::string part;  // "" = not known
  std::vector<std::uint32_t> servers;
};
[[nodiscard]] std::vector<ServerKind> server_kinds(const fabric::Fabric& fabric);

}  // namespace weft::report
