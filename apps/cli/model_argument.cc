#include "model_argument.h"

#include <nlohmann/json.hpp>

#include "weft/llm/parameters.h"

namespace weft::cli {

Positional model_positional() {
  return {.name = "MODEL",
          .help = "a model of the catalog (llama-3.1-70b), or a Hugging Face config.json",
          .offer = Offer::models};
}

Result<intake::ModelInput> load_model(const Args& args, Context& context) {
  Result<const catalog::Catalog*> catalog = context.catalog();
  if (!catalog) return fail(std::move(catalog.error()));
  Result<intake::ModelInput> model = intake::load_model(**catalog, args.text("MODEL"), context.in);
  if (model) context.say_assumed(model->assumed);
  return model;
}

nlohmann::ordered_json model_json(const intake::ModelInput& model) {
  const catalog::ModelShape& shape = model.shape;
  return {{"name", shape.id},          {"format", model.format}, {"parameters", llm::count_parameters(shape).total()},
          {"layers", shape.layers},    {"hidden", shape.hidden}, {"heads", shape.heads},
          {"kv_heads", shape.kv_heads}};
}

}  // namespace weft::cli
