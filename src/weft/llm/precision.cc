#include "weft/llm/precision.h"

namespace weft::llm {

using catalog::NumberFormat;

namespace {

constexpr std::int64_t kNvfp4Group = 16;
constexpr std::int64_t kMxfp4Group = 32;

int usual_scale_bits(NumberFormat format) {
  switch (format) {
    case NumberFormat::fp8:
      return 32;
    case NumberFormat::int8:
    case NumberFormat::int4:
      return 16;
    case NumberFormat::nvfp4:
    case NumberFormat::mxfp4:
      return 8;
    case NumberFormat::fp32:
    case NumberFormat::bf16:
    case NumberFormat::fp16:
      return 0;
  }
  return 0;
}

// The 4-bit float formats are defined with their group; the others may have any.
std::int64_t usual_group(NumberFormat format) {
  if (format == NumberFormat::nvfp4) return kNvfp4Group;
  if (format == NumberFormat::mxfp4) return kMxfp4Group;
  return 0;
}

}  // namespace

int element_bits(NumberFormat format) {
  switch (format) {
    case NumberFormat::fp32:
      return 32;
    case NumberFormat::bf16:
    case NumberFormat::fp16:
      return 16;
    case NumberFormat::fp8:
    case NumberFormat::int8:
      return 8;
    case NumberFormat::int4:
    case NumberFormat::nvfp4:
    case NumberFormat::mxfp4:
      return 4;
  }
  return 0;
}

double StoredFormat::bits_per_number() const {
  const double scale = group > 0 ? static_cast<double>(scale_bits) / static_cast<double>(group) : 0.0;
  return element_bits(element) + scale;
}

Bytes StoredFormat::bytes(std::int64_t numbers) const {
  detail::Wide bits = static_cast<detail::Wide>(numbers) * element_bits(element);
  if (group > 0) bits += detail::ceil_div(numbers, group) * scale_bits;
  return Bytes(detail::clamp_to_64(detail::ceil_div(bits, 8)));
}

StoredFormat plain(NumberFormat format) { return {format, usual_group(format), usual_scale_bits(format)}; }

StoredFormat quantised_format(const catalog::ModelShape& shape) {
  StoredFormat stored = plain(shape.weights);
  if (shape.weight_group > 0) stored.group = shape.weight_group;
  if (shape.weight_scale_bits > 0) stored.scale_bits = shape.weight_scale_bits;
  return stored;
}

}  // namespace weft::llm
