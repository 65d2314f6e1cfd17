// The one table of what can be said about a part: kind, key, type, meaning.
//
// Reading (read_parts) accepts exactly these keys; printing (views) takes units from here, an error says the meaning of a
// key that is missing. Every kind also has title, aliases, source, basis, note, caveats and like, which describe the
// part rather than state a figure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/catalog/part.h"

namespace weft::catalog {

// In the order of the alternatives of Value.
enum class ValueType { rate, duration, bytes, integer, number, boolean, text, texts, integers, mesh, pcie_groups };
[[nodiscard]] std::string_view name_of(ValueType type);     // "rate", "whole number", …
[[nodiscard]] std::string_view example_of(ValueType type);  // "a rate such as \"25GB/s\" …"

struct SchemaKey {
  Kind kind;
  std::string_view key;
  ValueType type;
  bool required;
  std::string_view unit;  // how numbers are printed: "TFLOP/s", "W"; rates: "b" in Gb/s, "B" in GB/s
  std::string_view meaning;
  std::optional<Kind> refers = std::nullopt;  // the text is the id of a part of this kind
  bool judgement = false;                     // an assessment, not a figure: needs no source of its own
};

[[nodiscard]] std::span<const SchemaKey> schema();
[[nodiscard]] std::span<const SchemaKey> schema(Kind kind);
[[nodiscard]] const SchemaKey* find_key(Kind kind, std::string_view key);
[[nodiscard]] std::vector<std::string> keys_of(Kind kind);

// The value as a person reads it: "26.56 GB/s", "18", "yes", "gpu0-gpu1 x2".
[[nodiscard]] std::string to_text(const SchemaKey& key, const Value& value);

}  // namespace weft::catalog
