// Which layers of a Hugging Face config are what: mixture of experts or dense, windowed or not. Private to the room.
//
// Families say it in their own ways (a first dense layer count, a step, an interval with an offset, lists by layer);
// here all end as one answer a layer, which is then put as briefly as a ModelShape can.
#pragma once

#include <string>
#include <vector>

#include "weft/catalog/model_shape.h"
#include "weft/formats/config_keys.h"
#include "weft/formats/hf_architectures.h"

namespace weft::formats {

// Needs shape.layers and shape.ffn (0 = not given).
void read_experts(ConfigKeys& keys, const HfArchitecture& architecture, catalog::ModelShape& shape,
                  std::vector<std::string>& assumed);
// Needs shape.layers.
void read_windows(ConfigKeys& keys, const HfArchitecture& architecture, bool architecture_known,
                  catalog::ModelShape& shape, std::vector<std::string>& assumed);

// The rules of model_shape.h from one answer a layer.
void put_moe_layers(const std::vector<bool>& is_moe, catalog::MixtureOfExperts& moe);
void put_windowed_layers(const std::vector<bool>& is_windowed, catalog::ModelShape& shape);

}  // namespace weft::formats
