#include "weft/fabric/builder.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "weft/base/check.h"

namespace weft::fabric {
namespace {

constexpr std::size_t kKinds = 10;

template <class T>
std::uint16_t intern(std::vector<T>& list, const T& value) {
  const auto found = std::find(list.begin(), list.end(), value);
  const auto index = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) {
    WEFT_CHECK(list.size() < std::numeric_limits<std::uint16_t>::max(), "too many kinds of part in one fabric");
    list.push_back(value);
  }
  return static_cast<std::uint16_t>(index);
}

// Disjoint sets with path halving; the root of a set is its smallest member, so domains number in device order.
class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace

std::uint32_t FabricBuilder::open_server(Server properties) {
  properties.first = DeviceId(fabric_.devices_.size());
  properties.devices = 0;
  properties.gpus = 0;
  properties.nics = 0;
  properties.first_gpu = static_cast<std::uint32_t>(fabric_.gpus_.size());
  properties.first_nic = static_cast<std::uint32_t>(fabric_.nics_.size());
  fabric_.servers_.push_back(std::move(properties));
  counts_in_server_.assign(kKinds, 0);
  const auto cables = static_cast<std::uint32_t>(fabric_.cables_);
  first_cable_.push_back(cables);
  end_cable_.push_back(cables);
  return server_count() - 1;
}

DeviceId FabricBuilder::add_server_device(DeviceKind kind, std::uint16_t model) {
  WEFT_CHECK(!fabric_.servers_.empty() && !is_network_switch(kind), "a server device needs an open server");
  const DeviceId id(fabric_.devices_.size());
  Server& server = fabric_.servers_.back();
  WEFT_CHECK(server.first.value() + server.devices == id.value(), "a server's devices must be added together");
  std::uint32_t& count = counts_in_server_[static_cast<std::size_t>(kind)];
  fabric_.devices_.push_back({kind, model, server_count() - 1, count++});
  ++server.devices;
  if (kind == DeviceKind::gpu) {
    ++server.gpus;
    fabric_.gpus_.push_back(id);
  } else if (kind == DeviceKind::nic) {
    ++server.nics;
    fabric_.nics_.push_back(id);
  }
  return id;
}

DeviceId FabricBuilder::add_switch(DeviceKind kind, std::uint16_t model) {
  WEFT_CHECK(is_network_switch(kind), "a network switch is a leaf, spine, core or management switch");
  counts_of_switches_.resize(kKinds);
  const DeviceId id(fabric_.devices_.size());
  fabric_.devices_.push_back({kind, model, Device::kNoServer, counts_of_switches_[static_cast<std::size_t>(kind)]++});
  return id;
}

CableId FabricBuilder::add_cable(DeviceId a, DeviceId b, std::uint16_t technology, std::uint16_t count) {
  WEFT_CHECK(a.index() < device_count() && b.index() < device_count() && a != b && count > 0, "a cable needs two ends");
  const CableId cable(fabric_.cables_++);
  fabric_.links_.push_back({a, b, cable, technology, count});
  fabric_.links_.push_back({b, a, cable, technology, count});
  const std::uint32_t server = device(a).server;
  if (server != Device::kNoServer && device(b).server == server && end_cable_[server] == cable.value()) {
    ++end_cable_[server];
  }
  return cable;
}

std::uint16_t FabricBuilder::technology(const Technology& technology) {
  return intern(fabric_.technologies_, technology);
}
std::uint16_t FabricBuilder::model(const DeviceModel& model) { return intern(fabric_.models_, model); }

void FabricBuilder::set_operator_name(DeviceId id, std::string_view name) {
  if (!name.empty()) fabric_.operator_names_[id.value()] = name;
}

std::uint32_t FabricBuilder::clone_server(std::uint32_t original) {
  const Server properties = fabric_.servers_[original];
  const std::uint32_t copy = open_server(properties);
  for (std::uint32_t i = 0; i < properties.devices; ++i) {
    const Device d = fabric_.devices_[properties.first.index() + i];
    add_server_device(d.kind, d.model);
  }
  const std::uint32_t shift = fabric_.servers_[copy].first.value() - properties.first.value();
  for (std::uint32_t c = first_cable_[original]; c < end_cable_[original]; ++c) {
    const Link link = fabric_.links_[std::size_t{2} * c];
    add_cable(DeviceId(link.from.value() + shift), DeviceId(link.to.value() + shift), link.technology, link.count);
  }
  return copy;
}

void FabricBuilder::reserve(std::size_t devices, std::size_t cables) {
  fabric_.devices_.reserve(devices);
  fabric_.links_.reserve(2 * cables);
}

DeviceId FabricBuilder::find_in_server(std::uint32_t server, DeviceKind kind, std::uint32_t index) const {
  const Server& s = fabric_.servers_[server];
  for (std::uint32_t i = 0; i < s.devices; ++i) {
    const DeviceId id(s.first.value() + i);
    if (device(id).kind == kind && device(id).index == index) return id;
  }
  return DeviceId::none();
}

void FabricBuilder::compute_nvlink_domains() {
  Sets sets(device_count());
  std::vector<bool> linked(device_count(), false);
  for (const Link& link : fabric_.links_) {
    if (!catalog::is_gpu_fabric(fabric_.technologies_[link.technology].link_class)) continue;
    sets.join(link.from.value(), link.to.value());
    linked[link.from.index()] = true;
  }
  fabric_.domain_.assign(device_count(), Fabric::kNoDomain);
  std::unordered_map<std::uint32_t, std::uint32_t> number;
  for (const DeviceId gpu : fabric_.gpus_) {
    if (!linked[gpu.index()]) continue;
    const auto next = static_cast<std::uint32_t>(number.size());
    fabric_.domain_[gpu.index()] = number.try_emplace(sets.root(gpu.value()), next).first->second;
  }
}

Fabric FabricBuilder::finish() && {
  const std::size_t devices = device_count();
  fabric_.out_begin_.assign(devices + 1, 0);
  for (const Link& link : fabric_.links_) ++fabric_.out_begin_[link.from.index() + 1];
  std::partial_sum(fabric_.out_begin_.begin(), fabric_.out_begin_.end(), fabric_.out_begin_.begin());
  fabric_.out_.resize(fabric_.links_.size());
  std::vector<std::uint32_t> next(fabric_.out_begin_.begin(), fabric_.out_begin_.end() - 1);
  for (std::size_t i = 0; i < fabric_.links_.size(); ++i) {
    fabric_.out_[next[fabric_.links_[i].from.index()]++] = LinkId(i);
  }
  compute_nvlink_domains();
  return std::move(fabric_);
}

}  // namespace weft::fabric
