#include "weft/llm/parallelism.h"

#include <gtest/gtest.h>

#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

using catalog::ModelShape;

std::string error_of(const ModelShape& shape, Parallelism parallelism) {
  const Result<void> checked = check_parallelism(shape, parallelism);
  return checked ? "fine" : checked.error().to_string();
}

TEST(Parallelism, WhatExists) {
  const ModelShape llama = shipped("llama-3.1-70b");
  for (const int tp : {1, 2, 4, 8, 16, 32, 64}) EXPECT_EQ(error_of(llama, {tp, 1, 1}), "fine") << tp;
  EXPECT_EQ(error_of(llama, {8, 80, 1}), "fine");
  EXPECT_EQ(error_of(shipped("deepseek-v3"), {8, 4, 64, 1, 8}), "fine");
  EXPECT_EQ(error_of(shipped("deepseek-v3"), {8, 4, 16, 2, 8}), "fine");
  EXPECT_EQ(error_of(shipped("mixtral-8x7b"), {8, 1, 2}), "fine");
}

TEST(Parallelism, WhatDoesNot) {
  const ModelShape llama = shipped("llama-3.1-70b");
  EXPECT_EQ(error_of(llama, {3, 1, 1}),
            "error WEFT-LLM-0001: tp 3 does not divide the 64 attention heads of llama-3.1-70b\n"
            "  expected: a divisor of 64: 1, 2, 4, 8, 16, 32, 64\n");
  EXPECT_EQ(error_of(llama, {0, 1, 1}).substr(0, 42), "error WEFT-LLM-0001: tp 0 does not divide ");
  EXPECT_EQ(error_of(shipped("phi-4"), {4, 1, 1}),
            "error WEFT-LLM-0001: tp 4 neither divides the 10 KV heads of phi-4 nor is a multiple of them\n");
  EXPECT_EQ(error_of(llama, {8, 81, 1}),
            "error WEFT-LLM-0002: pp 81 for the 80 layers of llama-3.1-70b\n  expected: 1 to 80\n");
  EXPECT_EQ(error_of(llama, {8, 1, 2}), "error WEFT-LLM-0003: ep 2, but llama-3.1-70b has no experts\n  expected: 1\n");
  EXPECT_EQ(error_of(shipped("mixtral-8x7b"), {8, 1, 16}),
            "error WEFT-LLM-0003: ep 16 does not divide the 8 experts of mixtral-8x7b\n"
            "  expected: a divisor of 8: 1, 2, 4, 8\n");
  EXPECT_EQ(
      error_of(shipped("deepseek-v2"), {8, 1, 5}),
      "error WEFT-LLM-0004: ep 5 does not divide the 8 GPUs of a stage that share the experts (tp x attention-dp)\n");
  EXPECT_EQ(error_of(llama, {8, 1, 1, 1, 2}),
            "error WEFT-LLM-0005: attention-dp 2, but llama-3.1-70b has no experts to share: its replicas stand alone "
            "(dp)\n  expected: 1\n");
  EXPECT_EQ(error_of(llama, {8, 1, 1, 0}), "error WEFT-LLM-0005: cp 0\n  expected: 1 or more\n");
}

TEST(Parallelism, TheQuickQuestionAgreesWithTheOneThatExplains) {
  for (const std::string_view id : {"llama-3.1-70b", "phi-4", "mixtral-8x7b", "deepseek-v2"}) {
    const ModelShape model = shipped(id);
    for (const int tp : {0, 1, 3, 4, 8}) {
      for (const int pp : {0, 1, 90}) {
        for (const int ep : {0, 1, 2, 5, 16}) {
          for (const int cp : {0, 2}) {
            for (const int attention_dp : {0, 1, 2}) {
              const Parallelism parallelism{tp, pp, ep, cp, attention_dp};
              EXPECT_EQ(possible(model, parallelism), check_parallelism(model, parallelism).has_value())
                  << id << ' ' << tp << ' ' << pp << ' ' << ep << ' ' << cp << ' ' << attention_dp;
            }
          }
        }
      }
    }
  }
}

TEST(Parallelism, CountsItsGpus) {
  const Parallelism parallelism{2, 3, 4, 5, 6};
  EXPECT_EQ(parallelism.expert_gpus(), 12);
  EXPECT_EQ(parallelism.expert_tp(), 3);
  EXPECT_EQ(parallelism.stage_gpus(), 60);
  EXPECT_EQ(parallelism.gpus(), 180);
}

TEST(Parallelism, StagesCoverEveryLayerOnce) {
  ModelShape shape;
  for (shape.layers = 1; shape.layers <= 40; ++shape.layers) {
    for (int pp = 1; pp <= shape.layers; ++pp) {
      int next = 0;
      for (int index = 0; index < pp; ++index) {
        const Stage stage = pipeline_stage(shape, pp, index);
        EXPECT_EQ(stage.first_layer, next);
        EXPECT_GE(stage.layers, shape.layers / pp);
        EXPECT_LE(stage.layers, shape.layers / pp + 1);
        EXPECT_EQ(stage.has_embedding, index == 0);
        EXPECT_EQ(stage.has_head, index == pp - 1);
        next += stage.layers;
      }
      EXPECT_EQ(next, shape.layers);
    }
  }
}

TEST(Parallelism, TheLastStageIsSpared) {
  ModelShape shape;
  shape.layers = 61;
  EXPECT_EQ(pipeline_stage(shape, 4, 0).layers, 15);
  EXPECT_EQ(pipeline_stage(shape, 4, 2).layers, 16);
  EXPECT_EQ(pipeline_stage(shape, 4, 3).layers, 15);
}

TEST(Parallelism, MixOfLayers) {
  const ModelShape deepseek = shipped("deepseek-v3");
  const LayerMix whole = layer_mix(deepseek, whole_model(deepseek));
  EXPECT_EQ(whole.dense, 3);
  EXPECT_EQ(whole.moe, 58);
  EXPECT_EQ(layer_mix(deepseek, pipeline_stage(deepseek, 4, 3)).dense, 0);
  const ModelShape oss = shipped("gpt-oss-120b");
  EXPECT_EQ(layer_mix(oss, whole_model(oss)).windowed, 18);
  const ModelShape gemma = shipped("gemma-3-27b");
  EXPECT_EQ(layer_mix(gemma, whole_model(gemma)).full_attention, 10);
  EXPECT_EQ(layer_mix(gemma, whole_model(gemma)).windowed, 52);
}

}  // namespace
}  // namespace weft::llm
