// The tensors of a transformer: the one list from which parameters, memory, FLOPs and decode reads are all counted.
//
// Names and shapes follow the Hugging Face implementations. A tensor says what it belongs to, how many parameters it
// has, how tensor and expert parallelism divide it, and whether each token is multiplied by it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weft/catalog/model_shape.h"

namespace weft::llm {

enum class Component { embedding, positions, attention, ffn, experts, shared_experts, router, norms, head };
inline constexpr int kComponents = 9;
[[nodiscard]] std::string_view name_of(Component component);
// The model's quantisation recipe reaches the matrices of this component.
[[nodiscard]] bool is_quantised(const catalog::ModelShape& shape, Component component);

// How the ranks of a tensor-parallel group share a tensor (Megatron-LM, arXiv:1909.08053; vLLM and SGLang alike).
enum class Division {
  replicated,  // every rank holds all of it
  columns,     // each rank holds 1 / tp
  kv_heads,    // like columns, but a KV head is never cut: ranks beyond the KV heads hold copies
  experts      // experts over ep ranks, each expert cut over tp / ep of them
};

struct Tensor {
  std::string_view name;
  Component component = Component::attention;
  std::int64_t parameters = 0;  // all heads, all experts
  Division division = Division::replicated;
  bool matrix = false;     // multiplied by every token that reaches it: 2 FLOPs a parameter
  bool quantised = false;  // stored in the weight format; otherwise in the compute format
};

[[nodiscard]] std::vector<Tensor> layer_tensors(const catalog::ModelShape& shape, bool moe_layer);
// Token table and learnt positions; looked up, not multiplied.
[[nodiscard]] std::vector<Tensor> embedding_tensors(const catalog::ModelShape& shape);
// Last norm and output head. With tied embeddings the head is the token table: the same parameters, multiplied here.
[[nodiscard]] std::vector<Tensor> head_tensors(const catalog::ModelShape& shape);

}  // namespace weft::llm
