#include "weft/formats/nccl_nics.h"

#include <algorithm>
#include <array>
#include <map>

#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

// Port rates in Mb/s that exist; 10000 is also what NCCL writes when it cannot find out.
constexpr std::array<std::int64_t, 17> kPortSpeeds = {10,     100,    1000,   2500,   5000,   10000,
                                                      14000,  20000,  25000,  40000,  50000,  56000,
                                                      100000, 200000, 400000, 800000, 1600000};

// Interfaces of VPNs, containers and hypervisors' bridges, and Wi-Fi (systemd names the latter wl…).
bool is_not_wired(std::string_view name, const NcclPci* pci) {
  if (pci != nullptr && pci->device_class.starts_with("0x0280")) return true;
  if (pci != nullptr) return name.starts_with("wl");
  for (const std::string_view head : {"tailscale", "veth", "docker", "lxc", "lxdbr", "virbr", "br-", "tun", "tap", "wg",
                                      "wl", "cni", "flannel", "cali", "vxlan", "zt", "lo", "cilium", "kube"}) {
    if (name.starts_with(head)) return true;
  }
  return false;
}

bool is_rdma(const NcclNet& net, const NcclPci* pci) {
  // Sockets have small made-up GUIDs (0x0, 0x1 …) and no GPUDirect.
  if (net.gdr.value_or(false) || net.guid.value_or(0) > 0xffff) return true;
  if (pci != nullptr && pci->device_class.starts_with("0x0207")) return true;
  for (const std::string_view head : {"mlx", "bnxt_re", "irdma", "efa", "rdmap", "cxi", "hns", "qedr", "ionic", "ib"}) {
    if (net.name.starts_with(head)) return true;
  }
  return false;
}

// The rate of one port as it can be believed.
std::optional<std::int64_t> port_speed(const NcclNet& net, Remarks& remarks, bool rdma) {
  if (!net.speed || *net.speed == 0) return std::nullopt;
  const std::int64_t speed = *net.speed;
  if (std::find(kPortSpeeds.begin(), kPortSpeeds.end(), speed) != kPortSpeeds.end()) {
    if (speed == 10000 && !rdma) {
      remarks.notes.add("10 Gb/s may be NCCL's default for an interface that does not tell", net.name);
    }
    return speed;
  }
  const std::string stated = "ports state " + std::to_string(speed) + " Mb/s, which no port has";
  // A hand-edited figure a little below a real rate means that rate (180000 for 2 x 100 or 200 Gb/s).
  for (const std::int64_t real : kPortSpeeds) {
    if (speed < real && speed * 100 >= real * 85) {
      remarks.assumed.add(stated + ": taken as " + std::to_string(real / 1000) + " Gb/s", net.name);
      return real;
    }
  }
  remarks.assumed.add(stated + ": not believed, the adapter's own rate is taken", net.name);
  return std::nullopt;
}

struct Port {
  const NcclNet* net = nullptr;
  const NcclPci* pci = nullptr;
};

std::optional<bool> infiniband(const NcclPci* pci) {
  if (pci == nullptr) return std::nullopt;
  if (pci->device_class.starts_with("0x0207")) return true;
  if (pci->device_class.starts_with("0x0200")) return false;
  return std::nullopt;
}

FoundNic from_ports(const std::vector<Port>& ports, Remarks& remarks) {
  FoundNic nic;
  nic.pci = ports.front().pci;
  nic.infiniband = infiniband(nic.pci);
  nic.use = NicUse::socket;
  std::int64_t total = 0;
  bool complete = true;
  for (const Port& port : ports) {
    const NcclNet& net = *port.net;
    nic.ports.push_back(net.name);
    if (net.gdr) nic.gdr = nic.gdr.value_or(false) || *net.gdr;
    if (net.dev && (nic.order < 0 || *net.dev < nic.order)) nic.order = *net.dev;
    const bool rdma = is_rdma(net, port.pci);
    if (rdma) nic.use = NicUse::rdma;
    const std::optional<std::int64_t> speed = port_speed(net, remarks, rdma);
    complete = complete && speed.has_value();
    total = std::min(total + speed.value_or(0), std::int64_t{100'000'000});
  }
  if (complete && total > 0) nic.speed_mbps = total;
  if (nic.use == NicUse::socket && is_not_wired(nic.ports.front(), nic.pci)) nic.use = NicUse::not_wired;
  if (ports.size() > 1) {
    std::string joined;
    for (const std::string& port : nic.ports) joined += (joined.empty() ? "" : "+") + port;
    remarks.notes.add("ports with one GUID are one adapter", joined);
  }
  return nic;
}

// Ports with one real GUID belong together; others stand alone.
std::vector<FoundNic> group_ports(const std::vector<Port>& ports, Remarks& remarks) {
  std::vector<std::vector<Port>> groups;
  std::map<std::uint64_t, std::size_t> by_guid;
  for (const Port& port : ports) {
    if (port.net->name.find('+') != std::string::npos) {
      remarks.notes.add("adapters that NCCL joined are left out: only the physical ones count", port.net->name);
      continue;
    }
    const std::uint64_t guid = port.net->guid.value_or(0);
    const auto known = guid > 0xffff ? by_guid.find(guid) : by_guid.end();
    if (known != by_guid.end()) {
      groups[known->second].push_back(port);
      continue;
    }
    if (guid > 0xffff) by_guid[guid] = groups.size();
    groups.push_back({port});
  }
  std::vector<FoundNic> nics;
  for (const auto& group : groups) nics.push_back(from_ports(group, remarks));
  return nics;
}

// "0000:0c:00.1" -> "0000:0c:00": functions of one device.
std::string device_of(std::string_view busid) {
  const std::size_t dot = busid.rfind('.');
  return std::string(busid.substr(0, dot));
}

bool is_data_direct(const NcclPci& pci) { return pci.device_class.starts_with("0x0801"); }

}  // namespace

std::string FoundNic::name() const {
  if (!ports.empty() && !ports.front().empty()) return ports.front();
  return pci != nullptr ? pci->busid : "";
}

std::vector<FoundNic> find_nics(const std::vector<const NcclPci*>& siblings, Remarks& remarks) {
  // One list of ports per device, in the file's order.
  std::vector<std::pair<std::string, std::vector<const NcclPci*>>> devices;
  for (const NcclPci* pci : siblings) {
    const std::string device = device_of(pci->busid);
    const auto it = std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.first == device; });
    if (it == devices.end()) {
      devices.push_back({device, {pci}});
    } else {
      it->second.push_back(pci);
    }
  }
  std::vector<FoundNic> nics;
  for (const auto& [device, functions] : devices) {
    std::vector<Port> ports;
    for (const NcclPci* pci : functions) {
      for (const NcclNic& nic : pci->nics) {
        for (const NcclNet& net : nic.nets) ports.push_back({&net, pci});
      }
      if (is_data_direct(*pci)) {
        remarks.notes.add("data-direct functions of ConnectX-8 stand for the adapter", pci->busid);
      }
    }
    if (!ports.empty()) {
      for (FoundNic& nic : group_ports(ports, remarks)) nics.push_back(std::move(nic));
      continue;
    }
    FoundNic nic;  // a skeleton names the device alone
    nic.pci = functions.front();
    nic.infiniband = infiniband(nic.pci);
    if (nic.pci->device_class.starts_with("0x0280")) nic.use = NicUse::not_wired;
    nics.push_back(std::move(nic));
  }
  return nics;
}

std::vector<FoundNic> find_nics(const std::vector<NcclNic>& under_cpu, Remarks& remarks) {
  std::vector<Port> ports;
  for (const NcclNic& nic : under_cpu) {
    for (const NcclNet& net : nic.nets) ports.push_back({&net, nullptr});
  }
  return group_ports(ports, remarks);
}

}  // namespace weft::formats
