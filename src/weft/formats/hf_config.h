// A Hugging Face config.json: the shape of the model that it describes.
//
// Read by its keys, under all the names that architectures give them, with what the named architecture implies beside
// them (hf_architectures.h): multi-head, grouped and latent attention; dense and mixture-of-experts layers, with shared
// experts and leading or scattered dense layers; tied embeddings; sliding windows and their layer patterns; the text
// part of multimodal configs; fp8, int4 and 4-bit float quantisation (hf_quantisation.h). Keys that do not touch the
// shape are ignored: real configs have hundreds.
//
// What the file left open and how it was taken stands in `assumed`. Encoder-decoders, state-space, linear-attention and
// recurrent models, and layers of different head counts are refused as not assessable, rather than read wrongly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/model_shape.h"

namespace weft::formats {

struct HfConfig {
  catalog::ModelShape shape;         // id: the folder of the file, or the name the config gives itself
  std::vector<std::string> assumed;  // "num_key_value_heads is not given: as many KV heads as heads (32)"
};

// WEFT-FMT-0401 empty, 0402 too large, 0403 not JSON, 0404 too deep or too many values, 0405 another file of a model's
// folder or no object, 0406 a key missing, 0407 a key's value, 0408 a key twice, 0409 no such shape, 0410 not
// assessable.
[[nodiscard]] Result<HfConfig> read_hf_config(const SourceText& source);

// JSON with a key that only a model's config has.
[[nodiscard]] bool looks_like_hf_config(std::string_view text);

}  // namespace weft::formats
