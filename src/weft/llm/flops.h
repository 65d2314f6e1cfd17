// Floating-point operations of a forward pass (a multiply and an add are two).
//
//   matrices   2 x the parameters of every matrix that a token meets; of the routed experts experts_per_token
//   attention  a token that sees c tokens: 2 c (score width + value width) a layer and head;
//              widths: head_dim each; latent attention in prefill qk_nope + qk_rope and v_head, in decode kv_rank +
//              qk_rope and kv_rank, because decode attends in the latent (the up-projection is folded into query and
//              output, which costs what it costs in prefill: kv_b_proj once a token)
//   head       2 x vocab x hidden for each sampled position
//
// Prefill of n tokens after `cached` ones is causal: token i sees min(cached + i, window). Norms, softmax, rotary and
// sampling are not counted: below 1 % of the FLOPs, though not of the time. Training is three times a forward pass.
// double: the counts pass 2^63 in a few seconds of a large cluster.
#pragma once

#include <cstdint>

#include "weft/catalog/model_shape.h"
#include "weft/llm/parallelism.h"

namespace weft::llm {

struct Flops {
  double matrices = 0;            // in the compute format
  double quantised_matrices = 0;  // whose weights are quantised: may run on faster units
  double attention = 0;
  double head = 0;

  [[nodiscard]] double total() const { return matrices + quantised_matrices + attention + head; }
};

// One token whose attention sees `context` tokens, itself included; one sampled position. All GPUs together.
[[nodiscard]] Flops decode_flops(const catalog::ModelShape& shape, std::int64_t context);
// One sequence of `tokens` after `cached` ones already in the cache; one sampled position. All GPUs together.
[[nodiscard]] Flops prefill_flops(const catalog::ModelShape& shape, std::int64_t tokens, std::int64_t cached = 0);

// One token's matrices in the layers and ends of a stage, as one GPU of a tensor-parallel group works on them: tensors
// that every rank holds are multiplied by every rank. Experts are taken as evenly hit. No attention.
[[nodiscard]] Flops stage_matrix_flops(const catalog::ModelShape& shape, const Parallelism& parallelism,
                                       const Stage& stage);
// Attention of one query or of a causal run in the layers of a stage, all heads.
[[nodiscard]] double decode_attention_flops(const catalog::ModelShape& shape, const Stage& stage, std::int64_t context);
[[nodiscard]] double prefill_attention_flops(const catalog::ModelShape& shape, const Stage& stage, std::int64_t tokens,
                                             std::int64_t cached);

// Token pairs of a causal run: the sum over i = 1 … tokens of min(cached + i, window); window 0 = none.
[[nodiscard]] double attended_pairs(std::int64_t tokens, std::int64_t cached, std::int64_t window);

}  // namespace weft::llm
