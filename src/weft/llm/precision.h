// How many bits a stored number takes, scales included.
//
//   bits per weight = element bits + scale bits / group
//
// Usual scales: fp8 one fp32 per group (DeepSeek: blocks of 128 x 128 = 16,384 elements -> 8.002 bits), int4 and int8
// one fp16 per group (GPTQ and AWQ: groups of 128 -> 4.125; a 4-bit zero point makes it 4.156), nvfp4 one fp8 per 16
// elements (4.5), mxfp4 one 8-bit exponent per 32 (4.25; OCP Microscaling Formats specification 1.0). A group of 0 is
// one scale per tensor: nothing worth counting. Packing losses at row ends are not counted.
#pragma once

#include <cstdint>

#include "weft/catalog/model_shape.h"
#include "weft/units/units.h"

namespace weft::llm {

[[nodiscard]] int element_bits(catalog::NumberFormat format);

struct StoredFormat {
  catalog::NumberFormat element = catalog::NumberFormat::bf16;
  std::int64_t group = 0;  // elements that share a scale; 0 = none counted
  int scale_bits = 0;

  [[nodiscard]] double bits_per_number() const;
  [[nodiscard]] Bytes bytes(std::int64_t numbers) const;  // exact, rounded up to a byte
};

[[nodiscard]] StoredFormat plain(catalog::NumberFormat format);
// Of the matrices that the model's quantisation recipe reaches; plain when it is not quantised.
[[nodiscard]] StoredFormat quantised_format(const catalog::ModelShape& shape);

}  // namespace weft::llm
