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

// Of one board generation: what differs is memory, clock or the number of links left on.
bool same_but_memory(const catalog::GpuPart& a, const catalog::GpuPart& b) {
  return a.vendor == b.vendor && a.architecture == b.architecture && a.gpu_link == b.gpu_link &&
         a.host_link == b.host_link;
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

CpuSignature cpu_signature(const catalog::CpuPart& part) {
  struct Row {
    std::string_view word;  // in the part's title
    const char* vendor;
    const char* arch;
    int family;
    int model;
  };
  constexpr Row kRows[] = {
      {"broadwell", "GenuineIntel", "x86_64", 6, 79},       {"skylake", "GenuineIntel", "x86_64", 6, 85},
      {"ice lake", "GenuineIntel", "x86_64", 6, 106},       {"sapphire rapids", "GenuineIntel", "x86_64", 6, 143},
      {"emerald rapids", "GenuineIntel", "x86_64", 6, 207}, {"granite rapids", "GenuineIntel", "x86_64", 6, 173},
      {"naples", "AuthenticAMD", "x86_64", 143, 1},         {"rome", "AuthenticAMD", "x86_64", 143, 49},
      {"milan", "AuthenticAMD", "x86_64", 175, 1},          {"genoa", "AuthenticAMD", "x86_64", 175, 17},
      {"turin", "AuthenticAMD", "x86_64", 191, 2},
  };
  const std::string title = lower(part.title);
  CpuSignature signature;
  for (const Row& row : kRows) {
    if (title.find(row.word) == std::string::npos) continue;
    return {row.vendor, row.arch, row.family, row.model};
  }
  if (title.find("power9") != std::string::npos) signature.arch = "ppc64";
  if (title.find("grace") != std::string::npos || title.find("arm") != std::string::npos) signature.arch = "arm64";
  return signature;
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

const catalog::ServerPart* PartBook::server_with(std::string_view gpu_id, std::size_t count) const {
  const catalog::GpuPart* wanted = gpu(gpu_id);
  const catalog::ServerPart* best = nullptr;
  int best_score = 0;
  for (const catalog::ServerPart& server : servers_) {
    const bool same = server.gpu == gpu_id;
    const catalog::GpuPart* other = same ? wanted : gpu(server.gpu);
    if (!same && (wanted == nullptr || other == nullptr || !same_but_memory(*wanted, *other))) continue;
    const int gpus = static_cast<int>(count);
    const int score = (same ? 100 : 0) + (server.gpus == gpus && !server.parametric ? 8 : 0) +
                      (server.parametric ? 1 : 2) + (server.gpus >= gpus && server.trays == 1 ? 1 : 0);
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
    const bool same_id = !query.pci_id.empty() && has_pci_id(part.pci_ids, lower(query.pci_id));
    const std::string maker = query.maker.empty() ? query.pci_id.substr(0, query.pci_id.find(':')) : query.maker;
    const bool same_maker =
        !maker.empty() && std::any_of(part.pci_ids.begin(), part.pci_ids.end(),
                                      [&](const std::string& id) { return id.starts_with(maker + ":"); });
    if (!same_id && !same_maker) continue;
    if (query.infiniband && is_infiniband(link(part.network_link)) != *query.infiniband) continue;
    const double fit = rate_fit(part, query);
    if (!same_id && fit <= 0) continue;  // the maker alone says little
    const double score = (same_id ? 10 : 0) + fit + (query.infiniband ? 1 : 0);
    if (score > best_score) {
      best = &part;
      best_score = score;
    }
  }
  return best;
}

// From 0 (another rate, or none known) to 3 (the same): all ports together, or each for itself.
double PartBook::rate_fit(const catalog::NicPart& part, const NicQuery& query) const {
  if (!query.speed_mbps || *query.speed_mbps <= 0) return 0;
  const auto fit = [](double have, double want) {
    const double ratio = have / want;
    return ratio > 1.35 || ratio < 0.7 ? 0.0 : 3 - std::abs(std::log(ratio));
  };
  const double all = static_cast<double>(*query.speed_mbps) / 1000;
  const catalog::LinkPart* port = link(part.network_link);
  const double one = port == nullptr ? 0 : port->line.gbits();
  return fit(nic_rate(part).gbits(), all) + 0.3 * fit(one, all / query.ports);
}

const catalog::SwitchPart* PartBook::nvswitch_for(std::string_view gpu_link) const {
  const auto it =
      std::find_if(switches_.begin(), switches_.end(), [&](const auto& part) { return part.link == gpu_link; });
  return it == switches_.end() ? nullptr : &*it;
}

}  // namespace weft::formats
