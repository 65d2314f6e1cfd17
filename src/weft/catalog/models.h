// Model shapes from TOML: data/catalog/models.toml, or a user's own file of the same form.
//
//   [[model]]
//   id = "llama-3.1-70b"              # the other keys are the fields of ModelShape (model_shape.h); kv_heads is heads
//   layers = 80                       # and head_dim is hidden / heads unless stated; parameters,
//   …                                 # active_parameters, parameters_rounded and parameters_source are published_*
//   [model.moe]                       # fields of MixtureOfExperts
//   [model.latent]                    # fields of LatentAttention; makes the attention latent
//
// Errors point at the TOML line; an unknown key comes with a did-you-mean. What a shape may be stands in model_rules.h.
#pragma once

#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/model_rules.h"

namespace weft::catalog {

// In file order. WEFT-CAT-0201 … 0208.
[[nodiscard]] Result<std::vector<ModelShape>> read_models(const SourceText& source);

}  // namespace weft::catalog
