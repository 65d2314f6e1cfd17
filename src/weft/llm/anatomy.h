// A model taken apart once, so that a search can ask about thousands of spreads of it: the tensors of its two kinds of
// layer and of its ends, and how many layers of each kind any run of layers holds.
//
// The shape must outlive it.
#pragma once

#include <vector>

#include "weft/catalog/model_shape.h"
#include "weft/llm/parallelism.h"
#include "weft/llm/tensors.h"

namespace weft::llm {

class Anatomy {
 public:
  explicit Anatomy(const catalog::ModelShape& shape);

  [[nodiscard]] const catalog::ModelShape& shape() const { return *shape_; }
  [[nodiscard]] const std::vector<Tensor>& layer(bool moe) const { return moe ? moe_layer_ : dense_layer_; }
  [[nodiscard]] const std::vector<Tensor>& embedding() const { return embedding_; }
  [[nodiscard]] const std::vector<Tensor>& head() const { return head_; }
  // layer_mix() by two look-ups.
  [[nodiscard]] LayerMix mix(const Stage& stage) const;

 private:
  const catalog::ModelShape* shape_;
  std::vector<Tensor> dense_layer_;
  std::vector<Tensor> moe_layer_;
  std::vector<Tensor> embedding_;
  std::vector<Tensor> head_;
  std::vector<LayerMix> before_;  // of the layers before the i-th
};

}  // namespace weft::llm
