#include "weft/catalog/parts.h"

namespace weft::catalog {
namespace {

constexpr std::array<std::string_view, 16> kNames = {
    "on-chip",    "memory", "nvlink", "xgmi", "c2c",       "pcie", "cpu-bus",  "host-memory",
    "infiniband", "roce",   "iwarp",  "efa",  "slingshot", "tcp",  "ethernet", "proprietary"};

}  // namespace

std::string_view name_of(LinkClass link_class) { return kNames[static_cast<std::size_t>(link_class)]; }

std::optional<LinkClass> link_class_from(std::string_view text) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<LinkClass>(i);
  }
  return std::nullopt;
}

bool is_network(LinkClass link_class) {
  switch (link_class) {
    case LinkClass::infiniband:
    case LinkClass::roce:
    case LinkClass::iwarp:
    case LinkClass::efa:
    case LinkClass::slingshot:
    case LinkClass::tcp:
    case LinkClass::ethernet:
      return true;
    default:
      return false;
  }
}

bool is_gpu_fabric(LinkClass link_class) {
  return link_class == LinkClass::nvlink || link_class == LinkClass::xgmi || link_class == LinkClass::proprietary;
}

}  // namespace weft::catalog
