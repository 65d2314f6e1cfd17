#include "weft/formats/nic_choice.h"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::formats {
namespace {

std::string maker_by_name(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kMakers = {
      {{"mlx", "15b3"}, {"bnxt", "14e4"}, {"efa", "1d0f"}, {"rdmap", "1d0f"}, {"cxi", "17db"}, {"irdma", "8086"}}};
  for (const auto& [head, maker] : kMakers) {
    if (name.starts_with(head)) return std::string(maker);
  }
  return "";
}

NicQuery query_for(const FoundNic& nic) {
  NicQuery query;
  query.infiniband = nic.infiniband;
  query.speed_mbps = nic.speed_mbps;
  query.ports = static_cast<int>(std::max<std::size_t>(1, nic.ports.size()));
  const NcclPci* pci = nic.pci;
  // Under a virtual machine the PCI device may be a host bridge, whose id says nothing of the adapter.
  if (pci != nullptr && pci->device_class.starts_with("0x02") && !pci->vendor.empty() && !pci->device.empty()) {
    const auto hex = [](const std::string& text) { return text.starts_with("0x") ? text.substr(2) : text; };
    query.pci_id = hex(pci->vendor) + ":" + hex(pci->device);
  } else {
    query.maker = maker_by_name(nic.name());
  }
  return query;
}

}  // namespace

const catalog::NicPart* NicChooser::part(const FoundNic& nic) const {
  if (nic.pci != nullptr && !nic.pci->part.empty()) {
    if (const catalog::NicPart* own = book_.nic(nic.pci->part)) return own;
    if (nic.pci->part == "unknown") return nullptr;
  }
  if (nic.use == NicUse::socket) return nullptr;
  const NicQuery query = query_for(nic);
  const catalog::NicPart* usual_part = usual(query);
  if (const catalog::NicPart* found = book_.nic_for(query)) {
    const bool by_id = !query.pci_id.empty();
    if (by_id && !query.speed_mbps)
      remarks_.assumed.add("adapters are " + found->id + " by PCI id; their rate is not in the file", nic.name());
    if (!by_id)
      remarks_.assumed.add("adapters are " + found->id + " by name and rate; their PCI id is not in the file",
                           nic.name());
    return found;
  }
  const bool unknown_rate = !query.speed_mbps;
  if (unknown_rate && usual_part != nullptr) {
    remarks_.assumed.add("adapters are " + usual_part->id + ": the file does not tell, these are usual with such GPUs",
                         nic.name());
    return usual_part;
  }
  remarks_.assumed.add("adapters that the catalog does not know" +
                           (unknown_rate ? std::string() : ", " + std::to_string(*query.speed_mbps / 1000) + " Gb/s"),
                       nic.name());
  return nullptr;
}

const catalog::NicPart* NicChooser::usual(const NicQuery& query) const {
  const catalog::NicPart* usual = server_ == nullptr ? nullptr : book_.nic(server_->nic);
  if (usual == nullptr || !query.infiniband) return usual;
  const catalog::LinkPart* port = book_.link(usual->network_link);
  if (port != nullptr && (port->link_class == catalog::LinkClass::infiniband) == *query.infiniband) return usual;
  NicQuery same_rate;
  same_rate.maker = "15b3";
  same_rate.infiniband = query.infiniband;
  same_rate.speed_mbps = book_.nic_rate(*usual).count() / 1'000'000;
  return book_.nic_for(same_rate);
}

}  // namespace weft::formats
