// The sum that people do by hand for tensor-parallel traffic, beside the true one, row by row.
//
// The popular sum goes: hidden x 4 B = 32 KB a layer, x 32 layers ~ 1 MB a pass, x tokens/s. It is off in five ways
// that partly cancel: activations are 2 bytes, not 4; a layer has two all-reduces, not one; the layers are the model's;
// a ring moves 2 (n - 1) / n of the vector over each GPU's link; and above all it asks for bandwidth where decode waits
// for latency: the all-reduces of a pass come one after another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/catalog/model_shape.h"
#include "weft/units/units.h"

namespace weft::llm {

enum class ArithmeticPart { as_quoted, by_hand, in_truth };

struct ArithmeticRow {
  ArithmeticPart part = ArithmeticPart::as_quoted;
  std::string key;      // "message": for JSON, unique within a part
  std::string label;    // "message of one all-reduce"
  std::string formula;  // "1 token x 8192 x 2 B (bf16)"
  std::string value;    // "16 KiB"
  double number = 0;    // the value in bytes, bytes/s, microseconds, or a plain number
};

struct ArithmeticQuestion {
  int tp = 8;
  std::int64_t tokens = 1;                     // in one step
  std::optional<double> steps_per_s;           // decode steps; with one sequence, its tokens/s
  std::optional<Duration> all_reduce_latency;  // one all-reduce of this message on the link in question
};

// as_quoted is always the popular sum, word for word; by_hand is its method with this model's own numbers.
[[nodiscard]] std::vector<ArithmeticRow> tensor_parallel_arithmetic(const catalog::ModelShape& shape,
                                                                    const ArithmeticQuestion& question);

}  // namespace weft::llm
