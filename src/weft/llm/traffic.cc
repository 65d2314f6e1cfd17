#include "weft/llm/traffic.h"

#include <array>
#include <utility>

#include "weft/llm/memory.h"
#include "weft/llm/precision.h"

namespace weft::llm {

using catalog::ModelShape;

namespace {

constexpr std::array<std::string_view, 5> kAxisNames = {"tp", "pp", "dp", "ep", "cp"};
constexpr std::array<std::string_view, 5> kCollectiveNames = {"all_reduce", "all_gather", "reduce_scatter",
                                                              "all_to_all", "send_recv"};

bool experts_span_replicas(const Parallelism& parallelism) { return parallelism.attention_dp > 1; }

// Sums over the tp group in the layers of a pass.
std::int64_t reductions(const ModelShape& shape, const LayerMix& mix, const Parallelism& parallelism) {
  const std::int64_t a_layer = shape.parallel_block ? 1 : 2;
  return mix.dense * a_layer + mix.moe * (experts_span_replicas(parallelism) ? 1 : a_layer);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

class List {
 public:
  List(const Anatomy& anatomy, const Parallelism& parallelism, const Tokens& tokens)
      : shape_(anatomy.shape()),
        mix_(anatomy.mix(whole_model(anatomy.shape()))),
        parallelism_(parallelism),
        tokens_(tokens),
        own_(tokens.decode + ceil_div(tokens.prompt, parallelism.cp)),
        message_(activation_message(shape_, own_)) {}

  void tensor_parallel() {
    reduce(reductions(shape_, mix_, parallelism_),
           shape_.parallel_block ? "attention and FFN run side by side and are summed once a layer"
                                 : "partial sums after attention's output projection and after the FFN");
    reduce(1, "each rank looks up its part of the token table");
    const Bytes logits = plain(shape_.compute).bytes(1) * shape_.vocab * tokens_.sampled;
    add(Axis::tp, Collective::all_gather, 1, logits, "each rank has the logits of its part of the vocabulary");
  }

  void expert_parallel() {
    if (parallelism_.ep == 1) {
      const Bytes all = message_ * parallelism_.attention_dp;
      add(Axis::ep, Collective::all_gather, mix_.moe, all,
          "every GPU has a part of every expert: all tokens go to all");
      add(Axis::ep, Collective::reduce_scatter, mix_.moe, all, "the parts of the outputs are summed where they belong");
      return;
    }
    const std::int64_t copies = std::int64_t{shape_.moe.experts_per_token} * parallelism_.expert_tp();
    const Bytes routed = activation_message(shape_, ceil_div(own_, parallelism_.tp)) * copies;
    add(Axis::ep, Collective::all_to_all, mix_.moe, routed, "tokens go to the GPUs of their experts");
    add(Axis::ep, Collective::all_to_all, mix_.moe, routed, "the experts' outputs come back");
    if (parallelism_.tp == 1) return;
    add(Axis::tp, Collective::all_gather, mix_.moe, message_,
        "each rank sent its share of the tokens; all need all of them again");
  }

  void context_parallel() {
    const Bytes cache = kv_bytes_per_token_and_layer(shape_, parallelism_.tp) * tokens_.prompt;
    if (tokens_.prompt > 0) {
      add(Axis::cp, Collective::all_gather, shape_.layers, cache,
          "every part of a prompt attends to the keys and values of those before it");
    }
    if (tokens_.decode == 0) return;
    const std::int64_t width =
        shape_.attention == catalog::AttentionKind::latent ? shape_.latent.kv_rank : shape_.head_dim;
    const Bytes output = plain(shape_.compute).bytes(ceil_div(shape_.heads, parallelism_.tp) * width) * tokens_.decode;
    add(Axis::cp, Collective::all_reduce, shape_.layers, output, "each part of the cache adds to attention's output");
  }

  void pipeline() {
    add(Axis::pp, Collective::send_recv, parallelism_.pp - 1, message_, "the hidden state goes on to the next stage");
  }

  std::vector<Exchange> take() { return std::move(list_); }

 private:
  void add(Axis axis, Collective collective, std::int64_t count, Bytes bytes, std::string_view why) {
    if (count > 0) list_.push_back({axis, collective, count, bytes, why});
  }
  void reduce(std::int64_t count, std::string_view why) {
    if (!parallelism_.sequence_parallel) {
      add(Axis::tp, Collective::all_reduce, count, message_, why);
      return;
    }
    add(Axis::tp, Collective::reduce_scatter, count, message_, why);
    add(Axis::tp, Collective::all_gather, count, message_, "the ranks' parts of the tokens are put together");
  }

  const ModelShape& shape_;
  LayerMix mix_;
  const Parallelism& parallelism_;
  const Tokens& tokens_;
  std::int64_t own_;
  Bytes message_;
  std::vector<Exchange> list_;
};

}  // namespace

std::string_view name_of(Axis axis) { return kAxisNames[static_cast<std::size_t>(axis)]; }
std::string_view name_of(Collective collective) { return kCollectiveNames[static_cast<std::size_t>(collective)]; }

Bytes activation_message(const ModelShape& shape, std::int64_t tokens) {
  return plain(shape.compute).bytes(1) * shape.hidden * tokens;
}

std::int64_t layer_all_reduces(const ModelShape& shape, const Parallelism& parallelism) {
  if (parallelism.tp == 1) return 0;
  return reductions(shape, layer_mix(shape, whole_model(shape)), parallelism);
}

std::vector<Exchange> exchanges_of_pass(const Anatomy& anatomy, const Parallelism& parallelism, const Tokens& tokens) {
  List list(anatomy, parallelism, tokens);
  if (parallelism.tp > 1) list.tensor_parallel();
  if (experts_span_replicas(parallelism)) list.expert_parallel();
  if (parallelism.cp > 1) list.context_parallel();
  if (parallelism.pp > 1) list.pipeline();
  return list.take();
}

}  // namespace weft::llm
