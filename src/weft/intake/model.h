// Whatever a user named as a model -> its shape: a name or alias of the catalog, a config.json, a folder that holds
// one, or "-". A name of the catalog wins over a file of the same name.
#pragma once

#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"

namespace weft::intake {

struct ModelInput {
  catalog::ModelShape shape;
  std::string format;  // "catalog" or "Hugging Face config"
  std::vector<std::string> assumed;
};

Result<ModelInput> load_model(const catalog::Catalog& catalog, std::string_view spec, std::istream& standard_input);

}  // namespace weft::intake
