#include "weft/formats/pcie_speed.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "weft/fabric/server.h"
#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

struct Generation {
  int number;
  double gigatransfers;
  std::string_view text;
  double lane_gbits;  // after line coding
};

constexpr std::array<Generation, 7> kGenerations = {{
    {1, 2.5, "2.5 GT/s PCIe", 2.0},
    {2, 5.0, "5.0 GT/s PCIe", 4.0},
    {3, 8.0, "8.0 GT/s PCIe", 8.0 * 128 / 130},
    {4, 16.0, "16.0 GT/s PCIe", 16.0 * 128 / 130},
    {5, 32.0, "32.0 GT/s PCIe", 32.0 * 128 / 130},
    {6, 64.0, "64.0 GT/s PCIe", 64.0 * 242 / 256},
    {7, 128.0, "128.0 GT/s PCIe", 128.0 * 242 / 256},
}};

// NCCL compares the beginning of the text with these, in this order.
constexpr std::array<std::string_view, 11> kKnownToNccl = {
    "2.5 GT/s",      "5 GT/s",        "8 GT/s",         "16 GT/s",        "32 GT/s",       "2.5 GT/s PCIe",
    "5.0 GT/s PCIe", "8.0 GT/s PCIe", "16.0 GT/s PCIe", "32.0 GT/s PCIe", "64.0 GT/s PCIe"};

fabric::Technology derived(const catalog::Catalog& catalog, int generation, int lanes) {
  const Generation& g = kGenerations[static_cast<std::size_t>(generation - 1)];
  fabric::Technology made;
  made.id = "pcie" + std::to_string(generation) + "-x" + std::to_string(lanes);
  made.link_class = catalog::LinkClass::pcie;
  made.line = Rate::bits_per_s(static_cast<std::int64_t>(g.lane_gbits * 1e9)) * lanes;
  made.goodput = made.line;
  // Headers and credits take a share that hardly depends on the generation.
  if (const auto third = fabric::technology_of(catalog, "pcie3-x16")) {
    made.goodput = made.line.scaled(third->goodput / third->line);
    made.latency = third->latency;
  }
  return made;
}

}  // namespace

PcieSpeed parse_pcie_speed(std::string_view text) {
  PcieSpeed speed;
  text = trim(text);
  for (const std::string_view known : kKnownToNccl) {
    if (text.starts_with(known)) speed.known_to_nccl = true;
  }
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view unit = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  if (problem != std::errc() || !unit.starts_with("GT/s")) return speed;
  for (const Generation& g : kGenerations) {
    if (value == g.gigatransfers) speed.generation = g.number;
  }
  return speed;
}

std::string_view pcie_speed_text(int generation) {
  return kGenerations[static_cast<std::size_t>(std::clamp(generation, 1, 7) - 1)].text;
}

std::optional<PcieShape> pcie_shape(std::string_view id) {
  if (!id.starts_with("pcie") || id.size() < 7 || id[5] != '-' || id[6] != 'x') return std::nullopt;
  const auto generation = parse_whole(id.substr(4, 1));
  const auto lanes = parse_whole(id.substr(7));
  if (!generation || !lanes || *generation < 1 || *generation > 7 || *lanes < 1 || *lanes > 32) return std::nullopt;
  return PcieShape{static_cast<int>(*generation), static_cast<int>(*lanes)};
}

fabric::Technology pcie_technology(const catalog::Catalog& catalog, int generation, int lanes) {
  generation = std::clamp(generation, 1, 7);
  lanes = std::clamp(lanes, 1, 32);
  const std::string head = "pcie" + std::to_string(generation) + "-x";
  if (auto exact = fabric::technology_of(catalog, head + std::to_string(lanes))) return *exact;
  if (auto slot = fabric::technology_of(catalog, head + "16")) {
    slot->id = head + std::to_string(lanes);
    slot->line = slot->line * lanes / 16;
    slot->goodput = slot->goodput * lanes / 16;
    return *slot;
  }
  return derived(catalog, generation, lanes);
}

}  // namespace weft::formats
