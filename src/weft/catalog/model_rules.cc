#include "weft/catalog/model_rules.h"

#include <algorithm>

#include "weft/catalog/model_fields.h"

namespace weft::catalog {
namespace {

constexpr double kMostParameters = 1e16;  // 10,000 times the largest model published; sums stay far inside 64 bits

ShapeFault fault(std::string_view key, std::string message, std::string expected = "") {
  return {std::string(key), std::move(message), std::move(expected)};
}

std::optional<ShapeFault> range_fault(const ModelShape& shape) {
  for (const NumberKey& row : number_keys()) {
    const std::int64_t value = row.get(shape);
    if (value >= row.least && value <= row.most) continue;
    return fault(row.key, std::string(row.key) + " is " + std::to_string(value),
                 "a whole number from " + std::to_string(row.least) + " to " + std::to_string(row.most));
  }
  return std::nullopt;
}

std::optional<ShapeFault> format_fault(const ModelShape& shape) {
  const NumberFormat compute = shape.compute;
  const bool computes = compute == NumberFormat::fp32 || compute == NumberFormat::bf16 || compute == NumberFormat::fp16;
  if (computes) return std::nullopt;
  return fault("compute", "compute is " + std::string(name_of(compute)) + ", in which no activations are kept",
               "fp32, bf16 or fp16; quantised matrices are `weights`");
}

std::optional<ShapeFault> attention_fault(const ModelShape& shape) {
  if (shape.attention == AttentionKind::grouped && shape.heads % shape.kv_heads != 0) {
    return fault("kv_heads", "kv_heads is " + std::to_string(shape.kv_heads) + ", which does not divide heads (" +
                                 std::to_string(shape.heads) + ")");
  }
  if (shape.attention == AttentionKind::grouped) return std::nullopt;
  const LatentAttention& latent = shape.latent;
  if (latent.kv_rank < 1) return fault("kv_rank", "latent attention without kv_rank", "1 or more");
  if (latent.v_head < 1) return fault("v_head", "latent attention without v_head", "1 or more");
  return std::nullopt;
}

std::optional<ShapeFault> layer_list_fault(std::string_view key, const std::vector<int>& layers, int most) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const bool ascending = i == 0 || layers[i] > layers[i - 1];
    if (ascending && layers[i] >= 0 && layers[i] < most) continue;
    return fault(key, std::string(key) + " holds " + std::to_string(layers[i]),
                 "layer numbers from 0 to " + std::to_string(most - 1) + ", ascending");
  }
  return std::nullopt;
}

std::optional<ShapeFault> ffn_fault(const ModelShape& shape) {
  const MixtureOfExperts& moe = shape.moe;
  if (moe.experts == 0) {
    if (shape.ffn < 1) return fault("ffn", "ffn is 0 in a dense model", "1 or more");
    return std::nullopt;
  }
  if (moe.experts_per_token < 1 || moe.experts_per_token > moe.experts) {
    return fault("experts_per_token", "experts_per_token is " + std::to_string(moe.experts_per_token),
                 "1 to " + std::to_string(moe.experts) + " (experts)");
  }
  if (moe.expert_ffn < 1) return fault("expert_ffn", "expert_ffn is 0 in a mixture of experts", "1 or more");
  bool any_moe = false;
  bool any_dense = false;
  for (int layer = 0; layer < shape.layers; ++layer) {
    const bool is_moe = is_moe_layer(shape, layer);
    any_moe = any_moe || is_moe;
    any_dense = any_dense || !is_moe;
  }
  if (!any_moe) return fault("leading_dense_layers", "a mixture of experts in which every layer is dense");
  if (any_dense && shape.ffn < 1) return fault("ffn", "ffn is 0, but some layers are dense", "1 or more");
  return std::nullopt;
}

// An upper bound is enough here; the exact count is llm's.
std::optional<ShapeFault> size_fault(const ModelShape& shape) {
  const auto of = [](auto n) { return static_cast<double>(n); };
  const double h = of(shape.hidden);
  const double widest = of(std::max(shape.ffn, std::max(shape.moe.expert_ffn, shape.moe.shared_ffn)));
  const double copies = 1 + of(shape.moe.experts) + of(shape.moe.shared_experts);
  const double ranks = of(shape.latent.q_rank) + of(shape.latent.kv_rank);
  const double head_width = of(shape.head_dim + shape.latent.v_head);
  const double attention = 4 * (h + ranks) * (of(shape.heads) * head_width + ranks);
  const double rows = 2 * of(shape.vocab) + of(shape.learned_positions);
  const double most = of(shape.layers) * (3 * copies * (h + 1) * widest + attention) + rows * h;
  if (most <= kMostParameters) return std::nullopt;
  return fault("layers", "the shape has more than 10^16 parameters");
}

}  // namespace

std::string_view name_of(NumberFormat format) {
  const auto row = std::ranges::find_if(kFormats, [&](const auto& pair) { return pair.first == format; });
  return row == kFormats.end() ? "?" : row->second;
}

std::optional<NumberFormat> number_format_from(std::string_view text) {
  for (const auto& [format, name] : kFormats) {
    if (name == text) return format;
  }
  return std::nullopt;
}

std::vector<std::string> number_format_names() {
  std::vector<std::string> names;
  for (const auto& [format, name] : kFormats) names.emplace_back(name);
  return names;
}

bool is_moe_layer(const ModelShape& shape, int layer) {
  const MixtureOfExperts& moe = shape.moe;
  if (moe.experts == 0 || layer < moe.leading_dense_layers) return false;
  if ((layer - moe.leading_dense_layers) % moe.moe_every != 0) return false;
  return !std::ranges::binary_search(moe.dense_layers, layer);
}

bool is_windowed_layer(const ModelShape& shape, int layer) {
  if (shape.sliding_window == 0 || layer % shape.window_every != 0) return false;
  return !std::ranges::binary_search(shape.full_attention_layers, layer);
}

std::optional<ShapeFault> fault_of(const ModelShape& shape) {
  if (auto found = range_fault(shape)) return found;
  if (auto found = layer_list_fault("dense_layers", shape.moe.dense_layers, shape.layers)) return found;
  if (auto found = layer_list_fault("full_attention_layers", shape.full_attention_layers, shape.layers)) return found;
  if (auto found = format_fault(shape)) return found;
  if (auto found = attention_fault(shape)) return found;
  if (auto found = ffn_fault(shape)) return found;
  return size_fault(shape);
}

}  // namespace weft::catalog
