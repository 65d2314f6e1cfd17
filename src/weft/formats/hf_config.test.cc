#include "weft/formats/hf_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "weft/catalog/models.h"
#include "weft/llm/parameters.h"

namespace weft::formats {
namespace {

using catalog::AttentionKind;
using catalog::ModelShape;
using catalog::NumberFormat;
using catalog::Quantised;

Result<HfConfig> read(std::string text) { return read_hf_config({"config.json", std::move(text)}); }

HfConfig read_well(std::string text) {
  Result<HfConfig> config = read(std::move(text));
  EXPECT_TRUE(config) << config.error().to_string();
  return config ? *config : HfConfig{};
}

std::string error_of(std::string text) {
  const Result<HfConfig> config = read(std::move(text));
  return config ? "no error" : config.error().to_string();
}

bool says(const HfConfig& config, std::string_view part) {
  return std::ranges::any_of(config.assumed,
                             [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

// A config of our own, one key a line.
constexpr std::string_view kTiny = R"({
  "architectures": ["LlamaForCausalLM"],
  "num_hidden_layers": 4,
  "hidden_size": 64,
  "num_attention_heads": 8,
  "num_key_value_heads": 2,
  "intermediate_size": 256,
  "vocab_size": 1000,
  "max_position_embeddings": 2048,
  "torch_dtype": "bfloat16"
})";

std::string tiny_with(std::string_view from, std::string_view to) {
  std::string text(kTiny);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}
std::string tiny_and(std::string_view more) { return tiny_with("\n}", ",\n  " + std::string(more) + "\n}"); }

TEST(HfConfig, ReadsADenseModel) {
  const HfConfig config = read_well(std::string(kTiny));
  const ModelShape& shape = config.shape;
  EXPECT_EQ(shape.architecture, "LlamaForCausalLM");
  EXPECT_EQ(shape.layers, 4);
  EXPECT_EQ(shape.hidden, 64);
  EXPECT_EQ(shape.heads, 8);
  EXPECT_EQ(shape.kv_heads, 2);
  EXPECT_EQ(shape.head_dim, 8);
  EXPECT_EQ(shape.ffn, 256);
  EXPECT_EQ(shape.vocab, 1000);
  EXPECT_EQ(shape.context, 2048);
  EXPECT_FALSE(shape.tied_embeddings);
  EXPECT_EQ(shape.weights, NumberFormat::bf16);
  EXPECT_TRUE(config.assumed.empty());
}

TEST(HfConfig, NamesTheModelByItsFolderOrItself) {
  const auto id_of = [](std::string file, std::string text) {
    return read_hf_config({std::move(file), std::move(text)})->shape.id;
  };
  EXPECT_EQ(id_of("models/Llama-3.1-8B/config.json", std::string(kTiny)), "Llama-3.1-8B");
  EXPECT_EQ(id_of("my-model.json", std::string(kTiny)), "my-model.json");
  EXPECT_EQ(id_of("config.json", tiny_and("\"_name_or_path\": \"org/own\"")), "org/own");
  EXPECT_EQ(id_of("-", tiny_and("\"_name_or_path\": \"org/own\"")), "org/own");
  EXPECT_EQ(id_of("./config.json", std::string(kTiny)), "config.json");
}

// Key figures of published configs; the counts are the publishers' (safetensors headers), so every bias, norm and
// matrix that the architecture implies must be right. Tolerance: what a ModelShape has no field for, named behind each.
struct Published {
  const char* name;
  const char* config;
  std::int64_t parameters;
  std::int64_t not_counted;
};
constexpr Published kPublished[] = {
    {"EleutherAI/pythia-70m",
     R"({"architectures": ["GPTNeoXForCausalLM"], "hidden_size": 512, "intermediate_size": 2048,
      "num_attention_heads": 8, "num_hidden_layers": 6, "tie_word_embeddings": false, "use_parallel_residual": true,
      "vocab_size": 50304, "max_position_embeddings": 2048, "torch_dtype": "float16"})",
     70'426'624, 0},
    {"facebook/opt-125m", R"({"architectures": ["OPTForCausalLM"], "ffn_dim": 3072, "hidden_size": 768,
      "max_position_embeddings": 2048, "num_attention_heads": 12, "num_hidden_layers": 12, "vocab_size": 50272,
      "torch_dtype": "float16"})",
     125'239'296, 0},
    {"openai-community/gpt2", R"({"architectures": ["GPT2LMHeadModel"], "n_ctx": 1024, "n_embd": 768, "n_head": 12,
      "n_layer": 12, "n_positions": 1024, "vocab_size": 50257})",
     124'439'808, 0},
    {"EleutherAI/gpt-j-6b", R"({"architectures": ["GPTJForCausalLM"], "n_embd": 4096, "n_head": 16, "n_inner": null,
      "n_layer": 28, "n_positions": 2048, "rotary_dim": 64, "tie_word_embeddings": false, "vocab_size": 50400})",
     6'050'882'784, 50'400 /* the head's bias */},
    {"bigscience/bloom-560m", R"({"architectures": ["BloomForCausalLM"], "hidden_size": 1024, "n_head": 16,
      "n_layer": 24, "vocab_size": 250880})",
     559'214'592, 2'048 /* a norm behind the token table */},
    {"tiiuae/falcon-7b", R"({"architectures": ["FalconForCausalLM"], "alibi": false, "bias": false, "hidden_size": 4544,
      "multi_query": true, "new_decoder_architecture": false, "num_attention_heads": 71, "num_hidden_layers": 32,
      "num_kv_heads": 71, "parallel_attn": true, "vocab_size": 65024, "torch_dtype": "bfloat16"})",
     6'921'720'704, 0},
    {"mosaicml/mpt-7b", R"({"architectures": ["MPTForCausalLM"], "attn_config": {"alibi": true}, "d_model": 4096,
      "expansion_ratio": 4, "max_seq_len": 2048, "n_heads": 32, "n_layers": 32, "no_bias": true, "vocab_size": 50432})",
     6'649'286'656, 0},
    {"databricks/dbrx-base", R"({"architectures": ["DbrxForCausalLM"], "attn_config": {"kv_n_heads": 8},
      "d_model": 6144, "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4},
      "max_seq_len": 32768, "n_heads": 48, "n_layers": 40, "tie_word_embeddings": false, "vocab_size": 100352})",
     131'596'523'520, 0},
    {"microsoft/phi-2", R"({"architectures": ["PhiForCausalLM"], "hidden_size": 2560, "intermediate_size": 10240,
      "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32, "tie_word_embeddings": false,
      "vocab_size": 51200})",
     2'779'683'840, 51'200 /* the head's bias */},
    {"microsoft/Phi-3.5-MoE-instruct", R"({"architectures": ["PhiMoEForCausalLM"], "attention_bias": true,
      "hidden_size": 4096, "intermediate_size": 6400, "num_attention_heads": 32, "num_experts_per_tok": 2,
      "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 16, "vocab_size": 32064})",
     41'873'153'344, 32'064 /* the head's bias */},
    {"bigcode/starcoder2-3b", R"({"architectures": ["Starcoder2ForCausalLM"], "hidden_size": 3072,
      "intermediate_size": 12288, "num_attention_heads": 24, "num_hidden_layers": 30, "num_key_value_heads": 2,
      "sliding_window": 4096, "use_bias": true, "vocab_size": 49152})",
     3'030'371'328, 0},
    {"google/gemma-7b", R"({"architectures": ["GemmaForCausalLM"], "head_dim": 256, "hidden_size": 3072,
      "intermediate_size": 24576, "num_attention_heads": 16, "num_hidden_layers": 28, "num_key_value_heads": 16,
      "vocab_size": 256000})",
     8'537'680'896, 0},
    {"google/gemma-2-9b", R"({"architectures": ["Gemma2ForCausalLM"], "head_dim": 256, "hidden_size": 3584,
      "intermediate_size": 14336, "num_attention_heads": 16, "num_hidden_layers": 42, "num_key_value_heads": 8,
      "sliding_window": 4096, "vocab_size": 256000})",
     9'241'705'984, 0},
    {"google/gemma-3-27b-it", R"({"architectures": ["Gemma3ForConditionalGeneration"], "model_type": "gemma3",
      "text_config": {"head_dim": 128, "hidden_size": 5376, "intermediate_size": 21504, "model_type": "gemma3_text",
      "num_attention_heads": 32, "num_hidden_layers": 62, "num_key_value_heads": 16, "sliding_window": 1024},
      "torch_dtype": "bfloat16", "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27}})",
     27'009'346'304, 0},
    {"CohereForAI/c4ai-command-r-v01", R"({"architectures": ["CohereForCausalLM"], "hidden_size": 8192,
      "intermediate_size": 22528, "num_attention_heads": 64, "num_hidden_layers": 40, "num_key_value_heads": 64,
      "use_qk_norm": false, "vocab_size": 256000})",
     34'980'831'232, 0},
    {"internlm/internlm2-7b", R"({"architectures": ["InternLM2ForCausalLM"], "bias": false, "hidden_size": 4096,
      "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8,
      "tie_word_embeddings": false, "vocab_size": 92544})",
     7'737'708'544, 0},
    {"THUDM/chatglm3-6b", R"({"architectures": ["ChatGLMModel"], "model_type": "chatglm", "add_qkv_bias": true,
      "ffn_hidden_size": 13696, "hidden_size": 4096, "kv_channels": 128, "multi_query_attention": true,
      "multi_query_group_num": 2, "num_attention_heads": 32, "num_layers": 28, "padded_vocab_size": 65024,
      "seq_length": 8192})",
     6'243'584'000, 0},
    {"Qwen/Qwen1.5-MoE-A2.7B", R"({"architectures": ["Qwen2MoeForCausalLM"], "decoder_sparse_step": 1,
      "hidden_size": 2048, "intermediate_size": 5632, "moe_intermediate_size": 1408, "num_attention_heads": 16,
      "num_experts": 60, "num_experts_per_tok": 4, "num_hidden_layers": 24, "num_key_value_heads": 16,
      "shared_expert_intermediate_size": 5632, "sliding_window": 32768, "use_sliding_window": false,
      "vocab_size": 151936})",
     14'315'784'192, 0},
    {"Qwen/Qwen2-57B-A14B", R"({"architectures": ["Qwen2MoeForCausalLM"], "hidden_size": 3584,
      "intermediate_size": 18944, "moe_intermediate_size": 2560, "num_attention_heads": 28, "num_experts": 64,
      "num_experts_per_tok": 8, "num_hidden_layers": 28, "num_key_value_heads": 4,
      "shared_expert_intermediate_size": 20480, "vocab_size": 151936})",
     57'408'658'944, 0},
    {"allenai/OLMoE-1B-7B-0924", R"({"architectures": ["OlmoeForCausalLM"], "hidden_size": 2048,
      "intermediate_size": 1024, "num_attention_heads": 16, "num_experts": 64, "num_experts_per_tok": 8,
      "num_hidden_layers": 16, "num_key_value_heads": 16, "vocab_size": 50304})",
     6'919'161'856, 16 * 2 * (2048 - 128) /* query and key norms over all heads */},
};

TEST(HfConfig, PublishedCountsOfManyArchitectures) {
  for (const Published& model : kPublished) {
    const Result<HfConfig> config = read(model.config);
    ASSERT_TRUE(config) << model.name << '\n' << config.error().to_string();
    EXPECT_EQ(llm::count_parameters(config->shape).total() + model.not_counted, model.parameters) << model.name;
    EXPECT_FALSE(says(*config, "not one weft knows")) << model.name;
  }
}

// The catalog's shapes and the configs that they stand for must be one.
std::vector<ModelShape> shipped_models() {
  std::ifstream file("data/catalog/models.toml");
  std::stringstream content;
  content << file.rdbuf();
  const Result<std::vector<ModelShape>> models = catalog::read_models({"models.toml", content.str()});
  EXPECT_TRUE(models);
  return models ? *models : std::vector<ModelShape>();
}

void expect_as_shipped(const ModelShape& read, std::string_view id) {
  const std::vector<ModelShape> models = shipped_models();
  const auto shipped = std::ranges::find(models, id, &ModelShape::id);
  ASSERT_NE(shipped, models.end()) << id;
  EXPECT_EQ(llm::count_parameters(read).total(), llm::count_parameters(*shipped).total()) << id;
  EXPECT_EQ(read.layers, shipped->layers);
  EXPECT_EQ(read.kv_heads, shipped->kv_heads);
  EXPECT_EQ(read.head_dim, shipped->head_dim);
  EXPECT_EQ(read.ffn, shipped->ffn);
  EXPECT_EQ(read.context, shipped->context);
  EXPECT_EQ(read.sliding_window, shipped->sliding_window);
  EXPECT_EQ(read.window_every, shipped->window_every);
  EXPECT_EQ(read.full_attention_layers, shipped->full_attention_layers);
  EXPECT_EQ(read.moe.experts, shipped->moe.experts);
  EXPECT_EQ(read.moe.experts_per_token, shipped->moe.experts_per_token);
  EXPECT_EQ(read.moe.shared_experts, shipped->moe.shared_experts);
  EXPECT_EQ(read.moe.leading_dense_layers, shipped->moe.leading_dense_layers);
  EXPECT_EQ(read.attention, shipped->attention);
  EXPECT_EQ(read.weights, shipped->weights);
  EXPECT_EQ(read.weight_group, shipped->weight_group);
  EXPECT_EQ(read.quantised, shipped->quantised);
}

TEST(HfConfig, DeepSeekV3) {
  const HfConfig config = read_well(R"({"architectures": ["DeepseekV3ForCausalLM"], "attention_bias": false,
      "first_k_dense_replace": 3, "hidden_size": 7168, "intermediate_size": 18432, "kv_lora_rank": 512,
      "max_position_embeddings": 163840, "model_type": "deepseek_v3", "moe_intermediate_size": 2048,
      "moe_layer_freq": 1, "n_group": 8, "n_routed_experts": 256, "n_shared_experts": 1, "num_attention_heads": 128,
      "num_experts_per_tok": 8, "num_hidden_layers": 61, "num_key_value_heads": 128, "num_nextn_predict_layers": 1,
      "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "quantization_config": {
      "activation_scheme": "dynamic", "fmt": "e4m3", "quant_method": "fp8", "weight_block_size": [128, 128]},
      "tie_word_embeddings": false, "torch_dtype": "bfloat16", "v_head_dim": 128, "vocab_size": 129280})");
  expect_as_shipped(config.shape, "deepseek-v3");
  EXPECT_EQ(config.shape.latent.q_rank, 1536);
  EXPECT_EQ(config.assumed, (std::vector<std::string>{"multi-token-prediction layers are not counted"}));
}

TEST(HfConfig, DeepSeekV2LiteHasNoQueryCompression) {
  const HfConfig config = read_well(R"({"architectures": ["DeepseekV2ForCausalLM"], "first_k_dense_replace": 1,
      "hidden_size": 2048, "intermediate_size": 10944, "kv_lora_rank": 512, "max_position_embeddings": 163840,
      "moe_intermediate_size": 1408, "n_routed_experts": 64, "n_shared_experts": 2, "num_attention_heads": 16,
      "num_experts_per_tok": 6, "num_hidden_layers": 27, "q_lora_rank": null, "qk_nope_head_dim": 128,
      "qk_rope_head_dim": 64, "torch_dtype": "bfloat16", "v_head_dim": 128, "vocab_size": 102400})");
  expect_as_shipped(config.shape, "deepseek-v2-lite");
}

TEST(HfConfig, GptOss) {
  const HfConfig config = read_well(R"({"architectures": ["GptOssForCausalLM"], "attention_bias": true, "head_dim": 64,
      "hidden_size": 2880, "intermediate_size": 2880, "layer_types": ["sliding_attention", "full_attention",
      "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
      "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention",
      "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
      "full_attention", "sliding_attention", "full_attention", "sliding_attention", "full_attention",
      "sliding_attention", "full_attention"], "max_position_embeddings": 131072, "num_attention_heads": 64,
      "num_experts_per_tok": 4, "num_hidden_layers": 24, "num_key_value_heads": 8, "num_local_experts": 32,
      "quantization_config": {"modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router",
      "model.embed_tokens", "lm_head"], "quant_method": "mxfp4"}, "sliding_window": 128,
      "tie_word_embeddings": false, "vocab_size": 201088})");
  expect_as_shipped(config.shape, "gpt-oss-20b");
  EXPECT_EQ(config.assumed, (std::vector<std::string>{"torch_dtype is not given: bf16"}));
}

TEST(HfConfig, OtherShapesOfTheCatalog) {
  expect_as_shipped(read_well(R"({"architectures": ["Qwen2ForCausalLM"], "hidden_size": 8192,
      "intermediate_size": 29568, "max_position_embeddings": 131072, "max_window_layers": 80,
      "num_attention_heads": 64, "num_hidden_layers": 80, "num_key_value_heads": 8, "sliding_window": 131072,
      "tie_word_embeddings": false, "torch_dtype": "bfloat16", "use_sliding_window": false, "vocab_size": 152064})")
                        .shape,
                    "qwen2.5-72b");
  expect_as_shipped(read_well(R"({"architectures": ["Qwen3MoeForCausalLM"], "attention_bias": false,
      "decoder_sparse_step": 1, "head_dim": 128, "hidden_size": 2048, "intermediate_size": 6144,
      "max_position_embeddings": 40960, "max_window_layers": 48, "mlp_only_layers": [], "moe_intermediate_size": 768,
      "num_attention_heads": 32, "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48,
      "num_key_value_heads": 4, "sliding_window": null, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
      "use_sliding_window": false, "vocab_size": 151936})")
                        .shape,
                    "qwen3-30b-a3b");
  expect_as_shipped(read_well(R"({"architectures": ["MixtralForCausalLM"], "hidden_size": 4096,
      "intermediate_size": 14336, "max_position_embeddings": 32768, "num_attention_heads": 32,
      "num_experts_per_tok": 2, "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 8,
      "sliding_window": null, "tie_word_embeddings": false, "torch_dtype": "bfloat16", "vocab_size": 32000})")
                        .shape,
                    "mixtral-8x7b");
  expect_as_shipped(read_well(R"({"architectures": ["MistralForCausalLM"], "hidden_size": 4096,
      "intermediate_size": 14336, "max_position_embeddings": 32768, "num_attention_heads": 32, "num_hidden_layers": 32,
      "num_key_value_heads": 8, "sliding_window": 4096, "torch_dtype": "bfloat16", "vocab_size": 32000})")
                        .shape,
                    "mistral-7b-v0.1");
  expect_as_shipped(read_well(R"({"architectures": ["LlamaForCausalLM"], "head_dim": 64, "hidden_size": 2048,
      "intermediate_size": 8192, "max_position_embeddings": 131072, "mlp_bias": false, "attention_bias": false,
      "num_attention_heads": 32, "num_hidden_layers": 16, "num_key_value_heads": 8, "tie_word_embeddings": true,
      "torch_dtype": "bfloat16", "vocab_size": 128256})")
                        .shape,
                    "llama-3.2-1b");
}

TEST(HfConfig, ScatteredDenseLayers) {
  const auto moe_of = [](std::string_view keys) {
    return read_well(tiny_and(R"("num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 32, )" +
                              std::string(keys)))
        .shape;
  };
  const auto pattern = [&](std::string_view keys) {
    const ModelShape shape = moe_of(keys);
    std::string text;
    for (int i = 0; i < shape.layers; ++i) text += catalog::is_moe_layer(shape, i) ? 'm' : '.';
    return text;
  };
  EXPECT_EQ(pattern(R"("x": 0)"), "mmmm");
  EXPECT_EQ(moe_of(R"("x": 0)").ffn, 0);
  EXPECT_EQ(pattern(R"("decoder_sparse_step": 2)"), ".m.m");
  EXPECT_EQ(pattern(R"("mlp_only_layers": [2])"), "mm.m");
  EXPECT_EQ(pattern(R"("first_k_dense_replace": 1, "moe_layer_freq": 2)"), "..m.");
  EXPECT_EQ(pattern(R"("moe_layer_freq": [0, 1, 1, 0])"), ".mm.");
  EXPECT_EQ(pattern(R"("interleave_moe_layer_step": 2)"), ".m.m");
  EXPECT_EQ(pattern(R"("expert_layer_period": 2, "expert_layer_offset": 1)"), ".m.m");
  EXPECT_EQ(pattern(R"("mlp_layer_types": ["dense", "sparse", "sparse", "dense"])"), ".mm.");
  EXPECT_EQ(pattern(R"("moe_layer_start_index": 2, "moe_layer_interval": 1)"), "..mm");
  EXPECT_EQ(pattern(R"("mlp_only_layers": [0, 1, 2, 3])"), "....");
  EXPECT_EQ(moe_of(R"("mlp_only_layers": [0, 1, 2, 3])").moe.experts, 0);
}

TEST(HfConfig, SlidingWindows) {
  const auto pattern = [](std::string text) {
    const ModelShape shape = read_well(std::move(text)).shape;
    std::string out;
    for (int i = 0; i < shape.layers; ++i) out += catalog::is_windowed_layer(shape, i) ? 'w' : '.';
    return out;
  };
  const auto of_type = [](std::string_view type, std::string_view keys) {
    return tiny_with("\"architectures\": [\"LlamaForCausalLM\"]",
                     "\"model_type\": \"" + std::string(type) + "\", \"sliding_window\": 64, " + std::string(keys));
  };
  EXPECT_EQ(pattern(of_type("mistral", R"("x": 0)")), "wwww");
  EXPECT_EQ(pattern(of_type("gemma2", R"("x": 0)")), "w.w.");
  EXPECT_EQ(pattern(of_type("llama", R"("x": 0)")), "....");
  EXPECT_EQ(pattern(of_type("qwen2", R"("use_sliding_window": true, "max_window_layers": 3)")), "...w");
  EXPECT_EQ(pattern(of_type("qwen2", R"("use_sliding_window": false, "max_window_layers": 0)")), "....");
  EXPECT_EQ(pattern(of_type("cohere2", R"("x": 0)")), "www.");
  EXPECT_EQ(pattern(of_type("cohere2", R"("sliding_window_pattern": 2)")), "w.w.");
  EXPECT_EQ(pattern(of_type("gemma3_text", R"("layer_types": ["full_attention", "sliding_attention",
      "sliding_attention", "full_attention"])")),
            ".ww.");
  EXPECT_EQ(pattern(of_type("never-seen", R"("x": 0)")), "wwww");
  EXPECT_TRUE(says(read_well(of_type("never-seen", R"("x": 0)")), "sliding_window is taken to hold in every layer"));
  EXPECT_EQ(pattern(tiny_and("\"sliding_window\": -1")), "....");
}

TEST(HfConfig, WhatTheFileLeavesOpenIsSaid) {
  const HfConfig bare = read_well(R"({"num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4,
      "intermediate_size": 128, "vocab_size": 100})");
  EXPECT_EQ(bare.assumed,
            (std::vector<std::string>{
                "no architecture is named: read by its keys, as a decoder with gated FFN, RMSNorm and no biases",
                "the longest context is not given",
                "num_key_value_heads is not given: as many KV heads as heads (4)",
                "torch_dtype is not given: bf16",
            }));
  EXPECT_TRUE(says(read_well(tiny_with("LlamaForCausalLM", "NewForCausalLM")),
                   "architecture \"NewForCausalLM\" is not one weft knows: read by its keys"));
  EXPECT_TRUE(says(read_well(tiny_with("\"bfloat16\"", "\"int7\"")), "torch_dtype \"int7\": bf16"));
}

TEST(HfConfig, SlipsInOptionalKeysAreSaid) {
  const HfConfig config = read_well(tiny_with("num_key_value_heads", "num_key_value_head"));
  EXPECT_EQ(config.shape.kv_heads, 8);
  EXPECT_TRUE(says(config,
                   "\"num_key_value_head\" is not a key weft knows and was ignored; if num_key_value_heads is "
                   "meant, mend it"));
}

TEST(HfConfig, NumberFormats) {
  EXPECT_EQ(read_well(tiny_with("bfloat16", "float16")).shape.compute, NumberFormat::fp16);
  EXPECT_EQ(read_well(tiny_with("bfloat16", "torch.float32")).shape.weights, NumberFormat::fp32);
  EXPECT_EQ(read_well(tiny_with("\"torch_dtype\": \"bfloat16\"", "\"dtype\": \"float16\"")).shape.kv_cache,
            NumberFormat::fp16);
  EXPECT_EQ(read_well(tiny_and(R"("quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128})"))
                .shape.weights,
            NumberFormat::int4);
}

TEST(HfConfig, MultimodalConfigsKeepTheTextPart) {
  const HfConfig config = read_well(R"({"architectures": ["KimiK25ForConditionalGeneration"], "dtype": "bfloat16",
      "text_config": {"architectures": ["DeepseekV3ForCausalLM"], "first_k_dense_replace": 1, "hidden_size": 7168,
      "intermediate_size": 18432, "kv_lora_rank": 512, "max_position_embeddings": 131072,
      "moe_intermediate_size": 2048, "n_routed_experts": 384, "n_shared_experts": 1, "num_attention_heads": 64,
      "num_experts_per_tok": 8, "num_hidden_layers": 61, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
      "qk_rope_head_dim": 64, "top_k": 50, "v_head_dim": 128, "vocab_size": 163840},
      "vision_config": {"hidden_size": 1152}})");
  EXPECT_EQ(llm::count_parameters(config.shape).total(), 1'026'408'232'448);
  EXPECT_EQ(config.shape.architecture, "KimiK25ForConditionalGeneration");
  EXPECT_TRUE(says(config, "only the language model is counted"));
  const HfConfig nested = read_well("{\"thinker_config\": {\"text_config\": " + std::string(kTiny) + "}}");
  EXPECT_EQ(nested.shape.layers, 4);
}

TEST(HfConfig, Sniffing) {
  EXPECT_TRUE(looks_like_hf_config(kTiny));
  EXPECT_TRUE(looks_like_hf_config("\xef\xbb\xbf  {\"model_type\" : \"x\"}"));
  EXPECT_FALSE(looks_like_hf_config(""));
  EXPECT_FALSE(looks_like_hf_config("[\"hidden_size\"]"));
  EXPECT_FALSE(looks_like_hf_config("{\"schema\": \"hidden_size\"}"));
  EXPECT_FALSE(looks_like_hf_config("{\"servers\": 3}"));
}

TEST(HfConfigErrors, MissingKeyIsNamed) {
  EXPECT_EQ(error_of(tiny_with("  \"vocab_size\": 1000,\n", "")),
            "error WEFT-FMT-0406: config.json:1:1: the size of the vocabulary is not given: no vocab_size\n"
            "  1 | {\n"
            "    | ^\n"
            "  expected: vocab_size (or padded_vocab_size)\n");
  EXPECT_NE(error_of(tiny_with("  \"intermediate_size\": 256,\n", "")).find("the width of the FFN is not given"),
            std::string::npos);
  EXPECT_NE(error_of(tiny_with("  \"hidden_size\": 64,\n", "")).find("no hidden_size"), std::string::npos);
  EXPECT_NE(error_of(tiny_with("  \"num_attention_heads\": 8,\n", "")).find("no num_attention_heads"),
            std::string::npos);
  EXPECT_NE(error_of(tiny_and("\"num_experts\": 8")).find("no num_experts_per_tok"), std::string::npos);
  EXPECT_NE(error_of(tiny_and("\"kv_lora_rank\": 8")).find("no qk_nope_head_dim"), std::string::npos);
  EXPECT_NE(error_of("{\"model_type\": \"llama\"}").find("no num_hidden_layers"), std::string::npos);
  EXPECT_NE(error_of("{\"vocab_size\": null, " + std::string(kTiny).substr(1)).find("more than once"),
            std::string::npos);
}

TEST(HfConfigErrors, NearMissIsShown) {
  EXPECT_EQ(error_of(tiny_with("num_hidden_layers", "num_hiden_layers")),
            "error WEFT-FMT-0406: config.json:3:3: the number of layers is not given: no num_hidden_layers\n"
            "  3 |   \"num_hiden_layers\": 4,\n"
            "    |   ^\n"
            "  expected: num_hidden_layers (or n_layer, num_layers, n_layers)\n"
            "  hint: \"num_hiden_layers\" stands here: did you mean num_hidden_layers?\n");
  EXPECT_NE(error_of(tiny_with("hidden_size", "hiddenSize")).find("did you mean hidden_size?"), std::string::npos);
}

TEST(HfConfigErrors, MissingInTheTextPartPointsThere) {
  const std::string text = "{\n \"model_type\": \"llava\",\n \"text_config\": {\"num_layers\": 2, \"d_model\": 8}\n}";
  EXPECT_EQ(error_of(text).substr(0, 87),
            "error WEFT-FMT-0406: config.json:3:2: the size of the vocabulary is not given: no vocab");
}

TEST(HfConfigErrors, WrongValues) {
  EXPECT_EQ(error_of(tiny_with("\"hidden_size\": 64", "\"hidden_size\": \"64\"")),
            "error WEFT-FMT-0407: config.json:4:3: \"hidden_size\" is \"64\"\n"
            "  4 |   \"hidden_size\": \"64\",\n"
            "    |   ^\n"
            "  expected: a whole number from 1 to 4194304\n");
  const auto hidden = [](std::string_view value) {
    return error_of(tiny_with("\"hidden_size\": 64", "\"hidden_size\": " + std::string(value)));
  };
  EXPECT_NE(hidden("-64").find("\"hidden_size\" is -64"), std::string::npos);
  EXPECT_NE(hidden("0").find("\"hidden_size\" is 0"), std::string::npos);
  EXPECT_NE(hidden("64.5").find("\"hidden_size\" is 64.5"), std::string::npos);
  EXPECT_NE(hidden("NaN").find("\"hidden_size\" is NaN"), std::string::npos);
  EXPECT_NE(hidden("-Infinity").find("\"hidden_size\" is -Infinity"), std::string::npos);
  EXPECT_NE(hidden("1e30").find("\"hidden_size\" is 1e30"), std::string::npos);
  EXPECT_NE(hidden("99999999999999999999").find("\"hidden_size\" is 99999999999999999999"), std::string::npos);
  EXPECT_NE(hidden("[64]").find("\"hidden_size\" is a list"), std::string::npos);
  EXPECT_NE(hidden("{\"a\": 1}").find("\"hidden_size\" is an object"), std::string::npos);
  EXPECT_NE(hidden("true").find("\"hidden_size\" is true or false"), std::string::npos);
  EXPECT_NE(hidden("null").find("no hidden_size"), std::string::npos);
  EXPECT_NE(error_of(tiny_and("\"tie_word_embeddings\": 1")).find("expected: true or false"), std::string::npos);
  EXPECT_NE(error_of(tiny_and(R"("num_experts": 4, "num_experts_per_tok": 5, "moe_intermediate_size": 8)"))
                .find("\"num_experts_per_tok\" is 5"),
            std::string::npos);
  EXPECT_NE(error_of(tiny_and(R"("num_experts": 4, "num_experts_per_tok": 2, "mlp_only_layers": [-1])"))
                .find("is not a list of layer numbers"),
            std::string::npos);
  EXPECT_NE(error_of(tiny_and(R"("sliding_window": 8, "layer_types": ["full_attention"])"))
                .find("\"layer_types\" does not name each of the 4 layers"),
            std::string::npos);
}

TEST(HfConfigErrors, AKeyThatStandsTwice) {
  EXPECT_EQ(error_of(tiny_and("\"hidden_size\": 128")),
            "error WEFT-FMT-0408: config.json:4:3: \"hidden_size\" stands more than once, and only one can hold\n"
            "  4 |   \"hidden_size\": 64,\n"
            "    |   ^\n"
            "  expected: one hidden_size\n");
  EXPECT_EQ(error_of(tiny_and("\"eos_token_id\": 1, \"eos_token_id\": 2")), "no error");
}

TEST(HfConfigErrors, HeadsThatDoNotDivide) {
  EXPECT_EQ(error_of(tiny_with("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3")),
            "error WEFT-FMT-0409: config.json:6:3: \"num_key_value_heads\" is 3, which does not divide the 8 attention "
            "heads\n"
            "  6 |   \"num_key_value_heads\": 3,\n"
            "    |   ^\n");
  EXPECT_EQ(error_of(tiny_with("\"num_attention_heads\": 8", "\"num_attention_heads\": 6")),
            "error WEFT-FMT-0409: config.json:5:3: the hidden size 64 is not a multiple of the 6 heads, and no "
            "head_dim is given\n"
            "  5 |   \"num_attention_heads\": 6,\n"
            "    |   ^\n");
  EXPECT_EQ(
      read_well(tiny_with("\"num_attention_heads\": 8", "\"num_attention_heads\": 6, \"head_dim\": 16")).shape.head_dim,
      16);
}

TEST(HfConfigErrors, AbsurdSizes) {
  const std::string absurd = R"({"num_hidden_layers": 10000, "hidden_size": 4194304, "num_attention_heads": 64,
      "num_experts": 65536, "num_experts_per_tok": 1, "moe_intermediate_size": 67108864, "vocab_size": 1})";
  EXPECT_NE(error_of(absurd).find("WEFT-FMT-0409"), std::string::npos);
  EXPECT_NE(error_of(absurd).find("more than 10^16 parameters"), std::string::npos);
}

TEST(HfConfigErrors, OtherFilesOfAModelsFolder) {
  EXPECT_EQ(error_of(R"({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "NVFP4"}})"),
            "error WEFT-FMT-0405: config.json:1:2: this is hf_quant_config.json, which says how a model was quantised\n"
            "  1 | {\"producer\": {\"name\": \"modelopt\"}, \"quantization\": {\"quant_algo\": \"NVFP4\"}}\n"
            "    |  ^\n"
            "  expected: the model's config.json\n"
            "  hint: it stands in the same folder as the weights\n");
  EXPECT_NE(error_of(R"({"peft_type": "LORA"})").find("a LoRA adapter"), std::string::npos);
  EXPECT_NE(error_of(R"({"metadata": {}, "weight_map": {}})").find("the index of the weight files"), std::string::npos);
  EXPECT_NE(error_of("[1]").find("WEFT-FMT-0405: config.json:1:1: the file holds a list"), std::string::npos);
  EXPECT_NE(error_of("3").find("the file holds a number"), std::string::npos);
}

TEST(HfConfigErrors, KindsThatAreNotAssessed) {
  const auto refused = [](std::string text) {
    const Result<HfConfig> config = read(std::move(text));
    EXPECT_FALSE(config);
    if (config) return std::string();
    EXPECT_EQ(config.error().kind, ErrorKind::unassessable);
    return config.error().to_string();
  };
  EXPECT_EQ(refused(tiny_with("LlamaForCausalLM", "MambaForCausalLM")),
            "error WEFT-FMT-0410: config.json:2:3: \"MambaForCausalLM\": it has state-space (Mamba) layers, which weft "
            "does not model yet\n"
            "  2 |   \"architectures\": [\"MambaForCausalLM\"],\n"
            "    |   ^\n");
  EXPECT_NE(refused(tiny_with("LlamaForCausalLM", "Qwen3NextForCausalLM")).find("linear-attention"), std::string::npos);
  EXPECT_NE(refused(tiny_and("\"is_encoder_decoder\": true")).find("encoder and decoder"), std::string::npos);
  EXPECT_NE(refused(tiny_and("\"mamba_d_state\": 16")).find("\"mamba_d_state\" speaks of layers without attention"),
            std::string::npos);
  EXPECT_NE(refused(tiny_with("\"num_attention_heads\": 8", "\"num_attention_heads\": [8, 4, 8, 8]"))
                .find("differs from layer to layer"),
            std::string::npos);
  EXPECT_NE(refused(tiny_and(R"("layer_types": ["full_attention", "linear_attention", "full_attention", "mamba"])"))
                .find("layers of type \"linear_attention\""),
            std::string::npos);
}

TEST(HfConfigErrors, SyntaxComesThrough) {
  EXPECT_NE(error_of(std::string(kTiny).substr(0, 90)).find("WEFT-FMT-0403"), std::string::npos);
  EXPECT_NE(error_of("").find("WEFT-FMT-0401"), std::string::npos);
}

TEST(HfConfigErrors, HostileTextStaysOutOfMessages) {
  const std::string error =
      error_of(tiny_with("\"hidden_size\": 64", "\"hidden_size\": \"\\u001b[31m" + std::string(500, 'x') + "\""));
  EXPECT_LT(error.size(), 500u);
  EXPECT_EQ(error.find('\x1b'), std::string::npos);
}

// Every prefix of a config is an answer, never a crash.
TEST(HfConfigErrors, EveryCutIsAnAnswer) {
  for (std::size_t length = 0; length < kTiny.size(); ++length) {
    EXPECT_FALSE(read(std::string(kTiny.substr(0, length))));
  }
}

}  // namespace
}  // namespace weft::formats
