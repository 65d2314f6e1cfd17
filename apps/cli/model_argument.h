// What every command that takes a model shares: its argument, and loading it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "args.h"
#include "command.h"
#include "context.h"
#include "weft/intake/model.h"

namespace weft::cli {

[[nodiscard]] Positional model_positional();
// Loads the model that MODEL names and says on stderr what was assumed.
[[nodiscard]] Result<intake::ModelInput> load_model(const Args& args, Context& context);
// {"name", "parameters", "layers", "hidden", …} for a JSON document.
[[nodiscard]] nlohmann::ordered_json model_json(const intake::ModelInput& model);

}  // namespace weft::cli
