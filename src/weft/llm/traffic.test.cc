#include "weft/llm/traffic.h"

#include <gtest/gtest.h>

#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

using catalog::ModelShape;

std::vector<Exchange> exchanges(const ModelShape& model, const Parallelism& parallelism, const Tokens& tokens) {
  return exchanges_of_pass(Anatomy(model), parallelism, tokens);
}

Parallelism attention_replicas(int tp, int replicas, int ep) {
  Parallelism parallelism;
  parallelism.tp = tp;
  parallelism.attention_dp = replicas;
  parallelism.ep = ep;
  return parallelism;
}

std::string in_words(const std::vector<Exchange>& list) {
  std::string text;
  for (const Exchange& exchange : list) {
    text += std::string(name_of(exchange.axis)) + ' ' + std::string(name_of(exchange.collective)) + ' ' +
            std::to_string(exchange.count_per_step) + " x " + std::to_string(exchange.bytes.count()) + '\n';
    EXPECT_FALSE(exchange.why.empty());
  }
  return text;
}

TEST(Traffic, TensorParallelDecode) {
  EXPECT_EQ(in_words(exchanges(shipped("llama-3.1-70b"), {8, 1, 1}, {1, 0, 1})),
            "tp all_reduce 160 x 16384\n"
            "tp all_reduce 1 x 16384\n"
            "tp all_gather 1 x 256512\n");
}

TEST(Traffic, PrefillSendsTokensButSamplesSequences) {
  EXPECT_EQ(in_words(exchanges(shipped("llama-3.1-70b"), {8, 1, 1}, {0, 4096, 2})),
            "tp all_reduce 160 x 67108864\n"
            "tp all_reduce 1 x 67108864\n"
            "tp all_gather 1 x 513024\n");
}

TEST(Traffic, OneGpuIsSilent) { EXPECT_EQ(in_words(exchanges(shipped("llama-3.1-8b"), {}, {64, 0, 64})), ""); }

TEST(Traffic, PipelineSendsAtEachBoundary) {
  EXPECT_EQ(in_words(exchanges(shipped("llama-3.1-405b"), {1, 4, 1}, {32, 0, 32})), "pp send_recv 3 x 1048576\n");
}

TEST(Traffic, AParallelBlockReducesOnce) {
  ModelShape model = shipped("llama-3.1-70b");
  model.parallel_block = true;
  EXPECT_EQ(exchanges(model, {8, 1, 1}, {1, 0, 1}).at(0).count_per_step, 80);
}

TEST(Traffic, ExpertsInsideTheGroupRideOnItsAllReduce) {
  EXPECT_EQ(in_words(exchanges(shipped("mixtral-8x7b"), {8, 1, 8}, {16, 0, 16})),
            in_words(exchanges(shipped("mixtral-8x7b"), {8, 1, 1}, {16, 0, 16})));
}

TEST(Traffic, ExpertsAcrossReplicasExchangeTokens) {
  EXPECT_EQ(in_words(exchanges(shipped("deepseek-v3"), attention_replicas(1, 64, 64), {128, 0, 128})),
            "ep all_to_all 58 x 14680064\n"  // 128 tokens x 8 experts x 7168 x 2 B
            "ep all_to_all 58 x 14680064\n");
  EXPECT_EQ(in_words(exchanges(shipped("deepseek-v3"), attention_replicas(4, 16, 64), {128, 0, 128})),
            "tp all_reduce 64 x 1835008\n"  // 2 for each dense layer, attention's for each MoE layer
            "tp all_reduce 1 x 1835008\n"
            "tp all_gather 1 x 33095680\n"
            "ep all_to_all 58 x 3670016\n"
            "ep all_to_all 58 x 3670016\n"
            "tp all_gather 58 x 1835008\n");
}

// 16 ranks, 4 of them to an expert: each chosen expert's copy of a token goes to 4 of them.
TEST(Traffic, AnExpertCutOverRanksReceivesOnEach) {
  EXPECT_EQ(in_words(exchanges(shipped("deepseek-v3"), attention_replicas(1, 16, 4), {128, 0, 128})),
            "ep all_to_all 58 x 58720256\n"  // 128 tokens x 8 experts x 4 ranks x 7168 x 2 B
            "ep all_to_all 58 x 58720256\n");
  EXPECT_EQ(in_words(exchanges(shipped("deepseek-v3"), attention_replicas(1, 16, 1), {128, 0, 128})),
            "ep all_gather 58 x 29360128\n"  // all 16 x 128 tokens
            "ep reduce_scatter 58 x 29360128\n");
}

TEST(Traffic, SequenceParallelismScattersAndGathersWhatTensorParallelismReduces) {
  Parallelism parallelism{8, 1, 1};
  parallelism.sequence_parallel = true;
  EXPECT_EQ(in_words(exchanges(shipped("llama-3.1-70b"), parallelism, {0, 4096, 1})),
            "tp reduce_scatter 160 x 67108864\n"
            "tp all_gather 160 x 67108864\n"
            "tp reduce_scatter 1 x 67108864\n"
            "tp all_gather 1 x 67108864\n"
            "tp all_gather 1 x 256512\n");
}

TEST(Traffic, ContextParallelismGathersTheCacheOfPromptsAndReducesTheOutputOfDecoding) {
  Parallelism parallelism{1, 1, 1, 4};
  EXPECT_EQ(in_words(exchanges(shipped("llama-3.1-70b"), parallelism, {0, 8192, 1})),
            "cp all_gather 80 x 33554432\n");  // 8192 tokens x 2 x 8 heads x 128 x 2 B
  EXPECT_EQ(in_words(exchanges(shipped("llama-3.1-70b"), parallelism, {4, 0, 4})), "cp all_reduce 80 x 65536\n");
}

TEST(Traffic, AbsurdBatchesSaturate) {
  const std::vector<Exchange> list =
      exchanges(shipped("llama-3.1-70b"), {8, 1, 1}, {std::int64_t{1} << 60, 0, std::int64_t{1} << 60});
  EXPECT_GT(list.at(0).bytes, Bytes(std::int64_t{1} << 62));
}

}  // namespace
}  // namespace weft::llm
