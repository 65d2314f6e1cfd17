// The model shapes of data/catalog/models.toml.
#pragma once

#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/model_shape.h"

namespace weft::catalog {

Result<std::vector<ModelShape>> read_models(const SourceText& text);

}  // namespace weft::catalog
