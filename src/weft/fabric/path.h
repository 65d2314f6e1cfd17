// The way between two devices, with rate and latency at each hop.
//
// Inside a server, as the hardware and the libraries use it: NVLink or xGMI when there is one (direct, through
// NVSwitches, or relayed by one GPU between: the hybrid mesh); else PCIe peer-to-peer through switches or root
// complex; else a bounce through host memory. Between servers: GPU -> nearest NIC -> network -> NIC -> GPU, straight to
// GPU memory with GPUDirect RDMA, through host memory without. Conditions that hold are respected: a link that is down
// is not crossed.
//
// The rate of a path is the smallest goodput on it, halved per hop that carries the same bytes twice (a bounce whose
// two legs share a link direction does not happen on full duplex; a bounce through host memory is limited to the slower
// leg). Network routes are shortest; among equals the choice is d-mod-k by the receiver's index, and `equal_paths`
// counts them. Not modelled here: contention (fabric/sharing.h, the engines) and software time (the library profiles).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/fabric/condition.h"
#include "weft/fabric/graph.h"

namespace weft::fabric {

// How close two devices are, in the field's words (nvidia-smi topo -m; NVB = relayed by a GPU, NET = over the network).
enum class PathType { self, nvl, nvb, c2c, pix, pxb, phb, node, sys, net, none };
[[nodiscard]] std::string_view name_of(PathType type);

struct Hop {
  LinkId link;  // the first of `ways` parallel links (a GPU reaches another through all NVSwitches at once)
  int ways = 1;
  LinkState state;   // all ways together
  Duration latency;  // of the link and of passing through the device it leads to
  Rate through_cap;  // what that device lets pass, when it has a limit for peer transfers; zero = none
};

struct Path {
  std::vector<Hop> hops;
  PathType type = PathType::none;
  bool host_bounce = false;         // staged in host memory (no peer-to-peer, or no GPUDirect RDMA)
  std::uint64_t equal_paths = 1;    // shortest routes to choose from in the network
  [[nodiscard]] Rate line() const;  // slowest hop; zero when empty
  [[nodiscard]] Rate goodput() const;
  [[nodiscard]] Duration latency() const;
};

// Error when nothing connects them (which link is down is said) or an id is not a device that sends (a switch may be
// asked for: the path is then the plain shortest one).
Result<Path> find_path(const Fabric& fabric, DeviceId from, DeviceId to, const Conditions& conditions = {});

// The NIC that a GPU sends through: nearest by PCIe, ties by matching place in the server. none() when the server has
// none.
DeviceId nearest_nic(const Fabric& fabric, DeviceId gpu, const Conditions& conditions = {});

// The closeness of two devices of one server, without building the path; `links` receives the NVLinks between two GPUs.
PathType closeness(const Fabric& fabric, DeviceId a, DeviceId b, int* links = nullptr);

}  // namespace weft::fabric
