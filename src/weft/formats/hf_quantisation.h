// quantization_config of a Hugging Face config.json: what the weights are stored in, and which matrices it reaches.
//
//   fp8 (128 x 128 blocks: DeepSeek, Qwen, GLM)   fbgemm_fp8   compressed-tensors   modelopt (FP8, NVFP4)
//   mxfp4 (GPT-OSS: experts)   gptq, awq, auto-round   bitsandbytes (8 bit, NF4, FP4)   quark (fp8, mxfp4)
//
// Lists of modules left alone (modules_to_not_convert, ignore, exclude_modules) decide between all matrices, FFN and
// experts, and experts only. A method or width that is not known leaves the weights in the compute format, with a note:
// too much memory counted is a safer mistake than too little. Never fails: the shape does not depend on it.
#pragma once

#include <string>
#include <vector>

#include "weft/catalog/model_shape.h"
#include "weft/formats/json_tree.h"

namespace weft::formats {

void read_quantisation(const JsonValue& config, catalog::ModelShape& shape, std::vector<std::string>& assumed);

}  // namespace weft::formats
