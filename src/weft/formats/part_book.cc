#include "weft/formats/part_book.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

using catalog::Kind;

template <class T>
const T* find_id(const std::vector<T>& list, std::string_view id) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const T& part) { return part.id == id; });
  return it == list.end() ? nullptr : &*it;
}

// Every part of a kind as its typed view; parts that have none (they cannot, the catalog checks) are left out.
template <class T, class View>
std::vector<T> all_of(const catalog::Catalog& catalog, Kind kind, View view) {
  std::vector<T> list;
  for (const catalog::Part* part : catalog.parts(kind)) {
    if (auto typed = view(part->id)) list.push_back(std::move(*typed));
  }
  return list;
}

// "0x10de", "0x2330" -> "10de:2330".
std::string pci_id(std::string_view vendor, std::string_view device) {
  const auto hex = [](std::string_view text) {
    if (text.starts_with("0x")) text.remove_prefix(2);
    return lower(text);
  };
  return hex(vendor) + ":" + hex(device);
}

bool has_pci_id(const std::vector<std::string>& ids, std::string_view id) {
  return std::any_of(ids.begin(), ids.end(), [&](const std::string& known) { return lower(known) == id; });
}

// gfx names as one number that orders generations: gfx90a = 910 as RCCL writes it.
int gcn_number(std::string_view gcn) {
  if (gcn.starts_with("gfx")) gcn.remove_prefix(3);
  if (gcn == "90a") return 910;
  if (gcn == "21943") return 908;  // a raw register value in one early RCCL file, of an MI100
  return static_cast<int>(parse_whole(gcn).value_or(0));
}

// AMD's family in NCCL's old convention; both conventions mean the same processor.
int amd_family(int family) {
  switch (family) {
    case 23:
      return 143;
    case 24:
      return 159;
    case 25:
      return 175;
    case 26:
      return 191;
    default:
      return family;
  }
}

bool is_infiniband(const catalog::LinkPart* link) {
  return link != nullptr && link->link_class == catalog::LinkClass::infiniband;
}

}  // namespace

std::string cpu_generation(const CpuSignature& s) {
  const int model = s.model.value_or(-1);
  if (s.arch == "ppc64" || s.arch == "ppc64le") return "power9";
  if (s.arch == "arm64" || s.arch == "aarch64") return "grace";
  if (s.vendor == "GenuineIntel" && s.family.value_or(6) == 6) {
    switch (model) {
      case 63:
      case 79:
      case 86:
        return "broadwell";
      case 85:
        return "skylake";
      case 106:
      case 108:
        return "ice lake";
      case 143:
        return "sapphire rapids";
      case 207:
        return "emerald rapids";
      case 173:
      case 174:
        return "granite rapids";
      default:
        return "";
    }
  }
  if (s.vendor == "AuthenticAMD" || s.vendor == "AMD") {
    switch (amd_family(s.family.value_or(0))) {
      case 143:
        return model >= 0 && model < 16 ? "naples" : "rome";
      case 175:
        return model < 16 || model == 48 ? "milan" : "genoa";  // 48 is Trento
      case 191:
        return "turin";
      default:
        return "";
    }
  }
  return "";
}

double nccl_socket_gbytes(const CpuSignature& s) {
  if (s.arch == "ppc64" || s.arch == "ppc64le") return 32;
  if (s.arch == "arm64" || s.arch == "aarch64") return 6;
  if (s.vendor == "AuthenticAMD" || s.vendor == "AMD" || s.vendor == "HygonGenuine") return 16;
  if (s.vendor == "GenuineIntel") {
    const int model = s.model.value_or(0);
    return model >= 207 ? 40 : model >= 143 ? 22 : model >= 85 ? 10 : 6;
  }
  return 6;
}

PartBook::PartBook(const catalog::Catalog& catalog)
    : catalog_(catalog),
      gpus_(all_of<catalog::GpuPart>(catalog, Kind::gpu, [&](const auto& id) { return catalog.gpu(id); })),
      cpus_(all_of<catalog::CpuPart>(catalog, Kind::cpu, [&](const auto& id) { return catalog.cpu(id); })),
      nics_(all_of<catalog::NicPart>(catalog, Kind::nic, [&](const auto& id) { return catalog.nic(id); })),
      switches_(all_of<catalog::SwitchPart>(catalog, Kind::network_switch,
                                            [&](const auto& id) { return catalog.network_switch(id); })),
      servers_(all_of<catalog::ServerPart>(catalog, Kind::server, [&](const auto& id) { return catalog.server(id); })),
      links_(all_of<catalog::LinkPart>(catalog, Kind::link, [&](const auto& id) { return catalog.link(id); })) {}

const catalog::GpuPart* PartBook::gpu(std::string_view id) const { return find_id(gpus_, id); }
const catalog::CpuPart* PartBook::cpu(std::string_view id) const { return find_id(cpus_, id); }
const catalog::NicPart* PartBook::nic(std::string_view id) const { return find_id(nics_, id); }
const catalog::SwitchPart* PartBook::switch_part(std::string_view id) const { return find_id(switches_, id); }
const catalog::LinkPart* PartBook::link(std::string_view id) const { return find_id(links_, id); }

const catalog::GpuPart* PartBook::gpu_by_pci(std::string_view vendor, std::string_view device) const {
  const std::string id = pci_id(vendor, device);
  const auto it =
      std::find_if(gpus_.begin(), gpus_.end(), [&](const auto& part) { return has_pci_id(part.pci_ids, id); });
  return it == gpus_.end() ? nullptr : &*it;
}

const catalog::GpuPart* PartBook::gpu_by_architecture(int sm, std::string_view gcn, std::size_t count,
                                                      bool has_links) const {
  const catalog::GpuPart* best = nullptr;
  int best_score = 0;
  for (const catalog::GpuPart& part : gpus_) {
    const bool amd = part.vendor == "amd";
    int score = 0;
    if (!gcn.empty()) {
      if (!amd || part.gcn.empty()) continue;
      score = 2000 - std::abs(gcn_number(part.gcn) - gcn_number(gcn)) * 8;
    } else if (sm > 0) {
      if (amd || part.sm != sm) continue;
      score = 1000;
    } else {
      continue;
    }
    if ((part.gpu_links > 0) == has_links) score += 4;
    const catalog::ServerPart* server = server_with(part.id, count);
    if (server != nullptr) score += server->gpus == static_cast<int>(count) ? 2 : 1;
    if (best == nullptr || score > best_score) {
      best = &part;
      best_score = score;
    }
  }
  return best;
}

const catalog::ServerPart* PartBook::server_with(std::string_view gpu, std::size_t count) const {
  const catalog::ServerPart* best = nullptr;
  int best_score = 0;
  for (const catalog::ServerPart& server : servers_) {
    if (server.gpu != gpu) continue;
    const int score = (server.gpus == static_cast<int>(count) && !server.parametric ? 8 : 0) +
                      (server.parametric ? 1 : 2) +
                      (server.gpus >= static_cast<int>(count) && server.trays == 1 ? 1 : 0);
    if (best == nullptr || score > best_score) {
      best = &server;
      best_score = score;
    }
  }
  return best;
}

const catalog::CpuPart* PartBook::cpu_by_signature(const CpuSignature& signature, std::string_view gpu) const {
  const std::string generation = cpu_generation(signature);
  if (generation.empty()) return nullptr;
  // Arm hosts do not say which processor they are; the GPU's usual server does.
  if (generation == "grace") {
    const catalog::ServerPart* server = server_with(gpu, 0);
    const catalog::CpuPart* usual = server == nullptr ? nullptr : cpu(server->cpu);
    return usual != nullptr && lower(usual->title).find("arm") != std::string::npos ? usual : cpu("grace");
  }
  for (const catalog::Part* part : catalog_.parts(Kind::cpu)) {
    if (lower(part->title).find(generation) != std::string::npos) return cpu(part->id);
  }
  return nullptr;
}

Rate PartBook::nic_rate(const catalog::NicPart& nic) const {
  const catalog::LinkPart* port = link(nic.network_link);
  return port == nullptr ? Rate(0) : port->line * std::max(1, nic.ports);
}

const catalog::NicPart* PartBook::nic_for(const NicQuery& query) const {
  const catalog::NicPart* best = nullptr;
  double best_score = 0;
  for (const catalog::NicPart& part : nics_) {
    double score = 0;
    if (!query.pci_id.empty()) {
      const bool same = has_pci_id(part.pci_ids, lower(query.pci_id));
      if (!same && !query.speed_mbps) continue;
      if (same) score += 4;
      // Another maker's adapter of the right speed is no better than none.
      if (!same && !query.pci_id.starts_with("15b3")) continue;
    }
    if (query.infiniband) {
      if (is_infiniband(link(part.network_link)) != *query.infiniband) continue;
      score += 1;
    }
    if (query.speed_mbps && *query.speed_mbps > 0) {
      const double ratio = nic_rate(part).gbits() * 1000 / static_cast<double>(*query.speed_mbps);
      if (ratio > 1.35 || ratio < 0.7) continue;
      score += 3 - std::abs(std::log(ratio));
    }
    if (score > best_score) {
      best = &part;
      best_score = score;
    }
  }
  return best;
}

const catalog::SwitchPart* PartBook::nvswitch_for(std::string_view gpu_link) const {
  const auto it =
      std::find_if(switches_.begin(), switches_.end(), [&](const auto& part) { return part.link == gpu_link; });
  return it == switches_.end() ? nullptr : &*it;
}

}  // namespace weft::formats
