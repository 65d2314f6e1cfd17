#include "weft/llm/anatomy.h"

namespace weft::llm {

Anatomy::Anatomy(const catalog::ModelShape& shape)
    : shape_(&shape),
      dense_layer_(layer_tensors(shape, false)),
      moe_layer_(shape.moe.experts > 0 ? layer_tensors(shape, true) : std::vector<Tensor>()),
      embedding_(embedding_tensors(shape)),
      head_(head_tensors(shape)) {
  before_.reserve(static_cast<std::size_t>(shape.layers) + 1);
  before_.emplace_back();
  for (int layer = 0; layer < shape.layers; ++layer) {
    const LayerMix one = layer_mix(shape, {layer, 1, false, false});
    LayerMix sum = before_.back();
    sum.dense += one.dense;
    sum.moe += one.moe;
    sum.full_attention += one.full_attention;
    sum.windowed += one.windowed;
    before_.push_back(sum);
  }
}

LayerMix Anatomy::mix(const Stage& stage) const {
  const LayerMix& from = before_[static_cast<std::size_t>(stage.first_layer)];
  LayerMix mix = before_[static_cast<std::size_t>(stage.first_layer) + static_cast<std::size_t>(stage.layers)];
  mix.dense -= from.dense;
  mix.moe -= from.moe;
  mix.full_attention -= from.full_attention;
  mix.windowed -= from.windowed;
  return mix;
}

}  // namespace weft::llm
