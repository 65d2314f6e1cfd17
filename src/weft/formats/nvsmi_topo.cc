#include "weft/formats/nvsmi_topo.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "weft/fabric/server.h"
#include "weft/formats/fields.h"
#include "weft/formats/nvsmi_links.h"
#include "weft/formats/nvsmi_tree.h"
#include "weft/formats/part_book.h"
#include "weft/formats/pcie_speed.h"
#include "weft/formats/remarks.h"
#include "weft/formats/sketch.h"

namespace weft::formats {
namespace {

using catalog::GpuFabricShape;
using fabric::DeviceKind;
using fabric::Technology;

class MatrixConverter {
 public:
  MatrixConverter(const PartBook& book, const SourceText& source, const TopoMatrix& matrix, const ReadOptions& options)
      : book_(book), source_(source), m_(matrix), options_(options), links_(view_links(matrix)) {
    for (const std::string& note : matrix.notes) remarks_.notes.add(note);
  }

  Result<OperatorFabric> run() {
    if (auto complete = check_gpu_pairs(m_, links_, book_, source_); !complete) return fail(complete.error());
    if (auto chosen = choose_gpu(); !chosen) return fail(chosen.error());
    usual_ = book_.server_with(gpu_->id, m_.gpus());
    tree_ = infer_pcie_tree(m_, remarks_);
    add_sockets();
    add_devices();
    const std::vector<std::pair<std::size_t, int>> amiss = add_gpu_links();
    set_properties();
    fabric::FabricBuilder builder;
    const std::vector<fabric::DeviceId> ids = sketch_.build(builder);
    OperatorFabric out;
    out.fabric = std::move(builder).finish();
    for (const auto& [gpu, left] : amiss) observe(out, ids[gpu_nodes_[gpu]], left);
    out.assumed = remarks_.assumed.texts();
    out.notes = remarks_.notes.texts();
    return out;
  }

 private:
  // ---- which GPU ----

  Result<void> choose_gpu() {
    if (!options_.gpu.empty()) {
      auto named = book_.catalog().gpu(options_.gpu);
      if (!named) return fail(std::move(named.error()));
      gpu_ = book_.gpu(named->id);
    }
    if (gpu_ == nullptr) {
      const auto [id, why] = guess_gpu(m_, links_);
      gpu_ = book_.gpu(id);
      if (gpu_ == nullptr) gpu_ = &book_.gpus().front();
      remarks_.assumed.add("the GPU is " + gpu_->id + " (the matrix does not name it; " + why +
                           "); name it with --gpu");
    }
    return {};
  }

  // ---- the tree ----

  void add_sockets() {
    const catalog::CpuPart* cpu = usual_ == nullptr ? nullptr : book_.cpu(usual_->cpu);
    if (cpu != nullptr) remarks_.assumed.add("processors are " + cpu->id + ", as in " + usual_->id);
    fabric::DeviceModel model;
    if (cpu != nullptr) model = {cpu->id, Duration(0), cpu->p2p_rate};
    for (const std::string& name : tree_.socket_names) sockets_.push_back(sketch_.add(DeviceKind::cpu, model, name));
    Technology link{"socket-link", catalog::LinkClass::cpu_bus, Rate::gbyte_per_s(16), Rate::gbyte_per_s(16),
                    Duration::nanoseconds(100)};
    int count = 1;
    if (cpu != nullptr && !cpu->socket_link.empty()) {
      if (auto known = fabric::technology_of(book_.catalog(), cpu->socket_link)) {
        link = *known;
        count = std::max(1, cpu->socket_links);
      }
    }
    for (std::size_t a = 0; a < sockets_.size(); ++a) {
      for (std::size_t b = a + 1; b < sockets_.size(); ++b) sketch_.connect(sockets_[a], sockets_[b], link, count);
    }
    if (sockets_.size() > 2) {
      remarks_.assumed.add(
          std::to_string(sockets_.size()) +
          " groups that are SYS to each other, all joined alike: the matrix does not tell which share a socket");
    }
    const Rate memory = cpu != nullptr && cpu->memory_rate.count() > 0 ? cpu->memory_rate : Rate::gbyte_per_s(200);
    on_die_ = {"on-die", catalog::LinkClass::cpu_bus, memory, memory, Duration(0)};
    root_model_ = {"", Duration(0), cpu == nullptr ? Rate(0) : cpu->p2p_rate};
  }

  void add_devices() {
    auto host = fabric::technology_of(book_.catalog(), gpu_->host_link);
    const bool c2c = host && host->link_class == catalog::LinkClass::c2c;
    const int generation = pcie_shape(gpu_->host_link).value_or(PcieShape{5, 16}).generation;
    slot_ = pcie_technology(book_.catalog(), generation, 16);
    const catalog::NicPart* nic = usual_ == nullptr ? nullptr : book_.nic(usual_->nic);
    const Technology nic_link =
        nic == nullptr ? slot_ : fabric::technology_of(book_.catalog(), nic->host_link).value_or(slot_);
    for (std::size_t i = 0; i < m_.devices.size(); ++i) {
      const TopoDevice& device = m_.devices[i];
      if (device.gpu) {
        const std::size_t node = sketch_.add(DeviceKind::gpu, {gpu_->id, Duration(0), Rate(0)}, device.name);
        gpu_nodes_.push_back(node);
        const bool straight = c2c && tree_.places[i].inner_switch < 0;
        sketch_.connect(node, straight ? sockets_[socket_of(i)] : parent_of(i), straight ? *host : slot_);
        continue;
      }
      const std::string name = device.rdma_name.empty() ? device.name : device.rdma_name;
      const std::size_t node =
          sketch_.add(DeviceKind::nic, {nic == nullptr ? "" : nic->id, Duration(0), Rate(0)}, name);
      sketch_.connect(node, parent_of(i), nic_link);
      ++nics_;
    }
    remarks_.assumed.add("PCIe " + std::to_string(generation) + ".0 with 16 lanes everywhere, as " + gpu_->id + " has");
    if (nics_ == 0) return;
    if (nic == nullptr) {
      remarks_.assumed.add("what the NICs are is not known: the matrix does not tell");
    } else {
      remarks_.assumed.add((nics_ == 1 ? "the NIC is " : "all " + std::to_string(nics_) + " NICs are ") + nic->id +
                           ", as in " + usual_->id +
                           ": the matrix does not tell what they are, nor which serve storage or management");
    }
  }

  [[nodiscard]] std::size_t socket_of(std::size_t i) const { return static_cast<std::size_t>(tree_.places[i].socket); }

  std::size_t root_of(std::size_t i) {
    const int root = tree_.places[i].root;
    if (const auto known = roots_.find(root); known != roots_.end()) return known->second;
    const std::size_t node = sketch_.add(DeviceKind::root_complex, root_model_);
    sketch_.connect(node, sockets_[socket_of(i)], on_die_);
    return roots_[root] = node;
  }

  std::size_t switch_node(std::map<int, std::size_t>& known, int number, std::size_t above) {
    if (const auto it = known.find(number); it != known.end()) return it->second;
    fabric::DeviceModel model;
    if (const catalog::SwitchPart* part = usual_switch()) model = {part->id, part->latency, Rate(0)};
    const std::size_t node = sketch_.add(DeviceKind::pcie_switch, model);
    sketch_.connect(node, above, slot_);
    return known[number] = node;
  }

  [[nodiscard]] const catalog::SwitchPart* usual_switch() const {
    if (usual_ == nullptr) return nullptr;
    for (const catalog::PcieGroup& group : usual_->pcie) {
      if (const catalog::SwitchPart* part = book_.switch_part(group.switch_part)) return part;
    }
    return nullptr;
  }

  std::size_t parent_of(std::size_t i) {
    const PciePlace& place = tree_.places[i];
    std::size_t above = root_of(i);
    if (place.outer_switch >= 0) above = switch_node(outer_, place.outer_switch, above);
    if (place.inner_switch >= 0) above = switch_node(inner_, place.inner_switch, above);
    return above;
  }

  // ---- NVLink ----

  // GPUs with fewer links than they should have.
  std::vector<std::pair<std::size_t, int>> add_gpu_links() {
    if (links_.most == 0) {
      if (gpu_->gpu_links > 0 && m_.gpus() > 1 && usual_ != nullptr && usual_->shape == GpuFabricShape::switched) {
        remarks_.notes.add("no pair has NVLink, which " + usual_->id + " has: is the fabric manager running?");
      }
      return {};
    }
    const int most_total = *std::max_element(links_.total.begin(), links_.total.end());
    const bool board = usual_ != nullptr && usual_->shape == GpuFabricShape::switched && usual_->gpu == gpu_->id;
    const bool whole = links_.most == gpu_->gpu_links;
    // More in the cells than the GPU has links: they all go to switches, and each cell counts them again.
    return most_total > gpu_->gpu_links || (board && whole) ? add_switched() : add_mesh();
  }

  Technology gpu_technology() {
    if (!gpu_->gpu_link.empty()) {
      if (auto known = fabric::technology_of(book_.catalog(), gpu_->gpu_link)) return *known;
    }
    remarks_.notes.add(gpu_->id + " has no NVLink in the catalog, the matrix shows some: nvlink3 is taken");
    if (auto known = fabric::technology_of(book_.catalog(), "nvlink3")) return *known;
    return {"nvlink", catalog::LinkClass::nvlink, Rate::gbyte_per_s(20), Rate::gbyte_per_s(20), Duration(0)};
  }

  std::vector<std::pair<std::size_t, int>> add_switched() {
    const Technology technology = gpu_technology();
    std::vector<int> chips = {links_.most};
    std::string like;
    if (usual_ != nullptr &&
        std::accumulate(usual_->switch_links.begin(), usual_->switch_links.end(), 0) == links_.most) {
      chips = usual_->switch_links;
      like = ", as in " + usual_->id;
    }
    remarks_.assumed.add("NV" + std::to_string(links_.most) + " to all is NVSwitch: " + counted(chips.size(), "chip") +
                         like);
    const catalog::SwitchPart* part = usual_ != nullptr ? book_.switch_part(usual_->nvswitch) : nullptr;
    if (part == nullptr) part = book_.nvswitch_for(gpu_->gpu_link);
    fabric::DeviceModel model;
    if (part != nullptr) model = {part->id, part->latency, Rate(0)};
    for (const int count : chips) {
      const std::size_t chip = sketch_.add(DeviceKind::nvswitch, model);
      for (const std::size_t gpu : gpu_nodes_) {
        if (count > 0) sketch_.connect(gpu, chip, technology, count);
      }
    }
    switched_ = true;
    if (gpu_->gpu_links > 0 && links_.most != gpu_->gpu_links) {
      remarks_.notes.add("a " + gpu_->id + " has " + std::to_string(gpu_->gpu_links) + " NVLinks, the matrix shows " +
                         std::to_string(links_.most));
    }
    std::vector<std::pair<std::size_t, int>> amiss;
    for (std::size_t i = 0; i < gpu_nodes_.size(); ++i) {
      if (links_.largest[i] < links_.most) amiss.emplace_back(i, links_.largest[i]);
    }
    return amiss;
  }

  std::vector<std::pair<std::size_t, int>> add_mesh() {
    const Technology technology = gpu_technology();
    const std::size_t n = gpu_nodes_.size();
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = a + 1; b < n; ++b) {
        const TopoCell& cell = m_.cell(a, b);
        if (cell.closeness != Closeness::nvlink) continue;
        sketch_.connect(gpu_nodes_[a], gpu_nodes_[b], technology, cell.links > 0 ? cell.links : uncounted_links(a));
      }
    }
    return {};
  }

  // "NVL" does not say how many: the GPU's links, shared by its peers.
  int uncounted_links(std::size_t gpu) {
    int peers = 0;
    for (std::size_t b = 0; b < gpu_nodes_.size(); ++b) peers += m_.cell(gpu, b).closeness == Closeness::nvlink ? 1 : 0;
    const int links = std::max(1, gpu_->gpu_links / std::max(1, peers));
    remarks_.assumed.add("NVL is " + counted(static_cast<std::size_t>(links), "NVLink") + " here: the links of " +
                         gpu_->id + " shared by its peers");
    return links;
  }

  void set_properties() {
    if (usual_ == nullptr) return;
    sketch_.properties.nvls = switched_ && usual_->nvls;
    sketch_.properties.peer_to_peer = usual_->peer_to_peer || m_.gpus() == 1;
    if (!sketch_.properties.peer_to_peer)
      remarks_.assumed.add("no PCIe peer-to-peer between these GPUs, as in " + usual_->id);
  }

  void observe(OperatorFabric& out, fabric::DeviceId gpu, int left) {
    fabric::Condition condition;
    condition.target.scope = fabric::Target::Scope::device;
    condition.target.device = gpu;
    condition.kind = fabric::ConditionKind::links;
    condition.value = left;
    condition.text = "links " + std::to_string(left) + " " + out.fabric.name(gpu);
    out.observed.add(std::move(condition));
    remarks_.notes.add("a GPU has " + (left == 0 ? std::string("no NVLink") : "only NV" + std::to_string(left)) +
                           " where its siblings have NV" + std::to_string(links_.most) + ": taken as a fault",
                       out.fabric.name(gpu));
  }

  const PartBook& book_;
  const SourceText& source_;
  const TopoMatrix& m_;
  const ReadOptions& options_;
  LinkView links_;
  Remarks remarks_;
  const catalog::GpuPart* gpu_ = nullptr;
  const catalog::ServerPart* usual_ = nullptr;
  PcieTree tree_;
  Sketch sketch_;
  Technology slot_;
  Technology on_die_;
  fabric::DeviceModel root_model_;
  std::vector<std::size_t> sockets_;
  std::vector<std::size_t> gpu_nodes_;
  std::map<int, std::size_t> roots_;
  std::map<int, std::size_t> outer_;
  std::map<int, std::size_t> inner_;
  std::size_t nics_ = 0;
  bool switched_ = false;
};

}  // namespace

Result<OperatorFabric> read_nvsmi_topo(const catalog::Catalog& catalog, const SourceText& source,
                                       const ReadOptions& options) {
  auto matrix = read_topo_matrix(source);
  if (!matrix) return fail(std::move(matrix.error()));
  const PartBook book(catalog);
  return MatrixConverter(book, source, *matrix, options).run();
}

}  // namespace weft::formats
