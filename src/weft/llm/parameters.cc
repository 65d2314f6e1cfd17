#include "weft/llm/parameters.h"

#include <numeric>

namespace weft::llm {

using catalog::ModelShape;

namespace {

void add(ParameterCount& count, const std::vector<Tensor>& tensors, std::int64_t times) {
  for (const Tensor& tensor : tensors) {
    count.of[static_cast<std::size_t>(tensor.component)] += tensor.parameters * times;
  }
}

}  // namespace

std::int64_t ParameterCount::total() const { return std::accumulate(of.begin(), of.end(), std::int64_t{0}); }

ParameterCount count_parameters(const ModelShape& shape) {
  ParameterCount count;
  const LayerMix mix = layer_mix(shape, whole_model(shape));
  add(count, layer_tensors(shape, false), mix.dense);
  add(count, layer_tensors(shape, true), mix.moe);
  add(count, embedding_tensors(shape), 1);
  add(count, head_tensors(shape), 1);
  if (shape.tied_embeddings) count.of[static_cast<std::size_t>(Component::head)] = 0;
  return count;
}

ParameterCount count_active_parameters(const ModelShape& shape) {
  ParameterCount count = count_parameters(shape);
  if (shape.moe.experts == 0) return count;
  std::int64_t& experts = count.of[static_cast<std::size_t>(Component::experts)];
  experts = experts / shape.moe.experts * shape.moe.experts_per_token;
  return count;
}

}  // namespace weft::llm
