// The ranks of a run of nccl-tests, as its "Rank … on …" lines give them: how many servers, how many GPUs of each.
//
// When the ranks were split into groups that run at once, the group is that of the first line. Hosts are servers; with
// no host printed all ranks are on one, if each has a device of its own. What cannot be told is left open and said:
// ranks that are missing, hosts with different numbers of GPUs.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weft/formats/nccl_tests_line.h"

namespace weft::formats {

struct GroupOfLog {
  std::string gpu;
  std::optional<int> servers;
  std::optional<int> gpus_per_server;
  bool process_a_rank = false;  // no two ranks share a process
  std::vector<std::string> remarks;
};

class LogDevices {
 public:
  void take(LogDevice device);
  [[nodiscard]] bool empty() const { return devices_.empty(); }
  [[nodiscard]] GroupOfLog group() const;

 private:
  std::vector<LogDevice> devices_;
  std::set<std::pair<int, int>> known_;  // group and rank
  int processes_ = 0;                    // that printed a rank 0 of the first group
  bool left_out_ = false;
};

}  // namespace weft::formats
