// What one GPU must hold to serve a model: weights, KV cache, and room to work in.
//
//   weights    sum over the tensors of its stage of (its share of the tensor) x (stored bits, scales included)
//   KV cache   grouped:  2 x max(1, kv_heads / tp) x head_dim x bytes     a token and layer; a KV head is never cut, so
//              beyond tp = kv_heads each rank holds copies and the cache of the whole group grows
//              latent:   (kv_rank + qk_rope) x bytes, on every rank: the latent has no heads to divide
//                        (arXiv:2405.04434)
//              layers with a sliding window hold at most the window
//   workspace  an estimate, see activation_workspace()
//
// Not counted: what the driver, the communication library and captured graphs take (1 to 3 GB a GPU, by engine).
#pragma once

#include <array>
#include <cstdint>

#include "weft/catalog/model_shape.h"
#include "weft/llm/anatomy.h"
#include "weft/llm/parallelism.h"
#include "weft/llm/tensors.h"
#include "weft/units/units.h"

namespace weft::llm {

struct WeightBytes {
  std::array<Bytes, kComponents> of{};

  [[nodiscard]] Bytes operator[](Component component) const { return of[static_cast<std::size_t>(component)]; }
  [[nodiscard]] Bytes total() const;
};

// Parameters and bytes of a tensor that one GPU holds; the largest share when it does not divide evenly.
[[nodiscard]] std::int64_t parameters_per_gpu(const catalog::ModelShape& shape, const Parallelism& parallelism,
                                              const Tensor& tensor);
[[nodiscard]] Bytes bytes_per_gpu(const catalog::ModelShape& shape, const Parallelism& parallelism,
                                  const Tensor& tensor);

// On one GPU of pipeline stage `index`. With tied embeddings the first and the last stage both hold the token table.
[[nodiscard]] WeightBytes stage_weights(const Anatomy& anatomy, const Parallelism& parallelism, int index);
[[nodiscard]] WeightBytes stage_weights(const catalog::ModelShape& shape, const Parallelism& parallelism, int index);

// Of a layer that sees everything, on one GPU.
[[nodiscard]] Bytes kv_bytes_per_token_and_layer(const catalog::ModelShape& shape, int tp);
// One sequence of `context` tokens, on one GPU of pipeline stage `index`; under context parallelism its 1 / cp of them.
[[nodiscard]] Bytes kv_cache(const Anatomy& anatomy, const Parallelism& parallelism, int index, std::int64_t context);
[[nodiscard]] Bytes kv_cache(const catalog::ModelShape& shape, const Parallelism& parallelism, int index,
                             std::int64_t context);
// What the whole model on one GPU keeps for a token while every window still has room: the figure that people quote.
[[nodiscard]] Bytes kv_bytes_per_token(const catalog::ModelShape& shape);

// An estimate of the largest live activations in a forward pass of `tokens` that samples `sequences`:
//
//   bytes x tokens x (2 h + max(attention, ffn, experts)) + 4 x sequences x vocab      2 h / tp with sequence
//   parallelism
//     attention  q, k, v and the output                    (2 a d + 2 kv d) / tp
//     ffn        up (and gate) and their product           (3 or 2) f / tp
//     experts    the same for experts_per_token of them, and their outputs before the sum   k ((3 or 2) f / tp + h)
//
// h twice: the residual stream and what its norm put out; logits in fp32, gathered. Kernels that fuse more need less.
[[nodiscard]] Bytes activation_workspace(const catalog::ModelShape& shape, const Parallelism& parallelism,
                                         std::int64_t tokens, std::int64_t sequences);

}  // namespace weft::llm
