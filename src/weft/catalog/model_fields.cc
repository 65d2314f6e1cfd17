#include "weft/catalog/model_fields.h"

#include <algorithm>
#include <limits>

namespace weft::catalog {
namespace {

template <class T>
void store(T& field, std::int64_t value) {
  constexpr std::int64_t kLeast = std::numeric_limits<T>::min();
  constexpr std::int64_t kMost = std::numeric_limits<T>::max();
  field = static_cast<T>(std::clamp(value, kLeast, kMost));
}

#define WEFT_NUMBER(table, key, least, most, field)                                                              \
  NumberKey {                                                                                                    \
    ModelTable::table, key, least, most, [](const ModelShape& s) { return static_cast<std::int64_t>(s.field); }, \
        [](ModelShape& s, std::int64_t value) { store(s.field, value); }                                         \
  }

constexpr auto kNumbers = std::to_array<NumberKey>({
    WEFT_NUMBER(model, "layers", 1, 10'000, layers),
    WEFT_NUMBER(model, "hidden", 1, 1 << 22, hidden),
    WEFT_NUMBER(model, "heads", 1, 1 << 16, heads),
    WEFT_NUMBER(model, "kv_heads", 1, 1 << 16, kv_heads),
    WEFT_NUMBER(model, "head_dim", 1, 1 << 16, head_dim),
    WEFT_NUMBER(model, "ffn", 0, 1 << 26, ffn),
    WEFT_NUMBER(model, "vocab", 1, 1 << 27, vocab),
    WEFT_NUMBER(model, "norms_per_layer", 0, 8, norms_per_layer),
    WEFT_NUMBER(model, "learned_positions", 0, std::int64_t{1} << 40, learned_positions),
    WEFT_NUMBER(model, "context", 0, std::int64_t{1} << 40, context),
    WEFT_NUMBER(model, "sliding_window", 0, std::int64_t{1} << 40, sliding_window),
    WEFT_NUMBER(model, "window_every", 1, 10'000, window_every),
    WEFT_NUMBER(model, "weight_group", 0, std::int64_t{1} << 32, weight_group),
    WEFT_NUMBER(model, "weight_scale_bits", 0, 128, weight_scale_bits),
    WEFT_NUMBER(model, "parameters", 0, std::int64_t{1} << 60, published_parameters),
    WEFT_NUMBER(model, "active_parameters", 0, std::int64_t{1} << 60, published_active_parameters),
    WEFT_NUMBER(moe, "experts", 0, 1 << 16, moe.experts),
    WEFT_NUMBER(moe, "experts_per_token", 0, 1 << 16, moe.experts_per_token),
    WEFT_NUMBER(moe, "shared_experts", 0, 1 << 16, moe.shared_experts),
    WEFT_NUMBER(moe, "expert_ffn", 0, 1 << 26, moe.expert_ffn),
    WEFT_NUMBER(moe, "shared_ffn", 0, 1 << 26, moe.shared_ffn),
    WEFT_NUMBER(moe, "leading_dense_layers", 0, 10'000, moe.leading_dense_layers),
    WEFT_NUMBER(moe, "moe_every", 1, 10'000, moe.moe_every),
    WEFT_NUMBER(latent, "q_rank", 0, 1 << 22, latent.q_rank),
    WEFT_NUMBER(latent, "kv_rank", 0, 1 << 22, latent.kv_rank),
    WEFT_NUMBER(latent, "qk_nope", 0, 1 << 16, latent.qk_nope),
    WEFT_NUMBER(latent, "qk_rope", 0, 1 << 16, latent.qk_rope),
    WEFT_NUMBER(latent, "v_head", 0, 1 << 16, latent.v_head),
});
#undef WEFT_NUMBER

}  // namespace

std::span<const NumberKey> number_keys() { return kNumbers; }

std::vector<std::string> keys_of(ModelTable table) {
  std::vector<std::string> keys;
  for (const NumberKey& row : kNumbers) {
    if (row.table == table) keys.emplace_back(row.key);
  }
  if (table == ModelTable::moe) {
    keys.insert(keys.end(), {"dense_layers", "shared_gate"});
  } else if (table == ModelTable::model) {
    for (const auto& row : kTexts) keys.emplace_back(row.key);
    for (const auto& row : kFlags) keys.emplace_back(row.key);
    for (const auto& row : kFormatFields) keys.emplace_back(row.key);
    keys.insert(keys.end(), {"aliases", "full_attention_layers", "quantised", "moe", "latent"});
  }
  return keys;
}

}  // namespace weft::catalog
