#include "weft/formats/nccl_pci.h"

#include <algorithm>

#include "weft/base/printable.h"
#include "weft/fabric/server.h"
#include "weft/formats/fields.h"
#include "weft/formats/pcie_speed.h"

namespace weft::formats {

using fabric::Technology;

int broadcom_generation(const NcclPci& pci, int level) {
  const auto subdevice = parse_hex(pci.subsystem_device).value_or(0);
  if (pci.vendor != "0x1000" || pci.subsystem_vendor != "0x1000") return 0;
  if (pci.device == "0xc010" && (subdevice & 0xf000U) == 0xa000U) return 4;
  if (pci.device == "0xc030" && (subdevice & 0xf000U) == (level == 0 ? 0U : 0x1000U)) return 5;
  return 0;
}

bool has_end_point(const NcclPci& pci) {
  const PciRole role = role_of(pci);
  if (role == PciRole::gpu || role == PciRole::nic || !pci.nics.empty()) return true;
  return std::any_of(pci.children.begin(), pci.children.end(), has_end_point);
}

struct PciLinks::Stated {
  PcieSpeed speed;
  int generation = 3;
  int lanes = 16;
};

PciLinks::Stated PciLinks::stated(const NcclPci& pci) const {
  Stated link;
  link.speed = parse_pcie_speed(pci.link_speed.value_or(""));
  link.generation = link.speed.generation.value_or(3);
  link.lanes = pci.link_width.value_or(0) > 0 ? *pci.link_width : 16;
  if (!link.speed.generation) {
    remarks_.assumed.add("no PCIe speed in the file: generation 3, as NCCL takes it", pci.busid);
  } else if (!link.speed.known_to_nccl) {
    remarks_.notes.add("NCCL does not know this spelling and plans with generation 3: " + in_quotes(*pci.link_speed),
                       pci.busid);
  }
  if (pci.link_width.value_or(0) == 0)
    remarks_.assumed.add("no PCIe width in the file: 16 lanes, as NCCL takes it", pci.busid);
  return link;
}

std::optional<Technology> PciLinks::own(const NcclPci& pci) const {
  if (pci.link.empty()) return std::nullopt;
  auto known = fabric::technology_of(catalog_, pci.link);
  return known ? std::optional<Technology>(*known) : std::nullopt;
}

Technology PciLinks::of_bridge(const NcclPci& pci) const {
  if (auto named = own(pci)) return *named;
  const Stated link = stated(pci);
  const Rate rate = pcie_technology(catalog_, link.generation, link.lanes).line;
  for (const NcclPci& child : pci.children) {
    if (!has_end_point(child) || !child.link_speed) continue;
    const PcieSpeed speed = parse_pcie_speed(*child.link_speed);
    if (!speed.generation) continue;
    const Rate below = pcie_technology(catalog_, *speed.generation, std::max(1, child.link_width.value_or(16))).line;
    if (rate * 2 > below) continue;
    remarks_.notes.add(
        "a PCIe bridge states less than half the rate of what hangs below it: NCCL believes it, and so does this; "
        "check it",
        pci.busid + " at " + pci.link_speed.value_or("no speed").substr(0, 20) + " x" + std::to_string(link.lanes));
    break;
  }
  return pcie_technology(catalog_, link.generation, link.lanes);
}

Technology PciLinks::of_gpu(const NcclPci& pci, const catalog::GpuPart& part) const {
  if (auto named = own(pci)) return *named;
  const Stated link = stated(pci);
  const std::optional<PcieShape> nominal = pcie_shape(part.host_link);
  if (link.speed.generation == 1 && nominal && nominal->generation > 1) {
    remarks_.assumed.add("GPUs at 2.5 GT/s are idle and save power: taken at generation " +
                             std::to_string(nominal->generation) + " of " + part.id,
                         pci.busid);
    return pcie_technology(catalog_, nominal->generation, link.lanes);
  }
  return pcie_technology(catalog_, link.generation, link.lanes);
}

Technology PciLinks::of_nic(const NcclPci& pci) const {
  if (auto named = own(pci)) return *named;
  const Stated link = stated(pci);
  return pcie_technology(catalog_, link.generation, link.lanes);
}

Technology PciLinks::c2c(const NcclPci& pci, const catalog::GpuPart& part) const {
  std::int64_t megabytes = 0;
  for (const NcclC2c& c2c : pci.gpu->c2c) megabytes += c2c.bandwidth * c2c.count;
  if (auto usual = fabric::technology_of(catalog_, part.host_link);
      usual && usual->link_class == catalog::LinkClass::c2c) {
    const double ratio =
        static_cast<double>(megabytes) * 8e6 / static_cast<double>(std::max<std::int64_t>(1, usual->line.count()));
    if (megabytes == 0 || (ratio > 0.75 && ratio < 1.33)) return *usual;
  }
  const Rate rate = Rate::bits_per_s(megabytes > 0 ? megabytes * 8'000'000 : 1'000'000'000);
  return {"c2c-" + std::to_string(megabytes) + "MB", catalog::LinkClass::c2c, rate, rate, Duration::nanoseconds(200)};
}

}  // namespace weft::formats
