#include "weft/llm/parallelism.h"

#include <string>

#include "weft/base/check.h"
#include "weft/catalog/model_rules.h"

namespace weft::llm {

using catalog::ModelShape;

namespace {

// "1, 2, 4 or 8": what would have been right.
std::string divisors(int number) {
  constexpr int kMostListed = 12;
  std::string list;
  int listed = 0;
  for (int i = 1; i <= number && listed < kMostListed; ++i) {
    if (number % i != 0) continue;
    list += (list.empty() ? "" : ", ") + std::to_string(i);
    ++listed;
  }
  return list;
}

bool kv_heads_fit(const ModelShape& shape, int tp) {
  if (shape.attention == catalog::AttentionKind::latent) return true;  // the latent is copied to every rank
  return shape.kv_heads % tp == 0 || tp % shape.kv_heads == 0;
}

}  // namespace

Result<void> check_parallelism(const ModelShape& shape, const Parallelism& parallelism) {
  const auto [tp, pp, ep] = parallelism;
  const std::string name = shape.id.empty() ? "the model" : shape.id;
  if (tp < 1 || shape.heads % tp != 0) {
    return fail(usage_error("WEFT-LLM-0001", "tp " + std::to_string(tp) + " does not divide the " +
                                                 std::to_string(shape.heads) + " attention heads of " + name)
                    .with_expected("a divisor of " + std::to_string(shape.heads) + ": " + divisors(shape.heads)));
  }
  if (!kv_heads_fit(shape, tp)) {
    return fail(usage_error("WEFT-LLM-0001", "tp " + std::to_string(tp) + " neither divides the " +
                                                 std::to_string(shape.kv_heads) + " KV heads of " + name +
                                                 " nor is a multiple of them"));
  }
  if (pp < 1 || pp > shape.layers) {
    return fail(usage_error("WEFT-LLM-0002", "pp " + std::to_string(pp) + " for the " + std::to_string(shape.layers) +
                                                 " layers of " + name)
                    .with_expected("1 to " + std::to_string(shape.layers)));
  }
  const int experts = shape.moe.experts;
  if (ep < 1 || (ep > 1 && experts == 0)) {
    return fail(usage_error("WEFT-LLM-0003", "ep " + std::to_string(ep) + ", but " + name + " has no experts")
                    .with_expected("1"));
  }
  if (ep > 1 && experts % ep != 0) {
    return fail(usage_error("WEFT-LLM-0003", "ep " + std::to_string(ep) + " does not divide the " +
                                                 std::to_string(experts) + " experts of " + name)
                    .with_expected("a divisor of " + std::to_string(experts) + ": " + divisors(experts)));
  }
  if (tp % ep != 0 && ep % tp != 0) {
    return fail(usage_error("WEFT-LLM-0004", "neither of tp " + std::to_string(tp) + " and ep " + std::to_string(ep) +
                                                 " divides the other"));
  }
  return {};
}

Stage whole_model(const ModelShape& shape) { return {0, shape.layers, true, true}; }

Stage pipeline_stage(const ModelShape& shape, int pp, int index) {
  WEFT_CHECK(pp >= 1 && index >= 0 && index < pp, "a stage outside the pipeline");
  const int even = shape.layers / pp;
  const int extra = shape.layers % pp;  // stages pp - 1 - extra … pp - 2 get one more
  const auto layers_of = [&](int stage) { return even + (stage >= pp - 1 - extra && stage < pp - 1 ? 1 : 0); };
  Stage stage;
  for (int i = 0; i < index; ++i) stage.first_layer += layers_of(i);
  stage.layers = layers_of(index);
  stage.has_embedding = index == 0;
  stage.has_head = index == pp - 1;
  return stage;
}

LayerMix layer_mix(const ModelShape& shape, const Stage& stage) {
  LayerMix mix;
  for (int layer = stage.first_layer; layer < stage.first_layer + stage.layers; ++layer) {
    ++(catalog::is_moe_layer(shape, layer) ? mix.moe : mix.dense);
    ++(catalog::is_windowed_layer(shape, layer) ? mix.windowed : mix.full_attention);
  }
  return mix;
}

}  // namespace weft::llm
