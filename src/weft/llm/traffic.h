// What a forward pass sends between GPUs: the collectives of each axis of parallelism.
//
//   tp  two all-reduces a layer, after attention and after the FFN, of tokens x hidden (one where both run in
//       parallel); one all-reduce for the vocabulary-parallel token table; one all-gather of the logits of the sampled
//       positions (arXiv:1909.08053). With sequence parallelism each all-reduce is a reduce-scatter and an all-gather
//   ep  within a tp group every rank has every token, so the FFN's all-reduce also sums the experts and nothing else is
//       sent. Where attention replicas share experts they exchange tokens: all-to-all to the experts and back in every
//       MoE layer, each rank of a replica for its 1 / tp of the tokens (to every rank that holds a part of the expert),
//       and an all-gather that puts the replica's tokens together again. With every expert cut over all of them (ep 1)
//       it is an all-gather of all tokens and a reduce-scatter of the outputs
//   cp  prompts: an all-gather of keys and values in every layer (arXiv:2407.21783, 3.3.2); decoding: an all-reduce of
//       what each part of the cache adds to the output of attention
//   pp  one send of tokens x hidden at each stage boundary, by every tp rank
//   dp  serving replicas exchange nothing: no entry
//
// `bytes` is the size as nccl-tests counts it: the vector of an all-reduce, the gathered whole of an all-gather, a
// rank's own send buffer of an all-to-all. What a ring or a tree makes of it is the business of `collective`.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/catalog/model_shape.h"
#include "weft/llm/anatomy.h"
#include "weft/llm/parallelism.h"
#include "weft/units/units.h"

namespace weft::llm {

enum class Axis { tp, pp, dp, ep, cp };
[[nodiscard]] std::string_view name_of(Axis axis);  // "tp"

enum class Collective { all_reduce, all_gather, reduce_scatter, all_to_all, send_recv };
[[nodiscard]] std::string_view name_of(Collective collective);  // "all_reduce"

struct Exchange {
  Axis axis = Axis::tp;
  Collective collective = Collective::all_reduce;
  std::int64_t count_per_step = 0;  // one after another on the path of a token through all stages
  Bytes bytes;                      // of each
  std::string_view why;
};

// What goes through one replica's tp group in one pass.
struct Tokens {
  std::int64_t decode = 0;   // one for each decoding sequence
  std::int64_t prompt = 0;   // of prompts
  std::int64_t sampled = 0;  // positions whose next token is drawn
};
[[nodiscard]] std::vector<Exchange> exchanges_of_pass(const Anatomy& anatomy, const Parallelism& parallelism,
                                                      const Tokens& tokens);

// All-reduces of the layers in a pass: 2 a layer, 160 for 80 layers; fewer where a MoE layer exchanges tokens instead.
[[nodiscard]] std::int64_t layer_all_reduces(const catalog::ModelShape& shape, const Parallelism& parallelism);
// tokens x hidden in the compute format.
[[nodiscard]] Bytes activation_message(const catalog::ModelShape& shape, std::int64_t tokens);

}  // namespace weft::llm
