#include "weft/formats/hf_quantisation.h"

#include <gtest/gtest.h>

#include "weft/catalog/model_rules.h"
#include "weft/llm/precision.h"

namespace weft::formats {
namespace {

using catalog::ModelShape;
using catalog::NumberFormat;
using catalog::Quantised;

struct Read {
  ModelShape shape;
  std::vector<std::string> assumed;
  double bits = 0;
};

Read read(std::string config, int experts = 0) {
  Read out;
  out.shape.layers = 4;
  out.shape.moe.experts = experts;
  const Result<JsonValue> tree = read_json({"config.json", std::move(config)});
  EXPECT_TRUE(tree) << tree.error().to_string();
  if (tree) read_quantisation(*tree, out.shape, out.assumed);
  out.bits = llm::quantised_format(out.shape).bits_per_number();
  return out;
}

TEST(HfQuantisation, Fp8InBlocks) {
  const Read deepseek = read(R"({"activation_scheme": "dynamic", "fmt": "e4m3", "quant_method": "fp8",
                                 "weight_block_size": [128, 128]})");
  EXPECT_EQ(deepseek.shape.weights, NumberFormat::fp8);
  EXPECT_EQ(deepseek.shape.weight_group, 16384);
  EXPECT_EQ(deepseek.shape.quantised, Quantised::all);
  EXPECT_FALSE(deepseek.shape.head_quantised);
  EXPECT_TRUE(deepseek.assumed.empty());
  EXPECT_EQ(read(R"({"quant_method": "fp8"})").shape.weight_group, 0);
  EXPECT_EQ(read(R"({"quant_method": "fp8", "weight_block_size": [-1, 128]})").shape.weight_group, 0);
  EXPECT_EQ(read(R"({"quant_method": "fp8", "weight_block_size": "all"})").shape.weight_group, 0);
}

TEST(HfQuantisation, Fp8OfTheFfnOnly) {
  const Read llama = read(R"({"quant_method": "fbgemm_fp8", "modules_to_not_convert": [
      "model.layers.0.self_attn.q_proj", "model.layers.1.self_attn.q_proj", "lm_head"]})");
  EXPECT_EQ(llama.shape.weights, NumberFormat::fp8);
  EXPECT_EQ(llama.shape.quantised, Quantised::ffn);
  // One layer of four is an exception, not the rule.
  EXPECT_EQ(
      read(R"({"quant_method": "fp8", "modules_to_not_convert": ["model.layers.0.self_attn.q_proj"]})").shape.quantised,
      Quantised::all);
}

TEST(HfQuantisation, Mxfp4Experts) {
  const Read oss = read(R"({"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn",
      "model.layers.*.mlp.router", "model.embed_tokens", "lm_head"]})",
                        32);
  EXPECT_EQ(oss.shape.weights, NumberFormat::mxfp4);
  EXPECT_EQ(oss.shape.quantised, Quantised::experts);
  EXPECT_DOUBLE_EQ(oss.bits, 4.25);
}

TEST(HfQuantisation, IntegerGroups) {
  EXPECT_DOUBLE_EQ(read(R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "sym": true})").bits, 4.15625);
  EXPECT_DOUBLE_EQ(read(R"({"quant_method": "awq", "bits": 4, "group_size": 64, "zero_point": true})").bits, 4.3125);
  EXPECT_DOUBLE_EQ(read(R"({"quant_method": "awq", "bits": 4, "group_size": 64, "zero_point": false})").bits, 4.25);
  EXPECT_DOUBLE_EQ(read(R"({"quant_method": "gptq", "bits": 4, "group_size": -1})").bits, 4);
  EXPECT_EQ(read(R"({"quant_method": "gptq", "bits": 8, "group_size": 128})").shape.weights, NumberFormat::int8);
  EXPECT_TRUE(read(R"({"quant_method": "gptq", "bits": 4, "group_size": 128, "lm_head": true})").shape.head_quantised);
  const Read three = read(R"({"quant_method": "gptq", "bits": 3, "group_size": 128})");
  EXPECT_EQ(three.assumed, (std::vector<std::string>{"3-bit weights are counted as 4-bit"}));
  const Read bare = read(R"({"quant_method": "auto-round"})");
  EXPECT_EQ(bare.assumed.size(), 2u);
  EXPECT_EQ(bare.shape.weights, NumberFormat::int4);
}

TEST(HfQuantisation, BitsAndBytes) {
  EXPECT_EQ(read(R"({"quant_method": "bitsandbytes", "load_in_8bit": true})").shape.weights, NumberFormat::int8);
  EXPECT_DOUBLE_EQ(read(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_quant_type": "nf4"})").bits,
                   4.5);
  EXPECT_DOUBLE_EQ(
      read(R"({"quant_method": "bitsandbytes", "load_in_4bit": true, "bnb_4bit_use_double_quant": true})").bits, 4.125);
}

TEST(HfQuantisation, CompressedTensors) {
  const Read fp8 = read(R"({"quant_method": "compressed-tensors", "format": "float-quantized", "ignore": ["lm_head"],
      "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float",
      "strategy": "channel"}}}, "kv_cache_scheme": {"num_bits": 8, "type": "float"}})");
  EXPECT_EQ(fp8.shape.weights, NumberFormat::fp8);
  EXPECT_EQ(fp8.shape.kv_cache, NumberFormat::fp8);
  EXPECT_FALSE(fp8.shape.head_quantised);
  EXPECT_TRUE(read(R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"targets": ["Linear"],
      "weights": {"num_bits": 8, "type": "int"}}}})")
                  .shape.head_quantised);
  const Read nvfp4 = read(R"({"quant_method": "compressed-tensors", "format": "nvfp4-pack-quantized",
      "config_groups": {"group_0": {"weights": {"num_bits": 4, "type": "float", "group_size": 16}}}})");
  EXPECT_EQ(nvfp4.shape.weights, NumberFormat::nvfp4);
  EXPECT_DOUBLE_EQ(nvfp4.bits, 4.5);
  const Read mxfp4 = read(R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {
      "format": "mxfp4-pack-quantized", "weights": {"num_bits": 4, "type": "float", "group_size": 32}}}})");
  EXPECT_EQ(mxfp4.shape.weights, NumberFormat::mxfp4);
  const Read blocks = read(R"({"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": {
      "num_bits": 8, "type": "float", "strategy": "block", "block_structure": [128, 128]}}}})");
  EXPECT_EQ(blocks.shape.weight_group, 16384);
}

TEST(HfQuantisation, Int4OfExpertsOnly) {
  const Read kimi = read(R"({"quant_method": "compressed-tensors", "format": "pack-quantized",
      "config_groups": {"group_0": {"targets": ["Linear"], "weights": {"num_bits": 4, "type": "int", "group_size": 32,
      "symmetric": true}}}, "ignore": ["lm_head", "re:.*self_attn.*", "re:.*shared_experts.*",
      "re:.*mlp\\.(gate|up|gate_up|down)_proj.*"]})",
                         384);
  EXPECT_EQ(kimi.shape.weights, NumberFormat::int4);
  EXPECT_DOUBLE_EQ(kimi.bits, 4.5);
  EXPECT_EQ(kimi.shape.quantised, Quantised::experts);
}

TEST(HfQuantisation, ModelOpt) {
  const Read nvfp4 = read(R"({"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_quant_algo": "FP8",
      "group_size": 16, "exclude_modules": ["lm_head", "model.layers.0.self_attn*", "model.layers.1.self_attn*",
      "model.layers.2.self_attn*"]})");
  EXPECT_EQ(nvfp4.shape.weights, NumberFormat::nvfp4);
  EXPECT_EQ(nvfp4.shape.kv_cache, NumberFormat::fp8);
  EXPECT_EQ(nvfp4.shape.quantised, Quantised::ffn);
  EXPECT_EQ(read(R"({"quant_method": "modelopt", "quant_algo": "FP8"})").shape.weights, NumberFormat::fp8);
  EXPECT_EQ(read(R"({"quant_algo": "FP8_PB_WO"})").shape.weight_group, 16384);
  EXPECT_DOUBLE_EQ(read(R"({"quant_algo": "W4A16_AWQ", "group_size": 128})").bits, 4.125);
  EXPECT_EQ(read(R"({"quant_algo": "MIXED_PRECISION"})").shape.weights, NumberFormat::bf16);
}

TEST(HfQuantisation, Quark) {
  EXPECT_EQ(
      read(R"({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp8_e4m3"}}})").shape.weights,
      NumberFormat::fp8);
  EXPECT_EQ(read(R"({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4"}}})").shape.weights,
            NumberFormat::mxfp4);
}

TEST(HfQuantisation, WhatIsNotKnownIsSaid) {
  const Read strange = read(R"({"quant_method": "exl9"})");
  EXPECT_EQ(strange.shape.weights, NumberFormat::bf16);
  EXPECT_EQ(strange.assumed, (std::vector<std::string>{"quantisation method \"exl9\" is not one weft knows: weights "
                                                       "are counted in bf16"}));
  for (const char* config :
       {"{}", R"({"config_groups": 3})", R"({"config_groups": {"a": 1}})",
        R"({"config_groups": {"a": {"weights": {"num_bits": 5, "type": "float"}}}})", R"({"quant_method": "quark"})",
        R"({"quant_method": 4})", R"({"quant_method": "modelopt"})"}) {
    const Read odd = read(config);
    EXPECT_EQ(odd.shape.weights, NumberFormat::bf16) << config;
    EXPECT_EQ(odd.assumed.size(), 1u) << config;
  }
}

}  // namespace
}  // namespace weft::formats
