#include "weft/llm/layer_matrices.h"

#include <algorithm>

#include "weft/base/check.h"

namespace weft::llm {

using catalog::AttentionKind;
using catalog::ModelShape;

namespace {

std::int64_t cut(std::int64_t whole, std::int64_t parts) { return (whole + parts - 1) / parts; }

void add_attention(const ModelShape& shape, const Parallelism& parallelism, Matrices& list) {
  const bool quantised = is_quantised(shape, Component::attention);
  const std::int64_t heads = cut(shape.heads, parallelism.tp);
  const auto add = [&](std::int64_t n, std::int64_t k) { list.add({Component::attention, n, k, quantised}); };
  if (shape.attention == AttentionKind::grouped) {
    const std::int64_t kv_heads = std::max(1, shape.kv_heads / parallelism.tp);
    add((heads + 2 * kv_heads) * shape.head_dim, shape.hidden);
    add(shape.hidden, heads * shape.head_dim);
    return;
  }
  const catalog::LatentAttention& latent = shape.latent;
  const std::int64_t key = latent.kv_rank + latent.qk_rope;
  const std::int64_t query = heads * (latent.qk_nope + latent.qk_rope);
  if (latent.q_rank > 0) {
    add(latent.q_rank + key, shape.hidden);
    add(query, latent.q_rank);
  } else {
    add(query + key, shape.hidden);
  }
  add(heads * (latent.qk_nope + latent.v_head), latent.kv_rank);
  add(shape.hidden, heads * latent.v_head);
}

void add_ffn(const ModelShape& shape, Component component, std::int64_t width, Matrices& list) {
  if (width <= 0) return;
  const bool quantised = is_quantised(shape, component);
  list.add({component, (shape.gated_ffn ? 2 : 1) * width, shape.hidden, quantised});
  list.add({component, shape.hidden, width, quantised});
}

}  // namespace

void Matrices::add(const Matrix& matrix) {
  WEFT_CHECK(size_ < kMost, "more matrices in a layer than there is room for");
  list_[size_++] = matrix;
}

Matrices layer_matrices(const ModelShape& shape, const Parallelism& parallelism, bool moe_layer) {
  Matrices list;
  add_attention(shape, parallelism, list);
  if (!moe_layer) {
    add_ffn(shape, Component::ffn, cut(shape.ffn, parallelism.tp), list);
    return list;
  }
  const catalog::MixtureOfExperts& moe = shape.moe;
  list.add({Component::router, moe.experts, shape.hidden, false});
  const std::int64_t shared = moe.shared_ffn > 0 ? moe.shared_ffn : moe.shared_experts * moe.expert_ffn;
  add_ffn(shape, Component::shared_experts, cut(shared, parallelism.tp), list);
  add_ffn(shape, Component::experts, cut(moe.expert_ffn, parallelism.expert_tp()), list);
  return list;
}

Matrix head_matrix(const ModelShape& shape, const Parallelism& parallelism) {
  return {Component::head, cut(shape.vocab, parallelism.tp), shape.hidden, is_quantised(shape, Component::head)};
}

}  // namespace weft::llm
