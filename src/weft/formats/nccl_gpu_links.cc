#include "weft/formats/nccl_gpu_links.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "weft/fabric/server.h"
#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

using catalog::GpuFabricShape;
using fabric::DeviceKind;
using fabric::Technology;

constexpr int kMostLinks = 1024;
constexpr std::size_t kMostSwitches = 256;

// "0000:1B:00.0" and "0000:1b:00.1" are one device to NCCL.
std::string device_key(std::size_t host, std::string_view busid) {
  return std::to_string(host) + '/' + std::string(busid.substr(0, busid.rfind('.')));
}

int sum_of(const std::vector<int>& links) { return std::accumulate(links.begin(), links.end(), 0); }

class LinkAdder {
 public:
  LinkAdder(Sketch& sketch, const std::vector<LinkedGpu>& gpus, const NcclSystem& system, const PartBook& book,
            Remarks& remarks)
      : sketch_(sketch), gpus_(gpus), system_(system), book_(book), remarks_(remarks) {
    for (std::size_t i = 0; i < gpus.size(); ++i) by_bus_.emplace(device_key(gpus[i].host, gpus[i].pci->busid), i);
  }

  GpuLinkResult run() {
    to_switch_.resize(gpus_.size());
    total_.assign(gpus_.size(), 0);
    for (std::size_t i = 0; i < gpus_.size(); ++i) collect(i);
    add_pairs();
    add_switches();
    find_amiss();
    return std::move(result_);
  }

  // A skeleton: the links of the catalog's server with these GPUs.
  GpuLinkResult run_reference() {
    const catalog::ServerPart* server = reference(gpus_.size());
    if (gpus_.size() < 2) return std::move(result_);
    if (server == nullptr || server->shape == GpuFabricShape::none) {
      remarks_.notes.add("the file tells nothing of NVLink, and no server of the catalog has these GPUs with it: none");
    } else if (server->shape == GpuFabricShape::switched) {
      remarks_.assumed.add("NVLink as in " + server->id + ": the file is a skeleton and does not list it");
      std::vector<int> links = server->switch_links;
      const int own = gpus_.front().part->gpu_links;
      if (sum_of(links) != own && own > 0) links = {own};  // a sibling part with fewer links
      for (std::size_t s = 0; s < links.size(); ++s) {
        const std::size_t chip = add_switch(server->nvswitch, "", static_cast<int>(s));
        for (const LinkedGpu& gpu : gpus_) connect_gpu(gpu, chip, links[s]);
      }
      result_.switched = true;
    } else if (server->gpus == static_cast<int>(gpus_.size())) {
      remarks_.assumed.add("GPU links as in " + server->id + ": the file is a skeleton and does not list them");
      for (const catalog::MeshEdge& edge : server->mesh) {
        connect_gpu(gpus_[static_cast<std::size_t>(edge.a)], gpus_[static_cast<std::size_t>(edge.b)].node, edge.links);
      }
    } else {
      remarks_.notes.add("GPU links are left out: the file does not list them, and " + server->id + " has " +
                         std::to_string(server->gpus) + " GPUs, not " + std::to_string(gpus_.size()));
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] const catalog::ServerPart* reference(std::size_t count) const {
    return gpus_.empty() || gpus_.front().part == nullptr ? nullptr : book_.server_with(gpus_.front().part->id, count);
  }

  void collect(std::size_t i) {
    const LinkedGpu& gpu = gpus_[i];
    if (!gpu.pci->gpu) return;
    for (const NcclGpuLink& link : gpu.pci->gpu->links) {
      if (link.count == 0) continue;
      const int count = std::min(link.count, kMostLinks - std::min(total_[i], kMostLinks));
      if (count < link.count) {
        remarks_.notes.add("more than " + std::to_string(kMostLinks) + " links of one GPU: the rest is left out",
                           gpu.pci->busid);
      }
      if (count > 0) add_link(i, link, count);
    }
  }

  void add_link(std::size_t i, const NcclGpuLink& link, int count) {
    const LinkedGpu& gpu = gpus_[i];
    remember_technology(gpu, link);
    if (is_fabric_sentinel(link.target)) {
      to_switch_[i][link.target] += count;
      total_[i] += count;
      return;
    }
    const auto peer = by_bus_.find(device_key(gpu.host, link.target));
    if (peer != by_bus_.end() && peer->second == i) {
      remarks_.notes.add("NVLinks that lead back to the same GPU are left out, as NCCL leaves them out",
                         gpu.pci->busid);
    } else if (peer != by_bus_.end()) {
      pairs_[{i, peer->second}] += count;
      total_[i] += count;
    } else if (link.target_class.starts_with("0x068001")) {
      to_cpu(gpu, count);
    } else if (link.target_class.starts_with("0x068000") || link.target_class.empty()) {
      to_switch_[i][std::to_string(gpu.host) + '/' + link.target] += count;
      total_[i] += count;
    } else {
      remarks_.notes.add(
          "links to a GPU that is not in the file are left out: " + std::to_string(count) + " to " + link.target,
          gpu.pci->busid);
    }
  }

  // POWER9: NVLink between GPU and processor. It carries what C2C carries, and joins no GPUs.
  void to_cpu(const LinkedGpu& gpu, int count) {
    Technology technology = technology_of(gpu);
    technology.id += "-to-cpu";
    technology.link_class = catalog::LinkClass::c2c;
    sketch_.connect(gpu.node, gpu.cpu, technology, count);
  }

  // weft's own files name a technology that is not the GPU part's.
  void remember_technology(const LinkedGpu& gpu, const NcclGpuLink& link) {
    if (link.link.empty()) return;
    if (auto named = fabric::technology_of(book_.catalog(), link.link)) named_[gpu.node] = *named;
  }

  [[nodiscard]] Technology technology_of(const LinkedGpu& gpu) {
    if (const auto named = named_.find(gpu.node); named != named_.end()) return named->second;
    if (gpu.part != nullptr && !gpu.part->gpu_link.empty()) {
      if (auto known = fabric::technology_of(book_.catalog(), gpu.part->gpu_link)) return *known;
    }
    // A part without GPU links in a file that has them: by the architecture.
    const int sm = gpu.pci->gpu ? gpu.pci->gpu->sm.value_or(0) : 0;
    const bool amd = gpu.pci->gpu && !gpu.pci->gpu->gcn.empty();
    const std::string id = amd         ? "xgmi-mi200"
                           : sm >= 100 ? "nvlink5"
                           : sm >= 90  ? "nvlink4"
                           : sm == 86  ? "nvlink3-ga102"
                           : sm >= 80  ? "nvlink3"
                           : sm >= 70  ? "nvlink2"
                                       : "nvlink1";
    remarks_.assumed.add("the GPU links are " + id + ", by the GPU's architecture");
    if (auto known = fabric::technology_of(book_.catalog(), id)) return *known;
    return {"nvlink", catalog::LinkClass::nvlink, Rate::gbyte_per_s(20), Rate::gbyte_per_s(20), Duration(0)};
  }

  void connect_gpu(const LinkedGpu& gpu, std::size_t other, int count) {
    if (count > 0) sketch_.connect(gpu.node, other, technology_of(gpu), count);
  }

  // Both GPUs list a link between them; when they disagree, the smaller figure is what works both ways.
  void add_pairs() {
    for (const auto& [pair, count] : pairs_) {
      const auto back = pairs_.find({pair.second, pair.first});
      if (back == pairs_.end()) {
        remarks_.notes.add("a link between two GPUs is listed by one of them only",
                           gpus_[pair.first].pci->busid + " to " + gpus_[pair.second].pci->busid);
        connect_gpu(gpus_[pair.first], gpus_[pair.second].node, count);
      } else if (pair.first < pair.second) {
        if (back->second != count) {
          remarks_.notes.add("two GPUs list different numbers of links to each other; the smaller one is taken",
                             gpus_[pair.first].pci->busid + ": " + std::to_string(count) + ", " +
                                 gpus_[pair.second].pci->busid + ": " + std::to_string(back->second));
        }
        connect_gpu(gpus_[pair.first], gpus_[pair.second].node, std::min(count, back->second));
      }
    }
  }

  std::size_t add_switch(std::string_view part_id, std::string name, int order) {
    const catalog::SwitchPart* part = book_.switch_part(part_id);
    if (part == nullptr && !gpus_.empty() && gpus_.front().part != nullptr)
      part = book_.nvswitch_for(gpus_.front().part->gpu_link);
    fabric::DeviceModel model;
    if (part != nullptr) model = {part->id, part->latency, Rate(0)};
    return sketch_.add(DeviceKind::nvswitch, model, std::move(name), order);
  }

  // The most links that any GPU has to a switch is what all should have.
  void add_switches() {
    std::map<std::string, int> nominal;
    for (const auto& links : to_switch_) {
      for (const auto& [target, count] : links) {
        if (nominal.size() >= kMostSwitches && !nominal.contains(target)) {
          remarks_.notes.add("more than " + std::to_string(kMostSwitches) + " NVSwitches: the rest is left out");
          continue;
        }
        nominal[target] = std::max(nominal[target], count);
        ++listed_by_[target];
      }
    }
    if (nominal.empty()) return;
    result_.switched = true;
    if (nominal.size() == 1 && is_fabric_sentinel(nominal.begin()->first) && expand_sentinel(nominal.begin()->second))
      return;
    std::map<std::string, std::size_t> chips;
    int order = 0;
    for (const auto& [target, count] : nominal) {
      const std::string bus = target.substr(target.find('/') == std::string::npos ? 0 : target.find('/') + 1);
      const auto own = std::find_if(system_.nvswitches.begin(), system_.nvswitches.end(),
                                    [&](const NcclNvSwitch& s) { return s.busid == bus; });
      chips[target] = add_switch(own == system_.nvswitches.end() ? "" : own->part, bus, order++);
      for (std::size_t i = 0; i < gpus_.size(); ++i) {
        if (reaches(i, target)) connect_gpu(gpus_[i], chips[target], pairs_.empty() ? count : to_switch_[i][target]);
      }
    }
    add_trunks(chips);
  }

  // A GPU should reach the switches that most of its siblings reach; half of them is one of two baseboards.
  [[nodiscard]] bool reaches(std::size_t i, const std::string& target) const {
    if (to_switch_[i].contains(target)) return true;
    const bool everywhere = is_fabric_sentinel(target);
    if (!pairs_.empty() || (!everywhere && !target.starts_with(std::to_string(gpus_[i].host) + '/'))) return false;
    const auto siblings = std::count_if(gpus_.begin(), gpus_.end(),
                                        [&](const LinkedGpu& g) { return everywhere || g.host == gpus_[i].host; });
    return listed_by_.at(target) * 2 > siblings;
  }

  // The sentinel stands for all switches of the fabric; the catalog's server with this GPU says how many.
  bool expand_sentinel(int count) {
    const catalog::ServerPart* server = reference(gpus_.size());
    if (server == nullptr || server->shape != GpuFabricShape::switched) {
      remarks_.assumed.add("the NVLink fabric is one switch: the file does not tell how many there are");
      return false;
    }
    const int sum = sum_of(server->switch_links);
    if (sum != count) {
      remarks_.assumed.add("the NVLink fabric is one switch: the file does not tell how many there are, and " +
                           server->id + " has " + std::to_string(sum) + " links a GPU, not " + std::to_string(count));
      return false;
    }
    remarks_.assumed.add(counted(server->switch_links.size(), "NVSwitch", "NVSwitches") +
                         " behind the NVLink fabric, as in " + server->id +
                         ": the file does not tell how many there are");
    for (std::size_t s = 0; s < server->switch_links.size(); ++s) {
      const std::size_t chip = add_switch(server->nvswitch, "", static_cast<int>(s));
      for (const LinkedGpu& gpu : gpus_) connect_gpu(gpu, chip, server->switch_links[s]);
    }
    return true;
  }

  void add_trunks(const std::map<std::string, std::size_t>& chips) {
    for (const NcclTrunk& trunk : system_.trunks) {
      const auto find = [&](const std::string& bus) {
        return std::find_if(chips.begin(), chips.end(),
                            [&](const auto& c) { return c.first.ends_with(bus) && !bus.empty(); });
      };
      const auto from = find(trunk.from);
      const auto to = find(trunk.to);
      if (from == chips.end() || to == chips.end() || from == to) continue;
      Technology technology = technology_of(gpus_.front());
      if (auto named = fabric::technology_of(book_.catalog(), trunk.link)) technology = *named;
      sketch_.connect(from->second, to->second, technology, trunk.count);
    }
  }

  // A GPU with fewer links than its siblings.
  void find_amiss() {
    const int most = *std::max_element(total_.begin(), total_.end());
    if (most == 0) return;
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      const bool comparable = pairs_.empty() || total_[i] == 0;  // in a mesh GPUs may differ by design
      if (total_[i] < most && comparable) result_.amiss.push_back({gpus_[i].node, total_[i], most});
    }
    const catalog::GpuPart* part = gpus_.front().part;
    if (part != nullptr && part->gpu_links > 0 && pairs_.empty() && most != part->gpu_links) {
      remarks_.notes.add("every GPU lists " + std::to_string(most) + " NVLinks; a " + part->id + " has " +
                         std::to_string(part->gpu_links));
    }
  }

  Sketch& sketch_;
  const std::vector<LinkedGpu>& gpus_;
  const NcclSystem& system_;
  const PartBook& book_;
  Remarks& remarks_;
  std::map<std::string, std::size_t> by_bus_;
  std::vector<std::map<std::string, int>> to_switch_;         // per GPU: switch -> links
  std::map<std::pair<std::size_t, std::size_t>, int> pairs_;  // as listed, both directions
  std::vector<int> total_;                                    // per GPU
  std::map<std::string, std::ptrdiff_t> listed_by_;           // switch -> GPUs that list it
  std::map<std::size_t, Technology> named_;
  GpuLinkResult result_;
};

}  // namespace

bool is_fabric_sentinel(std::string_view target) { return target.starts_with("fffffff:"); }

GpuLinkResult add_gpu_links(Sketch& sketch, const std::vector<LinkedGpu>& gpus, const NcclSystem& system,
                            const PartBook& book, bool skeleton, Remarks& remarks) {
  if (gpus.empty()) return {};
  LinkAdder adder(sketch, gpus, system, book, remarks);
  return skeleton ? adder.run_reference() : adder.run();
}

}  // namespace weft::formats
