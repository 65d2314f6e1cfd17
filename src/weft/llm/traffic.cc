#include "weft/llm/traffic.h"

#include <array>

#include "weft/llm/precision.h"

namespace weft::llm {

using catalog::ModelShape;

namespace {

constexpr std::array<std::string_view, 5> kAxisNames = {"tp", "pp", "dp", "ep", "cp"};
constexpr std::array<std::string_view, 5> kCollectiveNames = {"all_reduce", "all_gather", "reduce_scatter",
                                                              "all_to_all", "send_recv"};

bool experts_span_replicas(const Parallelism& parallelism) { return parallelism.ep > parallelism.tp; }

void add_tensor_parallel(const ModelShape& shape, const Parallelism& parallelism, std::int64_t tokens,
                         std::int64_t sequences, std::vector<Exchange>& list) {
  const Bytes message = activation_message(shape, tokens);
  const std::string why = shape.parallel_block ? "attention and FFN run side by side and are summed once a layer"
                                               : "partial sums after attention's output projection and after the FFN";
  list.push_back({Axis::tp, Collective::all_reduce, layer_all_reduces(shape, parallelism), message, why});
  list.push_back({Axis::tp, Collective::all_reduce, 1, message, "each rank looks up its part of the token table"});
  const Bytes logits = plain(shape.compute).bytes(1) * shape.vocab * sequences;
  list.push_back(
      {Axis::tp, Collective::all_gather, 1, logits, "each rank has the logits of its part of the vocabulary"});
}

void add_expert_parallel(const ModelShape& shape, const Parallelism& parallelism, std::int64_t tokens,
                         std::vector<Exchange>& list) {
  const std::int64_t moe_layers = layer_mix(shape, whole_model(shape)).moe;
  const std::int64_t own_tokens = (tokens + parallelism.tp - 1) / parallelism.tp;
  const Bytes routed = activation_message(shape, own_tokens) * shape.moe.experts_per_token;
  list.push_back({Axis::ep, Collective::all_to_all, moe_layers, routed, "tokens go to the GPUs of their experts"});
  list.push_back({Axis::ep, Collective::all_to_all, moe_layers, routed, "the experts' outputs come back"});
  if (parallelism.tp == 1) return;
  list.push_back({Axis::tp, Collective::all_gather, moe_layers, activation_message(shape, tokens),
                  "each rank sent its share of the tokens; all need all of them again"});
}

}  // namespace

std::string_view name_of(Axis axis) { return kAxisNames[static_cast<std::size_t>(axis)]; }
std::string_view name_of(Collective collective) { return kCollectiveNames[static_cast<std::size_t>(collective)]; }

Bytes activation_message(const ModelShape& shape, std::int64_t tokens) {
  return plain(shape.compute).bytes(1) * shape.hidden * tokens;
}

std::int64_t layer_all_reduces(const ModelShape& shape, const Parallelism& parallelism) {
  if (parallelism.tp == 1) return 0;
  const LayerMix mix = layer_mix(shape, whole_model(shape));
  const std::int64_t a_layer = shape.parallel_block ? 1 : 2;
  const std::int64_t a_moe_layer = experts_span_replicas(parallelism) ? 1 : a_layer;
  return mix.dense * a_layer + mix.moe * a_moe_layer;
}

std::vector<Exchange> exchanges_of_step(const ModelShape& shape, const Parallelism& parallelism, std::int64_t tokens,
                                        std::int64_t sequences) {
  std::vector<Exchange> list;
  if (parallelism.tp > 1) add_tensor_parallel(shape, parallelism, tokens, sequences, list);
  if (experts_span_replicas(parallelism)) add_expert_parallel(shape, parallelism, tokens, list);
  if (parallelism.pp > 1) {
    list.push_back({Axis::pp, Collective::send_recv, parallelism.pp - 1, activation_message(shape, tokens),
                    "the hidden state goes on to the next stage"});
  }
  return list;
}

}  // namespace weft::llm
