#include "weft/llm/layer_matrices.h"

#include <gtest/gtest.h>

#include "weft/llm/memory.h"
#include "weft/llm/shipped_models.test.h"

namespace weft::llm {
namespace {

using catalog::ModelShape;

// Numbers in the matrices that a GPU multiplies by, against the tensors that it holds.
void expect_all_tensors(const ModelShape& model, const Parallelism& parallelism, bool moe) {
  std::int64_t multiplied = 0;
  const Matrices matrices = layer_matrices(model, parallelism, moe);
  for (const Matrix& matrix : matrices.all()) {
    const bool routed = matrix.component == Component::experts;
    multiplied += matrix.n * matrix.k * (routed ? model.moe.experts / parallelism.ep : 1);
  }
  std::int64_t held = 0;
  for (const Tensor& tensor : layer_tensors(model, moe)) {
    if (tensor.matrix && tensor.name != "shared_expert_gate") held += parameters_per_gpu(model, parallelism, tensor);
  }
  EXPECT_EQ(multiplied, held) << model.id << " tp " << parallelism.tp << " ep " << parallelism.ep;
}

TEST(LayerMatrices, AreTheTensorsThatTokensMeet) {
  for (const std::string_view id : {"llama-3.1-8b", "llama-3.1-70b", "gpt-3-175b", "qwen2.5-72b"}) {
    for (const int tp : {1, 2, 4, 8}) expect_all_tensors(shipped(id), {tp, 1, 1}, false);
  }
  expect_all_tensors(shipped("llama-3.1-70b"), {16, 1, 1}, false);  // KV heads held twice
  for (const std::string_view id : {"mixtral-8x7b", "deepseek-v3", "deepseek-v2-lite", "gpt-oss-120b"}) {
    expect_all_tensors(shipped(id), {1, 1, 1}, true);
    expect_all_tensors(shipped(id), {8, 1, 8}, true);
    expect_all_tensors(shipped(id), {8, 1, 2}, true);
    expect_all_tensors(shipped(id), {2, 1, 4, 1, 4}, true);
  }
}

TEST(LayerMatrices, OfLlamaOverEight) {
  const Matrices list = layer_matrices(shipped("llama-3.1-70b"), {8, 1, 1}, false);
  ASSERT_EQ(list.all().size(), 4U);
  EXPECT_EQ(list.all()[0].n, (64 / 8 + 2) * 128);
  EXPECT_EQ(list.all()[1].k, 64 / 8 * 128);
  EXPECT_EQ(list.all()[2].n, 2 * 28672 / 8);
  EXPECT_EQ(list.all()[3].k, 28672 / 8);
  EXPECT_EQ(head_matrix(shipped("llama-3.1-70b"), {8, 1, 1}).n, 128256 / 8);
}

}  // namespace
}  // namespace weft::llm
