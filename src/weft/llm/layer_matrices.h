// The matrix multiplications of a layer as one GPU of a group does them: rows are tokens, the rest follows from the
// model and from how it is spread.
//
// Matrices that read the same input run as one (q, k and v; gate and up; the two first projections of latent
// attention), as serving engines fuse them. In decode latent attention works in the latent: the up-projection of keys
// and values is folded into query and output, with the same weights read and the same FLOPs (flops.h).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "weft/catalog/model_shape.h"
#include "weft/llm/parallelism.h"
#include "weft/llm/tensors.h"

namespace weft::llm {

struct Matrix {
  Component component = Component::attention;
  std::int64_t n = 0;  // columns of the output, on this GPU
  std::int64_t k = 0;
  bool quantised = false;  // stored in the weight format
};

// A small list without a heap: a search builds thousands.
class Matrices {
 public:
  void add(const Matrix& matrix);
  [[nodiscard]] std::span<const Matrix> all() const { return {list_.data(), size_}; }

 private:
  static constexpr std::size_t kMost = 12;
  std::array<Matrix, kMost> list_{};
  std::size_t size_ = 0;
};

// Of a layer; of routed experts the two matrices of one expert.
[[nodiscard]] Matrices layer_matrices(const catalog::ModelShape& shape, const Parallelism& parallelism, bool moe_layer);
[[nodiscard]] Matrix head_matrix(const catalog::ModelShape& shape, const Parallelism& parallelism);

}  // namespace weft::llm
