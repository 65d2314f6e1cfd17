#include "weft/llm/memory.h"

#include <algorithm>

#include "weft/llm/precision.h"

namespace weft::llm {

using catalog::AttentionKind;
using catalog::ModelShape;

namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t kv_heads_per_gpu(const ModelShape& shape, int tp) { return std::max(1, shape.kv_heads / tp); }

void add(WeightBytes& weights, const ModelShape& shape, const Parallelism& parallelism,
         const std::vector<Tensor>& tensors, std::int64_t times) {
  for (const Tensor& tensor : tensors) {
    weights.of[static_cast<std::size_t>(tensor.component)] += bytes_per_gpu(shape, parallelism, tensor) * times;
  }
}

// Numbers a token of the pass keeps alive in the widest part of a layer.
double widest_activation(const ModelShape& shape, const Parallelism& parallelism) {
  const double tp = parallelism.tp;
  const auto of = [](auto n) { return static_cast<double>(n); };
  const double kv = of(kv_heads_per_gpu(shape, parallelism.tp) * shape.head_dim);
  const double heads = of(shape.heads) / tp;
  const double attention = 2 * heads * of(shape.head_dim) + 2 * kv;
  const double ffn_copies = shape.gated_ffn ? 3 : 2;
  const bool any_dense = layer_mix(shape, whole_model(shape)).dense > 0;
  const double ffn = any_dense ? ffn_copies * of(shape.ffn) / tp : 0;
  if (shape.moe.experts == 0) return std::max(attention, ffn);
  const double outputs = of(shape.hidden) / of(std::min(parallelism.tp, parallelism.ep));
  const double experts = of(shape.moe.experts_per_token) * (ffn_copies * of(shape.moe.expert_ffn) / tp + outputs);
  return std::max({attention, ffn, experts});
}

}  // namespace

Bytes WeightBytes::total() const {
  Bytes sum;
  for (const Bytes bytes : of) sum += bytes;
  return sum;
}

std::int64_t parameters_per_gpu(const ModelShape& shape, const Parallelism& parallelism, const Tensor& tensor) {
  switch (tensor.division) {
    case Division::replicated:
      return tensor.parameters;
    case Division::columns:
      return ceil_div(tensor.parameters, parallelism.tp);
    case Division::kv_heads:
      return tensor.parameters / shape.kv_heads * kv_heads_per_gpu(shape, parallelism.tp);
    case Division::experts: {
      const std::int64_t one = tensor.parameters / shape.moe.experts;
      return ceil_div(shape.moe.experts, parallelism.ep) * ceil_div(one, parallelism.expert_tp());
    }
  }
  return tensor.parameters;
}

Bytes bytes_per_gpu(const ModelShape& shape, const Parallelism& parallelism, const Tensor& tensor) {
  const StoredFormat format = tensor.quantised ? quantised_format(shape) : plain(shape.compute);
  return format.bytes(parameters_per_gpu(shape, parallelism, tensor));
}

WeightBytes stage_weights(const Anatomy& anatomy, const Parallelism& parallelism, int index) {
  const ModelShape& shape = anatomy.shape();
  const Stage stage = pipeline_stage(shape, parallelism.pp, index);
  const LayerMix mix = anatomy.mix(stage);
  WeightBytes weights;
  if (mix.dense > 0) add(weights, shape, parallelism, anatomy.layer(false), mix.dense);
  if (mix.moe > 0) add(weights, shape, parallelism, anatomy.layer(true), mix.moe);
  if (stage.has_embedding) add(weights, shape, parallelism, anatomy.embedding(), 1);
  if (stage.has_head) add(weights, shape, parallelism, anatomy.head(), 1);
  const bool one_table = shape.tied_embeddings && stage.has_embedding && stage.has_head;
  if (one_table) weights.of[static_cast<std::size_t>(Component::head)] = Bytes(0);
  return weights;
}

WeightBytes stage_weights(const ModelShape& shape, const Parallelism& parallelism, int index) {
  return stage_weights(Anatomy(shape), parallelism, index);
}

Bytes kv_bytes_per_token_and_layer(const ModelShape& shape, int tp) {
  const bool latent = shape.attention == AttentionKind::latent;
  const std::int64_t numbers =
      latent ? shape.latent.kv_rank + shape.latent.qk_rope : 2 * kv_heads_per_gpu(shape, tp) * shape.head_dim;
  return plain(shape.kv_cache).bytes(numbers);
}

Bytes kv_cache(const Anatomy& anatomy, const Parallelism& parallelism, int index, std::int64_t context) {
  const ModelShape& shape = anatomy.shape();
  const LayerMix mix = anatomy.mix(pipeline_stage(shape, parallelism.pp, index));
  const Bytes per_token = kv_bytes_per_token_and_layer(shape, parallelism.tp);
  const std::int64_t seen = std::min(context, shape.sliding_window);
  return per_token * ceil_div(context, parallelism.cp) * mix.full_attention +
         per_token * ceil_div(seen, parallelism.cp) * mix.windowed;
}

Bytes kv_cache(const ModelShape& shape, const Parallelism& parallelism, int index, std::int64_t context) {
  return kv_cache(Anatomy(shape), parallelism, index, context);
}

Bytes kv_bytes_per_token(const ModelShape& shape) { return kv_bytes_per_token_and_layer(shape, 1) * shape.layers; }

Bytes activation_workspace(const ModelShape& shape, const Parallelism& parallelism, std::int64_t tokens,
                           std::int64_t sequences) {
  const double residual = 2 * static_cast<double>(shape.hidden) / (parallelism.sequence_parallel ? parallelism.tp : 1);
  const double own = static_cast<double>(tokens) / parallelism.cp;
  const double numbers = own * (residual + widest_activation(shape, parallelism));
  constexpr double kMostNumbers = 1e18;  // past it the answer is "does not fit" anyway
  const Bytes activations = plain(shape.compute).bytes(static_cast<std::int64_t>(std::min(numbers, kMostNumbers)));
  return activations + Bytes(4) * sequences * shape.vocab;
}

}  // namespace weft::llm
