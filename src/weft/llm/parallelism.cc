#include "weft/llm/parallelism.h"

#include <algorithm>
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
  const auto& [tp, pp, ep, cp, attention_dp, sequence_parallel] = parallelism;
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
  if (attention_dp < 1 || (attention_dp > 1 && experts == 0)) {
    return fail(usage_error("WEFT-LLM-0005", "attention-dp " + std::to_string(attention_dp) + ", but " + name +
                                                 " has no experts to share: its replicas stand alone (dp)")
                    .with_expected("1"));
  }
  if (parallelism.expert_gpus() % ep != 0) {
    return fail(usage_error("WEFT-LLM-0004", "ep " + std::to_string(ep) + " does not divide the " +
                                                 std::to_string(parallelism.expert_gpus()) +
                                                 " GPUs of a stage that share the experts (tp x attention-dp)"));
  }
  if (cp < 1) return fail(usage_error("WEFT-LLM-0005", "cp " + std::to_string(cp)).with_expected("1 or more"));
  return {};
}

bool possible(const ModelShape& shape, const Parallelism& p) {
  const int experts = shape.moe.experts;
  if (p.tp < 1 || p.pp < 1 || p.ep < 1 || p.cp < 1 || p.attention_dp < 1) return false;
  if (shape.heads % p.tp != 0 || !kv_heads_fit(shape, p.tp) || p.pp > shape.layers) return false;
  if (experts == 0) return p.ep == 1 && p.attention_dp == 1;
  return experts % p.ep == 0 && p.expert_gpus() % p.ep == 0;
}

Stage whole_model(const ModelShape& shape) { return {0, shape.layers, true, true}; }

Stage pipeline_stage(const ModelShape& shape, int pp, int index) {
  WEFT_CHECK(pp >= 1 && index >= 0 && index < pp, "a stage outside the pipeline");
  const int even = shape.layers / pp;
  const int extra = shape.layers % pp;  // stages pp - 1 - extra … pp - 2 get one more
  const int first_longer = pp - 1 - extra;
  Stage stage;
  stage.first_layer = index * even + std::max(0, index - first_longer);
  stage.layers = even + (index >= first_longer && index < pp - 1 ? 1 : 0);
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
