// How a model is spread over GPUs for serving, and which spreads exist.
//
// A replica is tp x pp GPUs. Layers are cut into pp stages; within a stage each GPU holds 1 / tp of the attention heads
// and matrices (arXiv:1909.08053). Routed experts are spread over ep GPUs, each expert then cut over tp / ep of them;
// ep may exceed tp, when replicas share experts (data-parallel attention). Replicas beyond one change no figure here.
#pragma once

#include "weft/base/error.h"
#include "weft/catalog/model_shape.h"

namespace weft::llm {

struct Parallelism {
  int tp = 1;
  int pp = 1;
  int ep = 1;

  // GPUs among which one expert is cut.
  [[nodiscard]] int expert_tp() const { return tp > ep ? tp / ep : 1; }
};

// WEFT-LLM-0001 tp does not divide the heads (or does not fit the KV heads), 0002 more stages than layers, 0003 ep
// without experts or not dividing them, 0004 neither of tp and ep divides the other. Usage errors: the numbers come
// from a command line or a search.
[[nodiscard]] Result<void> check_parallelism(const catalog::ModelShape& shape, const Parallelism& parallelism);

// A run of consecutive layers and the ends of the model that go with it.
struct Stage {
  int first_layer = 0;
  int layers = 0;
  bool has_embedding = false;
  bool has_head = false;
};
[[nodiscard]] Stage whole_model(const catalog::ModelShape& shape);
// Stage `index` of pp. Layers that do not divide evenly go one each to the stages before the last, from the back, as
// in vLLM: the last stage has the output head to carry.
[[nodiscard]] Stage pipeline_stage(const catalog::ModelShape& shape, int pp, int index);

// What the layers of a stage are.
struct LayerMix {
  int dense = 0;
  int moe = 0;
  int full_attention = 0;
  int windowed = 0;
};
[[nodiscard]] LayerMix layer_mix(const catalog::ModelShape& shape, const Stage& stage);

}  // namespace weft::llm
