#include "weft/llm/tensors.h"

#include <array>
#include <utility>

namespace weft::llm {

using catalog::AttentionKind;
using catalog::LatentAttention;
using catalog::MixtureOfExperts;
using catalog::ModelShape;
using catalog::NumberFormat;
using catalog::Quantised;

namespace {

constexpr std::array<std::string_view, kComponents> kComponentNames = {
    "embedding", "positions", "attention", "ffn", "experts", "shared experts", "router", "norms", "head"};

// Collects tensors; drops those of no parameters.
class List {
 public:
  explicit List(const ModelShape& shape) : shape_(shape) {}

  void matrix(std::string_view name, Component component, std::int64_t parameters, Division division) {
    add({name, component, parameters, division, true, is_quantised(shape_, component)});
  }
  void vector(std::string_view name, Component component, std::int64_t parameters, Division division) {
    add({name, component, parameters, division, false, false});
  }
  std::vector<Tensor> take() { return std::move(tensors_); }

 private:
  void add(const Tensor& tensor) {
    if (tensor.parameters > 0) tensors_.push_back(tensor);
  }

  const ModelShape& shape_;
  std::vector<Tensor> tensors_;
};

std::int64_t norm_size(const ModelShape& shape) { return shape.hidden * (shape.norm_bias ? 2 : 1); }

void add_grouped_attention(const ModelShape& shape, List& list) {
  const std::int64_t q_width = shape.heads * shape.head_dim;
  const std::int64_t kv_width = shape.kv_heads * shape.head_dim;
  list.matrix("q_proj", Component::attention, shape.hidden * q_width, Division::columns);
  list.matrix("k_proj", Component::attention, shape.hidden * kv_width, Division::kv_heads);
  list.matrix("v_proj", Component::attention, shape.hidden * kv_width, Division::kv_heads);
  list.matrix("o_proj", Component::attention, q_width * shape.hidden, Division::columns);
  if (shape.attention_bias) {
    list.vector("q_proj bias", Component::attention, q_width, Division::columns);
    list.vector("k_proj and v_proj bias", Component::attention, 2 * kv_width, Division::kv_heads);
  }
  if (shape.qk_norm) list.vector("q_norm and k_norm", Component::norms, 2 * shape.head_dim, Division::replicated);
}

void add_latent_attention(const ModelShape& shape, List& list) {
  const LatentAttention& latent = shape.latent;
  const std::int64_t q_width = shape.heads * (latent.qk_nope + latent.qk_rope);
  const std::int64_t kv_width = shape.heads * (latent.qk_nope + latent.v_head);
  if (latent.q_rank > 0) {
    list.matrix("q_a_proj", Component::attention, shape.hidden * latent.q_rank, Division::replicated);
    list.vector("q_a_layernorm", Component::norms, latent.q_rank, Division::replicated);
    list.matrix("q_b_proj", Component::attention, latent.q_rank * q_width, Division::columns);
  } else {
    list.matrix("q_proj", Component::attention, shape.hidden * q_width, Division::columns);
  }
  list.matrix("kv_a_proj", Component::attention, shape.hidden * (latent.kv_rank + latent.qk_rope),
              Division::replicated);
  list.vector("kv_a_layernorm", Component::norms, latent.kv_rank, Division::replicated);
  list.matrix("kv_b_proj", Component::attention, latent.kv_rank * kv_width, Division::columns);
  list.matrix("o_proj", Component::attention, shape.heads * latent.v_head * shape.hidden, Division::columns);
}

// `copies` feed-forward blocks of one width.
void add_ffn(const ModelShape& shape, Component component, std::int64_t copies, std::int64_t width, Division division,
             List& list) {
  const std::int64_t up_matrices = shape.gated_ffn ? 2 : 1;
  list.matrix("up_proj", component, copies * up_matrices * shape.hidden * width, division);
  list.matrix("down_proj", component, copies * width * shape.hidden, division);
  if (!shape.ffn_bias) return;
  list.vector("up_proj bias", component, copies * up_matrices * width, division);
  const Division down = division == Division::experts ? Division::experts : Division::replicated;
  list.vector("down_proj bias", component, copies * shape.hidden, down);
}

void add_experts(const ModelShape& shape, List& list) {
  const MixtureOfExperts& moe = shape.moe;
  list.matrix("router", Component::router, shape.hidden * moe.experts, Division::replicated);
  if (shape.router_bias) list.vector("router bias", Component::router, moe.experts, Division::replicated);
  add_ffn(shape, Component::experts, moe.experts, moe.expert_ffn, Division::experts, list);
  const std::int64_t shared = moe.shared_ffn > 0 ? moe.shared_ffn : moe.shared_experts * moe.expert_ffn;
  if (shared > 0) add_ffn(shape, Component::shared_experts, 1, shared, Division::columns, list);
  if (moe.shared_gate) list.matrix("shared_expert_gate", Component::router, shape.hidden, Division::replicated);
}

}  // namespace

bool is_quantised(const ModelShape& shape, Component component) {
  if (shape.weights == shape.compute) return false;
  switch (component) {
    case Component::experts:
      return true;
    case Component::ffn:
    case Component::shared_experts:
      return shape.quantised != Quantised::experts;
    case Component::attention:
      return shape.quantised == Quantised::all;
    case Component::head:
      return shape.head_quantised;
    case Component::embedding:
    case Component::positions:
    case Component::router:
    case Component::norms:
      return false;
  }
  return false;
}

std::string_view name_of(Component component) { return kComponentNames[static_cast<std::size_t>(component)]; }

std::vector<Tensor> layer_tensors(const ModelShape& shape, bool moe_layer) {
  List list(shape);
  if (shape.attention == AttentionKind::latent) {
    add_latent_attention(shape, list);
  } else {
    add_grouped_attention(shape, list);
  }
  if (shape.attention_out_bias) list.vector("o_proj bias", Component::attention, shape.hidden, Division::replicated);
  if (shape.attention_sinks) list.vector("sinks", Component::attention, shape.heads, Division::columns);
  if (moe_layer) {
    add_experts(shape, list);
  } else {
    add_ffn(shape, Component::ffn, 1, shape.ffn, Division::columns, list);
  }
  list.vector("norms", Component::norms, shape.norms_per_layer * norm_size(shape), Division::replicated);
  return list.take();
}

std::vector<Tensor> embedding_tensors(const ModelShape& shape) {
  List list(shape);
  list.vector("embed_tokens", Component::embedding, shape.vocab * shape.hidden, Division::columns);
  list.vector("positions", Component::positions, shape.learned_positions * shape.hidden, Division::replicated);
  return list.take();
}

std::vector<Tensor> head_tensors(const ModelShape& shape) {
  List list(shape);
  list.vector("norm", Component::norms, norm_size(shape), Division::replicated);
  list.matrix("lm_head", Component::head, shape.vocab * shape.hidden, Division::columns);
  return list.take();
}

}  // namespace weft::llm
