// How a model is spread over GPUs for serving, and which spreads exist.
//
// A replica is tp x attention_dp x cp x pp GPUs, counted in that order (tp fastest). Layers are cut into pp stages. In
// a stage each GPU holds 1 / tp of the attention heads and matrices (arXiv:1909.08053). attention_dp groups of tp GPUs
// hold copies of attention and its matrices, work on sequences of their own and share one set of routed experts
// (DeepSeek-V3, arXiv:2412.19437, 3.4): the experts are spread over ep of those tp x attention_dp GPUs, each expert
// then cut over the tp x attention_dp / ep that are left. cp GPUs hold copies of all weights and share the tokens of
// each sequence (arXiv:2411.01783): a prompt is cut into cp parts, a cache is kept in cp parts.
//
// Sequence parallelism (arXiv:2205.05198) is tensor parallelism whose norms and residual stream are cut over the tp
// ranks along the tokens. Replicas beyond one change no figure here.
#pragma once

#include "weft/base/error.h"
#include "weft/catalog/model_shape.h"

namespace weft::llm {

struct Parallelism {
  int tp = 1;
  int pp = 1;
  int ep = 1;
  int cp = 1;
  int attention_dp = 1;
  bool sequence_parallel = false;

  // GPUs that share one set of routed experts, in one stage.
  [[nodiscard]] int expert_gpus() const { return tp * attention_dp; }
  // GPUs among which one expert is cut.
  [[nodiscard]] int expert_tp() const { return expert_gpus() / ep; }
  [[nodiscard]] int stage_gpus() const { return tp * attention_dp * cp; }
  [[nodiscard]] int gpus() const { return stage_gpus() * pp; }

  bool operator==(const Parallelism&) const = default;
};

// WEFT-LLM-0001 tp does not divide the heads (or does not fit the KV heads), 0002 more stages than layers, 0003 ep
// without experts or not dividing them, 0004 ep does not divide tp x attention_dp, 0005 attention_dp without experts to
// share, or no context parallelism of that size. Usage errors: the numbers come from a command line or a search.
[[nodiscard]] Result<void> check_parallelism(const catalog::ModelShape& shape, const Parallelism& parallelism);

// The same question without the explanation: what a search asks thousands of times.
[[nodiscard]] bool possible(const catalog::ModelShape& shape, const Parallelism& parallelism);

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
