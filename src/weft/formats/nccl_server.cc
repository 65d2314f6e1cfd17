#include "weft/formats/nccl_server.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "weft/fabric/server.h"
#include "weft/formats/fields.h"
#include "weft/formats/gpu_choice.h"
#include "weft/formats/nccl_gpu_links.h"
#include "weft/formats/nccl_nics.h"
#include "weft/formats/nccl_pci.h"
#include "weft/formats/nic_choice.h"
#include "weft/formats/pcie_speed.h"
#include "weft/formats/sketch.h"

namespace weft::formats {
namespace {

using fabric::DeviceKind;
using fabric::Technology;

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

// "pcisw12" -> 12: weft's own files keep the numbers of what has no address.
std::optional<int> own_number(std::string_view name, std::string_view kind) {
  if (!name.starts_with(kind)) return std::nullopt;
  const auto number = parse_whole(name.substr(kind.size()));
  return number && *number >= 0 && *number < 1'000'000 ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

struct PlacedNic {
  FoundNic nic;
  std::size_t parent = kNone;  // switch; none: the root below
  std::size_t root = kNone;    // root complex or, for devices without an address, made when needed
  std::size_t cpu = kNone;
  std::size_t host = 0;
};

class ServerReader {
 public:
  explicit ServerReader(const NcclServerInput& input)
      : in_(input), book_(input.book), remarks_(input.remarks), links_(input.book.catalog(), input.remarks) {}

  NcclServerBuilt run(fabric::FabricBuilder& builder) {
    choose_gpus();
    for (std::size_t h = 0; h < in_.hosts.size(); ++h) add_host(h, in_.hosts[h]);
    order_gpus();
    add_nics();
    add_pcilinks();
    const GpuLinkResult gpu_links = add_gpu_links(sketch_, gpus_, in_.system, book_, in_.skeleton, remarks_);
    set_properties(gpu_links.switched);
    const std::vector<fabric::DeviceId> ids = sketch_.build(builder);
    NcclServerBuilt built;
    for (const LinksLeft& amiss : gpu_links.amiss) built.amiss.push_back({ids[amiss.node], amiss.left, amiss.nominal});
    return built;
  }

 private:
  // ---- which parts ----

  void choose_gpus() {
    std::vector<const NcclPci*> all;
    for (const auto& host : in_.hosts) {
      for (const NcclCpu* cpu : host) {
        for (const NcclPci& pci : cpu->pcis) collect_gpus(pci, all);
      }
    }
    chooser_.emplace(book_, in_.gpu, all, remarks_);
    usual_ = all.empty() ? nullptr : book_.server_with(part_of(*all.front())->id, all.size());
  }

  static void collect_gpus(const NcclPci& pci, std::vector<const NcclPci*>& into) {
    if (role_of(pci) == PciRole::gpu) into.push_back(&pci);
    for (const NcclPci& child : pci.children) collect_gpus(child, into);
  }

  [[nodiscard]] const catalog::GpuPart* part_of(const NcclPci& pci) { return &chooser_->part(pci); }

  // ---- hosts, sockets ----

  void add_host(std::size_t h, const std::vector<const NcclCpu*>& cpus) {
    std::vector<std::size_t> nodes;
    for (const NcclCpu* cpu : cpus) nodes.push_back(add_cpu(*cpu));
    join_sockets(cpus, nodes);
    for (std::size_t i = 0; i < cpus.size(); ++i) {
      std::vector<const NcclPci*> level;
      for (const NcclPci& pci : cpus[i]->pcis) level.push_back(&pci);
      const Place place{h, nodes[i], kNone, kNone};
      add_level(level, place);
      for (FoundNic& nic : find_nics(cpus[i]->nics, remarks_))
        nics_.push_back({std::move(nic), kNone, kNone, nodes[i], h});
    }
  }

  std::size_t add_cpu(const NcclCpu& cpu) {
    const CpuSignature signature{std::string(trim(cpu.vendor)), cpu.arch, cpu.familyid, cpu.modelid};
    const catalog::CpuPart* part = book_.cpu(cpu.part);
    if (part == nullptr) part = book_.cpu_by_signature(signature, usual_ == nullptr ? "" : usual_->gpu);
    if (part == nullptr) {
      remarks_.assumed.add("the processor is not in the catalog (" +
                           (signature.vendor.empty() ? cpu.arch : signature.vendor) +
                           (cpu.familyid ? ", family " + std::to_string(*cpu.familyid) : "") +
                           (cpu.modelid ? ", model " + std::to_string(*cpu.modelid) : "") +
                           "): links between sockets as NCCL counts them, no limit on peer traffic");
    }
    fabric::DeviceModel model;
    if (part != nullptr) model = {part->id, Duration(0), part->p2p_rate};
    const std::string name = cpu.numaid && *cpu.numaid >= 0 ? "numa" + std::to_string(*cpu.numaid) : "";
    const int order = own_number(cpu.name, "cpu").value_or(static_cast<int>(cpu_parts_.size()));
    const std::size_t node = sketch_.add(DeviceKind::cpu, model, name, order);
    cpu_parts_[node] = part;
    return node;
  }

  void join_sockets(const std::vector<const NcclCpu*>& cpus, const std::vector<std::size_t>& nodes) {
    if (nodes.size() < 2) return;
    if (nodes.size() > 2) {
      remarks_.assumed.add(
          std::to_string(nodes.size()) +
          " NUMA nodes, all joined alike, as NCCL joins them: the file does not tell which share a socket");
    }
    for (std::size_t a = 0; a < nodes.size(); ++a) {
      for (std::size_t b = a + 1; b < nodes.size(); ++b) {
        const auto [technology, count] = socket_link(*cpus[a], cpu_parts_[nodes[a]]);
        sketch_.connect(nodes[a], nodes[b], technology, count);
      }
    }
  }

  [[nodiscard]] std::pair<Technology, int> socket_link(const NcclCpu& cpu, const catalog::CpuPart* part) const {
    if (part != nullptr && !part->socket_link.empty()) {
      if (auto known = fabric::technology_of(book_.catalog(), part->socket_link))
        return {*known, std::max(1, part->socket_links)};
    }
    const double rate = nccl_socket_gbytes({std::string(trim(cpu.vendor)), cpu.arch, cpu.familyid, cpu.modelid});
    return {{"socket-link", catalog::LinkClass::cpu_bus, Rate::from_gbyte_per_s(rate), Rate::from_gbyte_per_s(rate),
             Duration::nanoseconds(100)},
            1};
  }

  // ---- PCI ----

  struct Place {
    std::size_t host = 0;
    std::size_t cpu = kNone;
    std::size_t root = kNone;    // none right under the CPU: each device there has a root complex of its own
    std::size_t parent = kNone;  // PCIe switch above; none: the root
  };

  // The devices of one level: bridges and GPUs one by one, NICs together, since functions may belong to one adapter.
  void add_level(const std::vector<const NcclPci*>& level, const Place& place) {
    std::vector<const NcclPci*> nics;
    for (const NcclPci* pci : level) {
      switch (role_of(*pci)) {
        case PciRole::gpu:
          add_gpu(*pci, place);
          break;
        case PciRole::nic:
          nics.push_back(pci);
          break;
        case PciRole::bridge:
          add_bridge(*pci, place);
          break;
        case PciRole::nvswitch:
        case PciRole::nvlink_cpu_bridge:
          break;  // they show themselves as targets of GPU links
      }
    }
    for (FoundNic& nic : find_nics(nics, remarks_)) {
      PlacedNic placed{std::move(nic), place.parent, place.root, place.cpu, place.host};
      nics_.push_back(std::move(placed));
    }
  }

  void add_bridge(const NcclPci& pci, Place place) {
    if (!has_end_point(pci)) {
      remarks_.notes.add("PCIe bridges with no GPU or NIC below are left out", pci.busid);
      return;
    }
    if (place.root == kNone) place.root = add_root(place.cpu, pci);
    const std::size_t node = sketch_.add(DeviceKind::pcie_switch, switch_model(pci), pci.busid,
                                         own_number(pci.name, "pcisw").value_or(static_cast<int>(switches_.size())));
    switches_.emplace(std::to_string(place.host) + '/' + pci.busid, node);
    peers_.push_back({place.host, node, &pci, links_.of_bridge(pci)});
    sketch_.connect(node, place.parent == kNone ? place.root : place.parent, peers_.back().technology);
    place.parent = node;
    std::vector<const NcclPci*> level;
    const int generation = broadcom_generation(pci, 0);
    gather(pci, generation, level);
    if (!pci.nics.empty()) {  // a bridge with both children and a NIC of its own
      for (FoundNic& nic : find_nics(std::vector<NcclNic>(pci.nics), remarks_)) {
        nics_.push_back({std::move(nic), node, place.root, place.cpu, place.host});
      }
    }
    add_level(level, place);
  }

  // A bridge's children, those of a flattened second level among them.
  void gather(const NcclPci& pci, int generation, std::vector<const NcclPci*>& level) {
    for (const NcclPci& child : pci.children) {
      const bool same_chip =
          generation > 0 && role_of(child) == PciRole::bridge && broadcom_generation(child, 1) == generation;
      if (!same_chip) {
        level.push_back(&child);
        continue;
      }
      remarks_.notes.add("two-level Broadcom switches are taken as one chip, as NCCL takes them", pci.busid);
      for (const NcclPci& below : child.children) level.push_back(&below);
    }
  }

  // A root complex: shared only where weft's own file says so. Its socket's memory is as near as the die allows.
  std::size_t add_root(std::size_t cpu, const NcclPci& pci) {
    if (!pci.root.empty()) {
      if (const auto known = roots_.find({cpu, pci.root}); known != roots_.end()) return known->second;
    }
    const catalog::CpuPart* part = cpu_parts_[cpu];
    const Rate cap = part == nullptr ? Rate(0) : part->p2p_rate;
    const Rate memory = part != nullptr && part->memory_rate.count() > 0 ? part->memory_rate : Rate::gbyte_per_s(200);
    const std::size_t node = sketch_.add(DeviceKind::root_complex, {"", Duration(0), cap}, "",
                                         own_number(pci.root, "root").value_or(static_cast<int>(root_count_)));
    ++root_count_;
    sketch_.connect(node, cpu, {"on-die", catalog::LinkClass::cpu_bus, memory, memory, Duration(0)});
    if (!pci.root.empty()) roots_[{cpu, pci.root}] = node;
    return node;
  }

  fabric::DeviceModel switch_model(const NcclPci& pci) {
    const catalog::SwitchPart* part = book_.switch_part(pci.part);
    if (part == nullptr && usual_ != nullptr) {
      for (const catalog::PcieGroup& group : usual_->pcie) {
        if (part == nullptr) part = book_.switch_part(group.switch_part);
      }
      if (part != nullptr)
        remarks_.assumed.add("PCIe switches pass a packet as " + part->id + " does, which is usual with these GPUs");
    }
    if (part == nullptr) return {};
    return {part->id, part->latency, Rate(0)};
  }

  // ---- GPUs ----

  void add_gpu(const NcclPci& pci, Place place) {
    const catalog::GpuPart& part = *part_of(pci);
    const std::size_t node = sketch_.add(DeviceKind::gpu, {part.id, Duration(0), Rate(0)}, pci.busid);
    const bool c2c = pci.gpu && !pci.gpu->c2c.empty();
    if (c2c) sketch_.connect(node, place.cpu, links_.c2c(pci, part));
    if (c2c && place.parent == kNone) {
      remarks_.notes.add("GPUs with C2C right under the CPU: their PCIe link is left out, C2C carries what it would",
                         pci.busid);
    } else {
      const Technology link = links_.of_gpu(pci, part);
      if (place.root == kNone) place.root = add_root(place.cpu, pci);
      sketch_.connect(node, place.parent == kNone ? place.root : place.parent, link);
    }
    gpus_.push_back({node, place.host, place.cpu, &pci, &part});
    for (const NcclPci& child : pci.children) {
      remarks_.notes.add("PCI devices below a GPU are left out", child.busid);
    }
  }

  // By host, then by `dev` where every GPU has its own; by bus id in a skeleton.
  void order_gpus() {
    std::map<std::pair<std::size_t, int>, int> seen;
    bool numbered = true;
    for (const LinkedGpu& gpu : gpus_) {
      const bool has = gpu.pci->gpu && gpu.pci->gpu->dev;
      numbered = numbered && has && ++seen[{gpu.host, *gpu.pci->gpu->dev}] == 1;
    }
    if (!numbered && !in_.skeleton)
      remarks_.notes.add("GPUs do not have a `dev` each of their own: numbered by bus id");
    std::stable_sort(gpus_.begin(), gpus_.end(), [&](const LinkedGpu& a, const LinkedGpu& b) {
      if (a.host != b.host) return a.host < b.host;
      return numbered ? *a.pci->gpu->dev < *b.pci->gpu->dev : a.pci->busid < b.pci->busid;
    });
    for (std::size_t i = 0; i < gpus_.size(); ++i) sketch_.nodes[gpus_[i].node].order = static_cast<int>(i);
  }

  // ---- adapters ----

  void add_nics() {
    const bool rdma =
        std::any_of(nics_.begin(), nics_.end(), [](const PlacedNic& n) { return n.nic.use == NicUse::rdma; });
    std::stable_sort(nics_.begin(), nics_.end(), [](const PlacedNic& a, const PlacedNic& b) {
      const auto key = [](const PlacedNic& n) { return std::tuple(n.host, n.nic.order < 0, n.nic.order); };
      if (key(a) != key(b)) return key(a) < key(b);
      return a.nic.order < 0 && a.nic.name() < b.nic.name();
    });
    const NicChooser chooser(book_, usual_, remarks_);
    for (PlacedNic& placed : nics_) {
      if (placed.nic.use == NicUse::not_wired) {
        remarks_.notes.add("virtual and wireless interfaces are no cluster network: left out", placed.nic.name());
      } else if (placed.nic.use == NicUse::socket && rdma) {
        remarks_.notes.add("interfaces for sockets beside RDMA adapters are for management: left out",
                           placed.nic.name());
      } else {
        add_nic(placed, chooser);
      }
    }
  }

  void add_nic(PlacedNic& placed, const NicChooser& chooser) {
    const FoundNic& nic = placed.nic;
    const catalog::NicPart* part = chooser.part(nic);
    if (nic.use == NicUse::socket) remarks_.assumed.add("no RDMA adapter: the network is TCP", nic.name());
    const std::size_t node = sketch_.add(DeviceKind::nic, {part == nullptr ? "" : part->id, Duration(0), Rate(0)},
                                         nic.name(), static_cast<int>(nic_count_++));
    rdma_capable_ = rdma_capable_ || (part == nullptr ? nic.use == NicUse::rdma : part->gpudirect_rdma);
    if (nic.use == NicUse::rdma && nic.gdr) nic_gdr_ = nic_gdr_.value_or(false) || *nic.gdr;
    Technology link;
    if (nic.pci != nullptr) {
      link = links_.of_nic(*nic.pci);
    } else {
      const std::optional<PcieShape> usual = part == nullptr ? std::nullopt : pcie_shape(part->host_link);
      link = pcie_technology(book_.catalog(), usual ? usual->generation : 3, usual ? usual->lanes : 16);
      remarks_.assumed.add("an interface without a PCI address hangs on " + link.id, nic.name());
    }
    if (placed.parent == kNone && placed.root == kNone) {
      static const NcclPci nowhere;
      placed.root = add_root(placed.cpu, nic.pci == nullptr ? nowhere : *nic.pci);
    }
    sketch_.connect(node, placed.parent == kNone ? placed.root : placed.parent, link);
  }

  // ---- the rest ----

  // Peer links between PCIe switches, listed by both.
  void add_pcilinks() {
    std::map<std::pair<std::size_t, std::size_t>, bool> done;
    for (const Peer& peer : peers_) {
      for (const std::string& target : peer.pci->pcilinks) {
        const auto other = switches_.find(std::to_string(peer.host) + '/' + target);
        if (other == switches_.end() || other->second == peer.node) {
          remarks_.notes.add("a pcilink leads to a switch that is not in the file", peer.pci->busid + " to " + target);
          continue;
        }
        const auto pair = std::minmax(peer.node, other->second);
        if (!std::exchange(done[{pair.first, pair.second}], true))
          sketch_.connect(pair.first, pair.second, peer.technology);
      }
    }
  }

  void set_properties(bool switched) {
    bool all_without = !gpus_.empty();
    for (const LinkedGpu& gpu : gpus_) {
      const auto gdr = gpu.pci->gpu ? gpu.pci->gpu->gdr : std::nullopt;
      all_without = all_without && gdr.has_value() && !*gdr;
    }
    fabric::Server& server = sketch_.properties;
    if (all_without || (nic_gdr_ && !*nic_gdr_)) {
      server.gpudirect_rdma = false;
      if (nic_count_ > 0)
        remarks_.notes.add("GPUDirect RDMA is off in the dump (gdr=\"0\"): NICs reach GPUs through host memory");
    } else if (nic_count_ > 0 && !rdma_capable_) {
      server.gpudirect_rdma = false;
    }
    if (usual_ == nullptr) return;
    server.nvls = switched && usual_->nvls;
    server.peer_to_peer = usual_->peer_to_peer || gpus_.size() == 1;
    if (!server.peer_to_peer) remarks_.assumed.add("no PCIe peer-to-peer between these GPUs, as in " + usual_->id);
  }

  struct Peer {
    std::size_t host;
    std::size_t node;
    const NcclPci* pci;
    Technology technology;
  };

  const NcclServerInput& in_;
  const PartBook& book_;
  Remarks& remarks_;
  PciLinks links_;
  Sketch sketch_;
  std::optional<GpuChooser> chooser_;
  const catalog::ServerPart* usual_ = nullptr;  // the catalog's server with these GPUs
  std::map<std::size_t, const catalog::CpuPart*> cpu_parts_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> roots_;
  std::size_t root_count_ = 0;
  std::map<std::string, std::size_t> switches_;  // "host/busid"
  std::vector<Peer> peers_;
  std::vector<LinkedGpu> gpus_;
  std::vector<PlacedNic> nics_;
  std::size_t nic_count_ = 0;
  std::optional<bool> nic_gdr_;
  bool rdma_capable_ = false;
};

}  // namespace

NcclServerBuilt add_nccl_server(fabric::FabricBuilder& builder, const NcclServerInput& input) {
  return ServerReader(input).run(builder);
}

}  // namespace weft::formats
