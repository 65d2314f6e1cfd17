// What a Hugging Face architecture implies beyond its config's keys: biases, norms, which matrices a block has.
//
// A config.json names the class that reads it, and much stands only in that class's code (Hugging Face transformers,
// models/*/modeling_*.py and configuration_*.py). The table holds what parameter counts and messages depend on, and the
// value of a key that a config leaves out.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::formats {

struct HfArchitecture {
  std::string_view model_type;  // "llama"; class names are matched too: LlamaForCausalLM
  bool gated = true;            // two up-projections (SwiGLU, GeGLU)
  bool qkv_bias = false;
  bool out_bias = false;
  bool ffn_bias = false;
  bool bias_key_reaches_out = true;  // attention_bias speaks of the output projection too
  bool norm_bias = false;            // LayerNorm
  bool qk_norm = false;
  bool parallel = false;  // attention and FFN side by side
  bool tied = false;      // tie_word_embeddings when the key is missing
  bool sinks = false;
  bool router_bias = false;
  int norms = 2;                 // in a layer
  int learned_positions = -1;    // rows beyond max_position_embeddings; -1 = none at all
  int shared_experts = 0;        // in every MoE layer, without a key that says so
  bool ffn_from_hidden = false;  // 4 x hidden when no key gives the width
  bool one_kv_head = false;      // multi_query is on when the key is missing
  // With sliding_window set and no layer_types: which layers use it. 0 = none, whatever the key says.
  int windowed_every = 0;  // 1 = all, 2 = every second, from the first
  int full_every = 0;      // every n-th layer sees everything all the same; 0 = none
  int vocab = 0;           // vocab_size when the key is missing; 0 = it never is
};

// By the class in `architectures`, else by `model_type`; null pointer when neither is known.
[[nodiscard]] const HfArchitecture* find_architecture(std::string_view class_name, std::string_view model_type);
// For what is not known: as most newer decoders are.
[[nodiscard]] const HfArchitecture& plain_architecture();
// Why weft cannot assess a model of this kind, whatever its keys; "" when it can.
[[nodiscard]] std::string_view not_assessable(std::string_view class_name, std::string_view model_type);

}  // namespace weft::formats
