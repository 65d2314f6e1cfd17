// A model spread over a whole cluster: copies of one parallelism.
#pragma once

#include "weft/llm/parallelism.h"

namespace weft::plan {

struct Spread {
  llm::Parallelism parallelism;
  int units = 1;  // independent copies of it

  [[nodiscard]] int dp() const { return parallelism.attention_dp * units; }  // copies of attention
  [[nodiscard]] int gpus() const { return parallelism.gpus() * units; }
};

}  // namespace weft::plan
