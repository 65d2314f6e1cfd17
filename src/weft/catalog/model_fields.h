// The fields of a ModelShape by their TOML keys, with what each may be. Private to the room: the reader of TOML
// (models.cc) and the rules of shapes (model_rules.cc) go through this one table.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/catalog/model_shape.h"

namespace weft::catalog {

inline constexpr auto kFormats = std::to_array<std::pair<NumberFormat, std::string_view>>({
    {NumberFormat::fp32, "fp32"},
    {NumberFormat::bf16, "bf16"},
    {NumberFormat::fp16, "fp16"},
    {NumberFormat::fp8, "fp8"},
    {NumberFormat::int8, "int8"},
    {NumberFormat::int4, "int4"},
    {NumberFormat::nvfp4, "nvfp4"},
    {NumberFormat::mxfp4, "mxfp4"},
});

inline constexpr auto kQuantised = std::to_array<std::pair<Quantised, std::string_view>>({
    {Quantised::all, "all"},
    {Quantised::ffn, "ffn"},
    {Quantised::experts, "experts"},
});

enum class ModelTable { model, moe, latent };

// A field that holds a whole number, and how to reach it. set() keeps a value that does not fit an int field as the
// largest int, so that the range check still sees it as too large.
struct NumberKey {
  ModelTable table;
  std::string_view key;
  std::int64_t least;
  std::int64_t most;
  std::int64_t (*get)(const ModelShape&);
  void (*set)(ModelShape&, std::int64_t);
};
[[nodiscard]] std::span<const NumberKey> number_keys();

template <class T>
struct Field {
  std::string_view key;
  T ModelShape::*member;
};

inline constexpr auto kFlags = std::to_array<Field<bool>>({
    {"gated_ffn", &ModelShape::gated_ffn},
    {"tied_embeddings", &ModelShape::tied_embeddings},
    {"attention_bias", &ModelShape::attention_bias},
    {"attention_out_bias", &ModelShape::attention_out_bias},
    {"ffn_bias", &ModelShape::ffn_bias},
    {"qk_norm", &ModelShape::qk_norm},
    {"norm_bias", &ModelShape::norm_bias},
    {"parallel_block", &ModelShape::parallel_block},
    {"attention_sinks", &ModelShape::attention_sinks},
    {"router_bias", &ModelShape::router_bias},
    {"head_quantised", &ModelShape::head_quantised},
    {"parameters_rounded", &ModelShape::published_rounded},
});
inline constexpr auto kTexts = std::to_array<Field<std::string>>({
    {"id", &ModelShape::id},
    {"title", &ModelShape::title},
    {"architecture", &ModelShape::architecture},
    {"source", &ModelShape::source},
    {"parameters_source", &ModelShape::published_source},
});
inline constexpr auto kFormatFields = std::to_array<Field<NumberFormat>>({
    {"compute", &ModelShape::compute},
    {"weights", &ModelShape::weights},
    {"kv_cache", &ModelShape::kv_cache},
});

// Every key that a table of TOML may hold, for did-you-mean.
[[nodiscard]] std::vector<std::string> keys_of(ModelTable table);

}  // namespace weft::catalog
