#include "weft/llm/flops.h"

#include <algorithm>

#include "weft/llm/memory.h"
#include "weft/llm/tensors.h"

namespace weft::llm {

using catalog::AttentionKind;
using catalog::ModelShape;

namespace {

// FLOPs of one head for one pair of tokens: the score's dot product and the value's weighted sum.
double decode_pair_flops(const ModelShape& shape) {
  const auto& latent = shape.latent;
  const std::int64_t width =
      shape.attention == AttentionKind::latent ? 2 * latent.kv_rank + latent.qk_rope : 2 * shape.head_dim;
  return 2.0 * static_cast<double>(width);
}

double prefill_pair_flops(const ModelShape& shape) {
  const auto& latent = shape.latent;
  const std::int64_t width =
      shape.attention == AttentionKind::latent ? latent.qk_nope + latent.qk_rope + latent.v_head : 2 * shape.head_dim;
  return 2.0 * static_cast<double>(width);
}

// Share of a tensor's parameters that one token is multiplied by.
double active_share(const ModelShape& shape, const Tensor& tensor) {
  if (tensor.component != Component::experts) return 1.0;
  return static_cast<double>(shape.moe.experts_per_token) / static_cast<double>(shape.moe.experts);
}

// Parameters that this GPU multiplies one token of its own replica by. When replicas share experts (ep > tp) the GPU
// holds fewer experts but takes tokens of all of them: per own token it is 1 / tp of the active experts either way.
double multiplied_per_token(const ModelShape& shape, const Parallelism& parallelism, const Tensor& tensor) {
  if (tensor.division == Division::experts) {
    return static_cast<double>(tensor.parameters) * active_share(shape, tensor) / parallelism.tp;
  }
  return static_cast<double>(parameters_per_gpu(shape, parallelism, tensor));
}

void add(Flops& flops, const ModelShape& shape, const Parallelism& parallelism, const std::vector<Tensor>& tensors,
         int times) {
  for (const Tensor& tensor : tensors) {
    if (!tensor.matrix) continue;
    const double amount = 2.0 * times * multiplied_per_token(shape, parallelism, tensor);
    if (tensor.component == Component::head) {
      flops.head += amount;
    } else if (tensor.quantised) {
      flops.quantised_matrices += amount;
    } else {
      flops.matrices += amount;
    }
  }
}

double attention_flops(const ModelShape& shape, const Stage& stage, double full_pairs, double windowed_pairs,
                       double pair_flops) {
  const LayerMix mix = layer_mix(shape, stage);
  return shape.heads * pair_flops * (mix.full_attention * full_pairs + mix.windowed * windowed_pairs);
}

}  // namespace

double attended_pairs(std::int64_t tokens, std::int64_t cached, std::int64_t window) {
  const auto triangle = [](double first, double count) { return count * first + count * (count - 1) / 2; };
  const std::int64_t growing = window == 0 ? tokens : std::clamp<std::int64_t>(window - cached, 0, tokens);
  const double within = triangle(static_cast<double>(cached) + 1, static_cast<double>(growing));
  return within + static_cast<double>(tokens - growing) * static_cast<double>(window);
}

double decode_attention_flops(const ModelShape& shape, const Stage& stage, std::int64_t context) {
  const std::int64_t windowed = std::min(context, shape.sliding_window);
  return attention_flops(shape, stage, static_cast<double>(context), static_cast<double>(windowed),
                         decode_pair_flops(shape));
}

double prefill_attention_flops(const ModelShape& shape, const Stage& stage, std::int64_t tokens, std::int64_t cached) {
  return attention_flops(shape, stage, attended_pairs(tokens, cached, 0),
                         attended_pairs(tokens, cached, shape.sliding_window), prefill_pair_flops(shape));
}

Flops stage_matrix_flops(const ModelShape& shape, const Parallelism& parallelism, const Stage& stage) {
  const LayerMix mix = layer_mix(shape, stage);
  Flops flops;
  if (mix.dense > 0) add(flops, shape, parallelism, layer_tensors(shape, false), mix.dense);
  if (mix.moe > 0) add(flops, shape, parallelism, layer_tensors(shape, true), mix.moe);
  if (stage.has_head) add(flops, shape, parallelism, head_tensors(shape), 1);
  return flops;
}

Flops decode_flops(const ModelShape& shape, std::int64_t context) {
  const Stage all = whole_model(shape);
  Flops flops = stage_matrix_flops(shape, Parallelism{}, all);
  flops.attention = decode_attention_flops(shape, all, context);
  return flops;
}

Flops prefill_flops(const ModelShape& shape, std::int64_t tokens, std::int64_t cached) {
  const Stage all = whole_model(shape);
  Flops flops = stage_matrix_flops(shape, Parallelism{}, all);
  flops.matrices *= static_cast<double>(tokens);
  flops.quantised_matrices *= static_cast<double>(tokens);
  flops.attention = prefill_attention_flops(shape, all, tokens, cached);
  return flops;
}

}  // namespace weft::llm
