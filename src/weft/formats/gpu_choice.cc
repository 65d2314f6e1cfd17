#include "weft/formats/gpu_choice.h"

#include "weft/base/check.h"
#include "weft/formats/fields.h"
#include "weft/formats/pcie_speed.h"

namespace weft::formats {

GpuChooser::GpuChooser(const PartBook& book, std::string_view named, const std::vector<const NcclPci*>& gpus,
                       Remarks& remarks)
    : book_(book), named_(named), count_(gpus.size()), remarks_(remarks) {
  WEFT_CHECK(!book.gpus().empty(), "a catalog without GPUs");
  for (const NcclPci* pci : gpus) has_links_ = has_links_ || (pci->gpu && !pci->gpu->links.empty());
}

const catalog::GpuPart& GpuChooser::part(const NcclPci& pci) {
  const int sm = pci.gpu ? pci.gpu->sm.value_or(0) : 0;
  const std::string gcn = pci.gpu ? pci.gpu->gcn : "";
  const std::string kind = pci.part + '|' + pci.vendor + '|' + pci.device + '|' + std::to_string(sm) + '|' + gcn + '|' +
                           pci.link_speed.value_or("");
  if (const auto known = by_kind_.find(kind); known != by_kind_.end()) return *known->second;

  const catalog::GpuPart* found = book_.gpu(pci.part);
  const catalog::GpuPart* named = named_.empty() ? nullptr : book_.gpu(named_);
  const bool has_id = !pci.vendor.empty() && !pci.device.empty();
  if (found == nullptr && has_id) found = book_.gpu_by_pci(pci.vendor, pci.device);
  if (found != nullptr && named != nullptr && found != named) {
    remarks_.notes.add("the file's GPU is " + found->id + " by its PCI id; " + named->id + " as named is not used");
  }
  if (found == nullptr) found = named;
  if (found == nullptr) {
    std::string why;
    found = guess(pci, why);
    const std::string which = has_id ? "PCI id " + pci.vendor + " " + pci.device + " is not in the catalog"
                                     : "the file does not name the GPU";
    remarks_.assumed.add("the GPU is " + found->id + " (" + which + "; " + why + "); name it with --gpu");
  }
  by_kind_[kind] = found;
  return *found;
}

const catalog::GpuPart* GpuChooser::guess(const NcclPci& pci, std::string& why) const {
  const int sm = pci.gpu ? pci.gpu->sm.value_or(0) : 0;
  const std::string gcn = pci.gpu ? pci.gpu->gcn : "";
  if (!gcn.empty() || sm > 0) {
    if (const catalog::GpuPart* near = book_.gpu_by_architecture(sm, gcn, count_, has_links_)) {
      why = gcn.empty() ? "compute capability " + std::to_string(sm / 10) + "." + std::to_string(sm % 10)
                        : "architecture " + gcn;
      return near;
    }
  }
  // Nothing but the PCIe generation and the number of GPUs to go by.
  const int generation = parse_pcie_speed(pci.link_speed.value_or("")).generation.value_or(0);
  const bool board = count_ >= 4;
  const char* id = generation >= 6   ? "b300-sxm"
                   : generation == 5 ? (board ? "h100-sxm5" : "h100-pcie")
                   : generation == 4 ? (board ? "a100-sxm4-80" : "a100-pcie-80")
                   : generation == 3 ? (board ? "v100-sxm2" : "v100-pcie")
                                     : "a100-pcie-80";
  why = generation > 0 ? counted(count_, "GPU") + " on PCIe " + std::to_string(generation) : "nothing tells";
  const catalog::GpuPart* usual = book_.gpu(id);
  return usual != nullptr ? usual : &book_.gpus().front();
}

}  // namespace weft::formats
