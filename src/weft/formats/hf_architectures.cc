#include "weft/formats/hf_architectures.h"

#include <algorithm>
#include <array>

namespace weft::formats {
namespace {

constexpr auto kArchitectures = std::to_array<HfArchitecture>({
    {.model_type = "llama"},
    {.model_type = "llama4_text", .shared_experts = 1},
    {.model_type = "llama4", .shared_experts = 1},
    {.model_type = "mistral", .windowed_every = 1},
    {.model_type = "mistral3", .windowed_every = 1},
    {.model_type = "ministral", .windowed_every = 1},
    {.model_type = "mixtral", .windowed_every = 1},
    {.model_type = "qwen2", .qkv_bias = true},
    {.model_type = "qwen2_moe", .qkv_bias = true},
    {.model_type = "qwen2_vl", .qkv_bias = true},
    {.model_type = "qwen2_5_vl", .qkv_bias = true},
    {.model_type = "qwen3", .qk_norm = true},
    {.model_type = "qwen3_moe", .qk_norm = true},
    {.model_type = "qwen3_vl", .qk_norm = true},
    {.model_type = "qwen3_vl_text", .qk_norm = true},
    {.model_type = "qwen3_vl_moe", .qk_norm = true},
    {.model_type = "qwen3_vl_moe_text", .qk_norm = true},
    {.model_type = "deepseek"},
    {.model_type = "deepseek_v2"},
    {.model_type = "deepseek_v3", .router_bias = true},
    {.model_type = "kimi_k2", .router_bias = true},
    {.model_type = "glm", .qkv_bias = true, .bias_key_reaches_out = false},
    {.model_type = "glm4", .qkv_bias = true, .bias_key_reaches_out = false, .norms = 4},
    {.model_type = "glm4_moe", .bias_key_reaches_out = false, .router_bias = true},
    {.model_type = "glm4_moe_lite", .router_bias = true},
    {.model_type = "chatglm"},
    {.model_type = "gpt_oss",
     .qkv_bias = true,
     .out_bias = true,
     .ffn_bias = true,
     .sinks = true,
     .router_bias = true,
     .windowed_every = 2},
    {.model_type = "gpt2",
     .gated = false,
     .qkv_bias = true,
     .out_bias = true,
     .ffn_bias = true,
     .norm_bias = true,
     .tied = true,
     .learned_positions = 0,
     .ffn_from_hidden = true},
    {.model_type = "gpt_bigcode",
     .gated = false,
     .qkv_bias = true,
     .out_bias = true,
     .ffn_bias = true,
     .norm_bias = true,
     .tied = true,
     .learned_positions = 0,
     .ffn_from_hidden = true,
     .one_kv_head = true},
    {.model_type = "opt",
     .gated = false,
     .qkv_bias = true,
     .out_bias = true,
     .ffn_bias = true,
     .norm_bias = true,
     .tied = true,
     .learned_positions = 2},
    {.model_type = "gpt_neox",
     .gated = false,
     .qkv_bias = true,
     .out_bias = true,
     .ffn_bias = true,
     .norm_bias = true,
     .parallel = true},
    {.model_type = "gptj",
     .gated = false,
     .ffn_bias = true,
     .norm_bias = true,
     .parallel = true,
     .norms = 1,
     .ffn_from_hidden = true},
    {.model_type = "bloom",
     .gated = false,
     .qkv_bias = true,
     .out_bias = true,
     .ffn_bias = true,
     .norm_bias = true,
     .tied = true,
     .ffn_from_hidden = true},
    {.model_type = "falcon", .gated = false, .norm_bias = true, .tied = true, .ffn_from_hidden = true},
    {.model_type = "mpt", .gated = false, .tied = true, .ffn_from_hidden = true},
    {.model_type = "dbrx"},
    {.model_type = "phi",
     .gated = false,
     .qkv_bias = true,
     .out_bias = true,
     .ffn_bias = true,
     .norm_bias = true,
     .parallel = true,
     .norms = 1},
    {.model_type = "phi3", .windowed_every = 1},
    {.model_type = "phimoe", .qkv_bias = true, .out_bias = true, .norm_bias = true, .windowed_every = 1},
    {.model_type = "gemma", .tied = true},
    {.model_type = "gemma2", .tied = true, .norms = 4, .windowed_every = 2},
    {.model_type = "gemma3",
     .qk_norm = true,
     .tied = true,
     .norms = 4,
     .windowed_every = 1,
     .full_every = 6,
     .vocab = 262208},
    {.model_type = "gemma3_text",
     .qk_norm = true,
     .tied = true,
     .norms = 4,
     .windowed_every = 1,
     .full_every = 6,
     .vocab = 262208},
    {.model_type = "cohere", .parallel = true, .tied = true, .norms = 1},
    {.model_type = "cohere2", .parallel = true, .tied = true, .norms = 1, .windowed_every = 1, .full_every = 4},
    {.model_type = "starcoder2",
     .gated = false,
     .qkv_bias = true,
     .out_bias = true,
     .ffn_bias = true,
     .norm_bias = true,
     .tied = true,
     .windowed_every = 1},
    {.model_type = "stablelm", .norm_bias = true},
    {.model_type = "olmo", .norms = 0},
    {.model_type = "olmo2", .qk_norm = true},
    {.model_type = "olmo3", .qk_norm = true, .windowed_every = 1, .full_every = 4},
    {.model_type = "olmoe", .qk_norm = true},
    {.model_type = "internlm2"},
    {.model_type = "internlm3"},
    {.model_type = "baichuan"},
    {.model_type = "granite", .tied = true},
    {.model_type = "granitemoe", .tied = true},
    {.model_type = "ernie4_5", .tied = true},
    {.model_type = "ernie4_5_moe", .tied = true, .router_bias = true},
    {.model_type = "smollm3", .tied = true},
});

constexpr HfArchitecture kPlain{.model_type = ""};

struct Reason {
  std::string_view model_type;
  std::string_view why;
};
constexpr std::string_view kStateSpace = "it has state-space (Mamba) layers, which weft does not model yet";
constexpr std::string_view kLinear = "it has linear-attention layers, which weft does not model yet";
constexpr std::string_view kRecurrent = "it is recurrent, not a transformer";
constexpr std::string_view kEncoder = "it is an encoder and decoder; weft assesses decoders";
constexpr auto kReasons = std::to_array<Reason>({
    {"mamba", kStateSpace},
    {"mamba2", kStateSpace},
    {"falcon_mamba", kStateSpace},
    {"jamba", kStateSpace},
    {"bamba", kStateSpace},
    {"zamba", kStateSpace},
    {"zamba2", kStateSpace},
    {"nemotron_h", kStateSpace},
    {"falcon_h1", kStateSpace},
    {"plamo2", kStateSpace},
    {"granitemoehybrid", kStateSpace},
    {"qwen3_next", kLinear},
    {"qwen3_5", kLinear},
    {"qwen3_5_moe", kLinear},
    {"kimi_linear", kLinear},
    {"minimax", kLinear},
    {"minimax_text_01", kLinear},
    {"lfm2", kLinear},
    {"recurrent_gemma", kRecurrent},
    {"rwkv", kRecurrent},
    {"t5", kEncoder},
    {"mt5", kEncoder},
    {"bart", kEncoder},
    {"mbart", kEncoder},
    {"whisper", kEncoder},
    {"pegasus", kEncoder},
});

std::string lower_without_underscores(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '_') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

// "Qwen2MoeForCausalLM" -> "qwen2moe", as lower_without_underscores("qwen2_moe").
std::string stem_of(std::string_view class_name) {
  for (const std::string_view tail : {"ForCausalLM", "ForConditionalGeneration", "LMHeadModel", "LMHead", "Model"}) {
    if (class_name.size() > tail.size() && class_name.ends_with(tail)) {
      return lower_without_underscores(class_name.substr(0, class_name.size() - tail.size()));
    }
  }
  return lower_without_underscores(class_name);
}

template <class Table>
auto find_in(const Table& table, std::string_view class_name, std::string_view model_type) -> decltype(table.data()) {
  for (const std::string& wanted : {stem_of(class_name), lower_without_underscores(model_type)}) {
    if (wanted.empty()) continue;
    const auto found = std::ranges::find_if(
        table, [&](const auto& row) { return lower_without_underscores(row.model_type) == wanted; });
    if (found != table.end()) return &*found;
  }
  return nullptr;
}

}  // namespace

const HfArchitecture* find_architecture(std::string_view class_name, std::string_view model_type) {
  return find_in(kArchitectures, class_name, model_type);
}

const HfArchitecture& plain_architecture() { return kPlain; }

std::string_view not_assessable(std::string_view class_name, std::string_view model_type) {
  const Reason* reason = find_in(kReasons, class_name, model_type);
  return reason == nullptr ? std::string_view() : reason->why;
}

}  // namespace weft::formats
