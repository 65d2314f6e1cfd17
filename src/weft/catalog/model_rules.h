// What a model shape may be, and what its layer patterns mean.
//
// fault_of() is asked by every reader of shapes (TOML, Hugging Face config.json): ranges, divisibility, and a bound on
// the whole size, so that no later sum over a shape can overflow 64 bits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/catalog/model_shape.h"

namespace weft::catalog {

[[nodiscard]] std::string_view name_of(NumberFormat format);  // "bf16"
[[nodiscard]] std::optional<NumberFormat> number_format_from(std::string_view text);
[[nodiscard]] std::vector<std::string> number_format_names();

// Of layer `layer`, from 0: the rules that model_shape.h states.
[[nodiscard]] bool is_moe_layer(const ModelShape& shape, int layer);
[[nodiscard]] bool is_windowed_layer(const ModelShape& shape, int layer);

// Why no transformer can have this shape; nothing when it can. key is the field's name in TOML ("kv_heads").
struct ShapeFault {
  std::string key;
  std::string message;   // "kv_heads is 7, which does not divide heads (64)"
  std::string expected;  // may be empty
};
[[nodiscard]] std::optional<ShapeFault> fault_of(const ModelShape& shape);

}  // namespace weft::catalog
