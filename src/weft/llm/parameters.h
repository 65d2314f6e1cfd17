// How many parameters a model has, by what they are for.
//
// Exact sums over tensors.h: they equal the publishers' own counts (parameters.test.cc holds every model of the catalog
// against its). Quantisation scales, rotary tables and multi-token-prediction layers are not parameters here.
#pragma once

#include <array>
#include <cstdint>

#include "weft/catalog/model_shape.h"
#include "weft/llm/parallelism.h"
#include "weft/llm/tensors.h"

namespace weft::llm {

struct ParameterCount {
  std::array<std::int64_t, kComponents> of{};

  [[nodiscard]] std::int64_t operator[](Component component) const { return of[static_cast<std::size_t>(component)]; }
  [[nodiscard]] std::int64_t total() const;
};

[[nodiscard]] ParameterCount count_parameters(const catalog::ModelShape& shape);
// What one token uses: of the routed experts only experts_per_token. Publishers differ in whether the token table
// counts ("37B" of DeepSeek-V3 is without, "22B" of Qwen3-235B with): the components stand apart so that both can be
// had.
[[nodiscard]] ParameterCount count_active_parameters(const catalog::ModelShape& shape);

}  // namespace weft::llm
