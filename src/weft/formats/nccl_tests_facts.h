// What NCCL says about itself between the tables of a log (NCCL_DEBUG=VERSION or INFO): its version, the network it
// uses, how GPUs reach each other, which variables were set.
//
// Only lines whose wording is NCCL's own are believed:
//   NCCL version 2.22.3+cuda12.6 · RCCL version 2.20.5+hip6.2 · nccl-library=23102 · rccl-library=22707
//   NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/IB …        NICs by kind; the kind of most of them counts
//   NET/IB : Made virtual device [0] name=mlx5_0 speed=400000 ndevs=1
//   NET/OFI Selected Provider is efa … (found 32 nics)       Using network Socket
//   … via P2P/… · via SHM/… · via NET/IB/0/GDRDMA            GPU Direct RDMA Disabled for HCA 0
//   NCCL_ALGO set by environment to Ring · -x NCCL_ALGO=Ring
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "weft/collective/call.h"
#include "weft/formats/measured_table.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

class NcclFacts {
 public:
  void take(std::string_view line);
  // What is seen from here on belongs to the next run. Version and network stay until another is printed.
  void begin_next_run();
  // Into what the table leaves open.
  void apply(MeasuredTable& table, RemarkList& remarks) const;

 private:
  void take_version(std::string_view line);
  void take_network(std::string_view line);
  void take_transport(std::string_view line);
  void take_environment(std::string_view line);
  void set(std::string_view name, std::string_view value);

  std::optional<collective::Library> library_;
  std::string fabric_;
  std::optional<int> nics_;
  std::optional<double> nic_gbps_;
  bool p2p_ = false;
  bool shared_memory_ = false;
  bool gdr_ = false;
  bool no_gdr_ = false;
  std::map<std::string, std::string, std::less<>> environment_;
};

}  // namespace weft::formats
