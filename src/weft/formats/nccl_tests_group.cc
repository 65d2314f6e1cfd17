#include "weft/formats/nccl_tests_group.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

constexpr std::size_t kMostDevices = 200'000;
constexpr std::size_t kLongestName = 100;

using Members = std::vector<const LogDevice*>;

// How many ranks each host has; hosts in order of their first rank.
std::vector<int> ranks_of_hosts(const Members& members) {
  std::vector<int> ranks;
  std::map<std::string_view, std::size_t> index;
  for (const LogDevice* member : members) {
    const auto [at, fresh] = index.emplace(member->host, ranks.size());
    if (fresh) ranks.push_back(0);
    ++ranks[at->second];
  }
  return ranks;
}

bool ranks_are_missing(const Members& members, std::vector<std::string>& remarks) {
  int last = 0;
  for (const LogDevice* member : members) last = std::max(last, member->rank);
  if (static_cast<std::size_t>(last) + 1 == members.size()) return false;
  remarks.push_back("devices of " + std::to_string(members.size()) + " of " + std::to_string(last + 1) +
                    " ranks are printed: the group is unknown");
  return true;
}

bool devices_repeat(const Members& members) {
  std::set<int> devices;
  for (const LogDevice* member : members) devices.insert(member->device);
  return devices.size() != members.size();
}

std::string listed_numbers(const std::vector<int>& numbers) {
  std::vector<std::string> texts;
  for (const int number : numbers) texts.push_back(std::to_string(number));
  return listed(texts);
}

void place(const Members& members, GroupOfLog& group) {
  const std::vector<int> hosts = ranks_of_hosts(members);
  if (members.front()->host.empty() && hosts.size() == 1 && devices_repeat(members)) {
    group.remarks.emplace_back("no host names, and several ranks with the same device: the group is unknown");
  } else if (std::any_of(hosts.begin(), hosts.end(), [&](int ranks) { return ranks != hosts[0]; })) {
    group.remarks.push_back("the hosts have different numbers of GPUs: " + listed_numbers(hosts));
  } else {
    group.servers = static_cast<int>(hosts.size());
    group.gpus_per_server = hosts[0];
  }
}

}  // namespace

void LogDevices::take(LogDevice device) {
  const int first_group = devices_.empty() ? device.group : devices_.front().group;
  if (device.rank == 0 && device.group == first_group) ++processes_;
  if (devices_.size() >= kMostDevices) {
    left_out_ = true;
    return;
  }
  if (!known_.emplace(device.group, device.rank).second) return;  // of another process that was not joined
  device.gpu = printable(std::string_view(device.gpu).substr(0, kLongestName));
  devices_.push_back(std::move(device));
}

GroupOfLog LogDevices::group() const {
  GroupOfLog group;
  if (devices_.empty()) return group;
  Members members;
  std::set<int> groups;
  std::set<std::pair<std::string_view, std::int64_t>> processes;
  for (const LogDevice& device : devices_) {
    groups.insert(device.group);
    if (device.group != devices_.front().group) continue;
    members.push_back(&device);
    processes.emplace(device.host, device.pid);
  }
  group.gpu = members.front()->gpu;
  group.process_a_rank = members.size() > 1 && processes.size() == members.size();
  if (processes_ > 1)
    group.remarks.push_back(std::to_string(processes_) +
                            " processes printed a rank 0: each ran by itself, as nccl-tests without MPI does");
  if (groups.size() > 1)
    group.remarks.push_back(std::to_string(groups.size()) + " groups of ranks ran at once: this is one of them");
  if (std::any_of(members.begin(), members.end(), [&](const LogDevice* each) { return each->gpu != group.gpu; }))
    group.remarks.push_back("not all GPUs are " + in_quotes(group.gpu, 60));
  if (left_out_) {
    group.remarks.push_back("more than " + std::to_string(kMostDevices) + " ranks: the group is unknown");
  } else if (groups.size() > 1 || !ranks_are_missing(members, group.remarks)) {
    place(members, group);
  }
  return group;
}

}  // namespace weft::formats
