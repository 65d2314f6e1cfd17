#include "weft/formats/hf_layers.h"

#include <algorithm>
#include <array>
#include <span>

#include "weft/base/printable.h"

namespace weft::formats {

using catalog::MixtureOfExperts;
using catalog::ModelShape;

namespace {

constexpr std::int64_t kMostLayers = 10'000;
constexpr std::int64_t kMostExperts = 1 << 16;
constexpr std::int64_t kMostWidth = 1 << 26;
constexpr std::int64_t kMostTokens = std::int64_t{1} << 40;

int as_int(std::int64_t number) { return static_cast<int>(number); }

std::size_t layers_of(const ModelShape& shape) { return static_cast<std::size_t>(shape.layers); }

// Layers first, first + step, …
std::vector<bool> stepped(std::size_t layers, std::size_t first, std::size_t step) {
  std::vector<bool> chosen(layers, false);
  for (std::size_t i = first; i < layers; i += step) chosen[i] = true;
  return chosen;
}

// One text a layer, such as layer_types; `yes` is what a chosen layer is called. False when there is no such list.
bool read_named_layers(ConfigKeys& keys, std::string_view key, std::string_view yes, std::vector<bool>& chosen) {
  const JsonValue* list = keys.find({key});
  if (list == nullptr) return false;
  const bool sound = list->type == JsonType::list && list->children.size() == chosen.size();
  if (!sound) {
    keys.fault(input_error("WEFT-FMT-0407",
                           in_quotes(key) + " does not name each of the " + std::to_string(chosen.size()) + " layers")
                   .with_expected("a list of as many texts as layers")
                   .at(keys.place(list)));
    return false;
  }
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = list->children[i].text == yes;
  return true;
}

void refuse_other_attention(ConfigKeys& keys) {
  const JsonValue* list = keys.find({"layer_types"});
  if (list == nullptr) return;
  for (const JsonValue& item : list->children) {
    const bool known =
        item.text == "full_attention" || item.text == "sliding_attention" || item.text == "chunked_attention";
    if (known) continue;
    keys.fault(unassessable_error("WEFT-FMT-0410",
                                  "layers of type " + in_quotes(item.text) + ", which weft does not model yet")
                   .at(keys.place(list)));
    return;
  }
}

std::vector<bool> moe_layers(ConfigKeys& keys, const ModelShape& shape) {
  const std::size_t layers = layers_of(shape);
  std::vector<bool> is_moe(layers, true);
  const auto keep = [&](const std::vector<bool>& chosen) {
    for (std::size_t i = 0; i < layers; ++i) is_moe[i] = is_moe[i] && chosen[i];
  };
  const auto step_of = [&](ConfigKeys::Names names) {
    return static_cast<std::size_t>(keys.whole(names, 1, 1, kMostLayers));
  };

  const auto first =
      static_cast<std::size_t>(keys.whole({"first_k_dense_replace", "moe_layer_start_index"}, 0, 0, kMostLayers));
  keep(stepped(layers, first, 1));
  // Layer i with (i + 1) a multiple: Qwen, Llama 4, ERNIE.
  const std::size_t step = step_of({"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval"});
  keep(stepped(layers, step - 1, step));
  // Jamba's pair, kept by others.
  const std::size_t period = step_of({"expert_layer_period"});
  keep(stepped(layers, static_cast<std::size_t>(keys.whole({"expert_layer_offset"}, 0, 0, kMostLayers)), period));
  // DeepSeek's frequency: i a multiple; or 0 and 1 by layer.
  const JsonValue* frequency = keys.find({"moe_layer_freq"});
  if (frequency != nullptr && frequency->type == JsonType::list) {
    const std::vector<std::int64_t> on = keys.whole_list({"moe_layer_freq"}, 1);
    for (std::size_t i = 0; i < std::min(on.size(), layers); ++i) is_moe[i] = is_moe[i] && on[i] == 1;
  } else {
    keep(stepped(layers, 0, static_cast<std::size_t>(keys.whole_of(frequency, 1, 1, kMostLayers))));
  }
  for (const std::int64_t dense : keys.whole_list({"mlp_only_layers"}, kMostLayers)) {
    if (dense < shape.layers) is_moe[static_cast<std::size_t>(dense)] = false;
  }
  std::vector<bool> named(layers);
  if (read_named_layers(keys, "mlp_layer_types", "sparse", named)) keep(named);
  return is_moe;
}

void read_shared_experts(ConfigKeys& keys, const HfArchitecture& architecture, MixtureOfExperts& moe) {
  moe.shared_experts = as_int(keys.whole({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts"},
                                         architecture.shared_experts, 0, kMostExperts));
  moe.shared_ffn = keys.whole({"shared_expert_intermediate_size", "shared_intermediate_size"}, 0, 0, kMostWidth);
  if (moe.shared_ffn > 0) moe.shared_experts = std::max(moe.shared_experts, 1);
  moe.shared_gate = moe.shared_ffn > 0 && architecture.model_type == "qwen2_moe";
}

}  // namespace

void put_moe_layers(const std::vector<bool>& is_moe, MixtureOfExperts& moe) {
  const auto first = std::ranges::find(is_moe, true);
  if (first == is_moe.end()) {
    moe.experts = 0;
    return;
  }
  const auto second = std::find(first + 1, is_moe.end(), true);
  const auto start = static_cast<std::size_t>(first - is_moe.begin());
  std::size_t step = second == is_moe.end() ? 1 : static_cast<std::size_t>(second - first);
  // A step only says it all when no MoE layer falls between its layers; otherwise exceptions to "every layer" do.
  const std::vector<bool> reached = stepped(is_moe.size(), start, step);
  for (std::size_t i = 0; i < is_moe.size(); ++i) {
    if (is_moe[i] && !reached[i]) step = 1;
  }
  moe.leading_dense_layers = as_int(static_cast<std::int64_t>(start));
  moe.moe_every = as_int(static_cast<std::int64_t>(step));
  moe.dense_layers.clear();
  for (std::size_t i = start; i < is_moe.size(); i += step) {
    if (!is_moe[i]) moe.dense_layers.push_back(static_cast<int>(i));
  }
}

void put_windowed_layers(const std::vector<bool>& is_windowed, ModelShape& shape) {
  shape.window_every = 1;
  shape.full_attention_layers.clear();
  if (std::ranges::find(is_windowed, true) == is_windowed.end()) {
    shape.sliding_window = 0;
    return;
  }
  if (is_windowed == stepped(is_windowed.size(), 0, 2) && is_windowed.size() > 1) {
    shape.window_every = 2;
    return;
  }
  for (std::size_t i = 0; i < is_windowed.size(); ++i) {
    if (!is_windowed[i]) shape.full_attention_layers.push_back(static_cast<int>(i));
  }
}

void read_experts(ConfigKeys& keys, const HfArchitecture& architecture, ModelShape& shape,
                  std::vector<std::string>& assumed) {
  const JsonValue* inner = keys.find({"ffn_config"});
  const JsonValue* count = keys.find({"n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts"});
  if (count == nullptr) count = keys.find_in(inner, {"moe_num_experts"});
  const std::int64_t experts = keys.whole_of(count, 0, 0, kMostExperts);
  if (experts <= 1) return;  // 0 and 1 are how dense models of a family with experts say so

  MixtureOfExperts& moe = shape.moe;
  moe.experts = as_int(experts);
  static constexpr std::array<std::string_view, 5> kChosen = {"num_experts_per_tok", "num_experts_per_token",
                                                              "moe_topk", "moe_k", "moe_top_k"};
  const JsonValue* inner_chosen = keys.find_in(inner, {"moe_top_k"});
  moe.experts_per_token =
      as_int(inner_chosen != nullptr ? keys.whole_of(inner_chosen, 1, 1, experts)
                                     : keys.needed(std::span<const std::string_view>(kChosen),
                                                   "the number of experts a token goes to", 1, experts));
  const JsonValue* width = keys.find({"moe_intermediate_size", "expert_ffn_hidden_size"});
  moe.expert_ffn = keys.whole_of(width, shape.ffn, 1, kMostWidth);
  // Llama 4 gives the dense layers a key of their own.
  shape.ffn = keys.whole({"intermediate_size_mlp"}, shape.ffn, 1, kMostWidth);
  if (width == nullptr && shape.ffn == 0)
    keys.needed({"moe_intermediate_size"}, "the width of an expert", 1, kMostWidth);
  read_shared_experts(keys, architecture, moe);
  if (shape.layers < 1) return;
  put_moe_layers(moe_layers(keys, shape), moe);
  const bool all_moe = moe.leading_dense_layers == 0 && moe.moe_every == 1 && moe.dense_layers.empty();
  if (moe.experts > 0 && all_moe) shape.ffn = 0;  // a width that no layer has
  if (moe.experts == 0) assumed.emplace_back("experts are named but no layer has them: read as a dense model");
}

void read_windows(ConfigKeys& keys, const HfArchitecture& architecture, bool architecture_known, ModelShape& shape,
                  std::vector<std::string>& assumed) {
  refuse_other_attention(keys);
  const JsonValue* window = keys.find({"sliding_window", "sliding_window_size"});
  const bool used = keys.flag({"use_sliding_window"}, true);
  const JsonValue* from = keys.find({"max_window_layers"});
  const bool asked_for = keys.find({"use_sliding_window"}) != nullptr;
  const std::int64_t pattern = keys.whole({"sliding_window_pattern"}, architecture.full_every, 0, kMostLayers);
  if (window == nullptr || !used || (window->is_whole && window->whole <= 0)) return;
  shape.sliding_window = keys.whole_of(window, 0, 1, kMostTokens);

  const std::size_t layers = layers_of(shape);
  std::vector<bool> is_windowed(layers, false);
  if (!read_named_layers(keys, "layer_types", "sliding_attention", is_windowed)) {
    if (asked_for && from != nullptr) {  // Qwen: the layers from max_window_layers on
      const std::int64_t first = keys.whole_of(from, 0, 0, kMostLayers);
      is_windowed = stepped(layers, static_cast<std::size_t>(first), 1);
    } else {
      if (!architecture_known) assumed.emplace_back("sliding_window is taken to hold in every layer");
      const int every = architecture_known ? architecture.windowed_every : 1;
      if (every > 0) is_windowed = stepped(layers, 0, static_cast<std::size_t>(every));
      for (std::size_t i = 0; pattern > 0 && i < layers; ++i) {
        if ((i + 1) % static_cast<std::size_t>(pattern) == 0) is_windowed[i] = false;
      }
    }
  }
  put_windowed_layers(is_windowed, shape);
}

}  // namespace weft::formats
