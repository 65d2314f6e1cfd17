// A part that can be bought, and every figure about it with where that figure comes from.
//
// The catalog is TOML under data/catalog (one file a kind). A figure is a typed value (`line = "25GB/s"`) whose
// provenance is the part's default (`source = "…"`, `basis = "…"`) or its own
// (`latency = { value = "0.6us", source = "…", basis = "measured", note = "…" }`). Sources are ids of
// data/catalog/sources.toml; a source has a usual basis, so that `basis` is seldom spelled out.
// `like = "other-part"` takes over every figure that the part does not state itself, provenance included.
// Which keys a kind has, with type and meaning, stands in one table (catalog/schema.h) that reading and printing share.
// Rates are per direction and per unit of the part (link, lane, port).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weft/catalog/parts.h"
#include "weft/units/units.h"

namespace weft::catalog {

enum class Kind { link, gpu, cpu, nic, network_switch, server, rack, cable };
inline constexpr int kKinds = 8;
[[nodiscard]] std::string_view name_of(Kind kind);  // "link" … "switch" …
[[nodiscard]] std::optional<Kind> kind_from(std::string_view text);

enum class Basis { standard, datasheet, measured, derived, assumed };
[[nodiscard]] std::string_view name_of(Basis basis);
[[nodiscard]] std::optional<Basis> basis_from(std::string_view text);

struct Provenance {
  std::string source;  // id in sources.toml; empty only for assumed figures
  Basis basis = Basis::datasheet;
  std::string note;

  friend bool operator==(const Provenance&, const Provenance&) = default;
};

using Value = std::variant<Rate, Duration, Bytes, std::int64_t, double, bool, std::string, std::vector<std::string>,
                           std::vector<std::int64_t>, std::vector<MeshEdge>, std::vector<PcieGroup>>;

struct Figure {
  std::string key;
  Value value;
  Provenance from;

  friend bool operator==(const Figure&, const Figure&) = default;
};

struct Part {
  Kind kind = Kind::link;
  std::string id;
  std::string title;
  std::vector<std::string> aliases;  // other names it is found by ("pcie5" for pcie5-x16)
  std::vector<Figure> figures;       // in schema order
  std::vector<std::string> caveats;  // where the popular figure is wrong or needs a qualifier

  [[nodiscard]] const Figure* find(std::string_view key) const;

  friend bool operator==(const Part&, const Part&) = default;
};

struct Source {
  std::string id;
  std::string title;      // "NVIDIA H100 Tensor Core GPU datasheet"
  std::string publisher;  // "NVIDIA"
  std::string where;      // page or document number, repository and commit; may be empty
  Basis basis = Basis::datasheet;  // of figures taken from it, unless they say otherwise

  friend bool operator==(const Source&, const Source&) = default;
};

}  // namespace weft::catalog
