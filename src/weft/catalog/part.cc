#include "weft/catalog/part.h"

#include <array>

namespace weft::catalog {
namespace {

constexpr std::array<std::string_view, kKinds> kKindNames = {"link",   "gpu",    "cpu",  "nic",
                                                             "switch", "server", "rack", "cable"};
constexpr std::array<std::string_view, 5> kBasisNames = {"standard", "datasheet", "measured", "derived", "assumed"};

template <class Enum, std::size_t N>
std::optional<Enum> from_name(const std::array<std::string_view, N>& names, std::string_view text) {
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }
std::string_view name_of(Basis basis) { return kBasisNames[static_cast<std::size_t>(basis)]; }
std::optional<Kind> kind_from(std::string_view text) { return from_name<Kind>(kKindNames, text); }
std::optional<Basis> basis_from(std::string_view text) { return from_name<Basis>(kBasisNames, text); }

const Figure* Part::find(std::string_view key) const {
  for (const Figure& figure : figures) {
    if (figure.key == key) return &figure;
  }
  return nullptr;
}

}  // namespace weft::catalog
