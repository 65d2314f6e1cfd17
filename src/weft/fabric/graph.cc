#include "weft/fabric/graph.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "weft/base/check.h"

namespace weft::fabric {
namespace {

constexpr std::array<std::string_view, 10> kKindNames = {"gpu", "nvswitch", "pcisw", "root", "cpu",
                                                         "nic", "leaf",     "spine", "core", "mgmt"};

// "gpu12" -> kind and index; false when the text is not of that form.
bool parse_local_name(std::string_view text, DeviceKind& kind, std::uint32_t& index) {
  for (std::size_t k = 0; k < kKindNames.size(); ++k) {
    if (!text.starts_with(kKindNames[k])) continue;
    const std::string_view digits = text.substr(kKindNames[k].size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) continue;
    kind = static_cast<DeviceKind>(k);
    return true;
  }
  return false;
}

}  // namespace

std::string_view name_of(DeviceKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
bool is_network_switch(DeviceKind kind) { return kind >= DeviceKind::leaf; }

std::span<const LinkId> Fabric::links_from(DeviceId id) const {
  const std::uint32_t begin = out_begin_[id.index()];
  return std::span(out_).subspan(begin, out_begin_[id.index() + 1] - begin);
}

LinkId Fabric::link_between(DeviceId from, DeviceId to) const {
  for (const LinkId id : links_from(from)) {
    if (link(id).to == to) return id;
  }
  return LinkId::none();
}

DeviceId Fabric::gpu(std::uint32_t server, std::uint32_t index) const {
  WEFT_CHECK(server < servers_.size() && index < servers_[server].gpus, "no such GPU");
  return gpus_[servers_[server].first_gpu + index];
}

DeviceId Fabric::nic(std::uint32_t server, std::uint32_t index) const {
  WEFT_CHECK(server < servers_.size() && index < servers_[server].nics, "no such NIC");
  return nics_[servers_[server].first_nic + index];
}

DeviceId Fabric::first_of(DeviceKind kind, std::uint32_t server) const {
  const Server& s = servers_[server];
  for (std::uint32_t i = 0; i < s.devices; ++i) {
    const DeviceId id(s.first.value() + i);
    if (device(id).kind == kind) return id;
  }
  return DeviceId::none();
}

std::vector<DeviceId> Fabric::devices_of(DeviceKind kind) const {
  std::vector<DeviceId> found;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    if (devices_[i].kind == kind) found.emplace_back(i);
  }
  return found;
}

std::vector<DeviceId> Fabric::devices_of(DeviceKind kind, std::uint32_t server) const {
  std::vector<DeviceId> found;
  const Server& s = servers_[server];
  for (std::uint32_t i = 0; i < s.devices; ++i) {
    const DeviceId id(s.first.value() + i);
    if (device(id).kind == kind) found.push_back(id);
  }
  return found;
}

DeviceId Fabric::leaf_of(DeviceId nic) const {
  for (const LinkId id : links_from(nic)) {
    if (is_network_switch(device(link(id).to).kind)) return link(id).to;
  }
  return DeviceId::none();
}

std::uint32_t Fabric::rack_count() const {
  std::uint32_t count = 0;
  for (const Server& s : servers_) count = std::max(count, s.rack + 1);
  return count;
}

std::string Fabric::name(DeviceId id) const {
  const Device& d = device(id);
  std::string text;
  if (d.server != Device::kNoServer) text = "server" + std::to_string(d.server) + '.';
  text += name_of(d.kind);
  return text + std::to_string(d.index);
}

const std::string& Fabric::operator_name(DeviceId id) const {
  static const std::string kEmpty;
  const auto found = operator_names_.find(id.value());
  return found == operator_names_.end() ? kEmpty : found->second;
}

DeviceId Fabric::find(std::string_view text) const {
  DeviceKind kind{};
  std::uint32_t index = 0;
  std::string_view local = text;
  std::uint32_t server = Device::kNoServer;
  if (text.starts_with("server")) {
    const std::size_t dot = text.find('.');
    if (dot != std::string_view::npos) {
      const auto [end, error] = std::from_chars(text.data() + 6, text.data() + dot, server);
      if (error != std::errc{} || end != text.data() + dot || server >= servers_.size()) return DeviceId::none();
      local = text.substr(dot + 1);
    }
  }
  if (parse_local_name(local, kind, index)) {
    const bool of_server = server != Device::kNoServer;
    const std::size_t begin = of_server ? servers_[server].first.index() : 0;
    const std::size_t end = of_server ? begin + servers_[server].devices : devices_.size();
    for (std::size_t i = begin; i < end; ++i) {
      if (devices_[i].kind == kind && devices_[i].index == index && devices_[i].server == server) return DeviceId(i);
    }
  }
  DeviceId best = DeviceId::none();  // the lowest id, whatever the order of the map
  for (const auto& [id, name] : operator_names_) {
    if (name == text && (!best.valid() || id < best.value())) best = DeviceId(id);
  }
  return best;
}

std::size_t Fabric::memory_bytes() const {
  return devices_.capacity() * sizeof(Device) + links_.capacity() * sizeof(Link) + out_.capacity() * sizeof(LinkId) +
         (out_begin_.capacity() + domain_.capacity()) * sizeof(std::uint32_t) +
         (gpus_.capacity() + nics_.capacity()) * sizeof(DeviceId) + servers_.capacity() * sizeof(Server);
}

}  // namespace weft::fabric
