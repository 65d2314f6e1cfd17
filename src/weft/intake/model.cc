#include "weft/intake/model.h"

#include <filesystem>
#include <system_error>

#include "weft/base/suggest.h"
#include "weft/formats/hf_config.h"
#include "weft/intake/text_file.h"

namespace weft::intake {
namespace {

Error unknown_model(const catalog::Catalog& catalog, std::string_view spec) {
  return input_error("WEFT-INT-0020", "\"" + std::string(spec.substr(0, 200)) +
                                          "\" is no model: not in the catalog, and no file of that name")
      .with_expected("a model of the catalog (llama-3.1-70b) or the path of a Hugging Face config.json")
      .with_hint(did_you_mean(spec, catalog.model_ids()));
}

}  // namespace

Result<ModelInput> load_model(const catalog::Catalog& catalog, std::string_view spec, std::istream& standard_input) {
  if (Result<catalog::ModelShape> shape = catalog.model(spec)) return ModelInput{std::move(*shape), "catalog", {}};
  std::error_code problem;
  std::filesystem::path path(spec);
  if (spec != "-" && !std::filesystem::exists(path, problem)) return fail(unknown_model(catalog, spec));
  if (std::filesystem::is_directory(path, problem) && std::filesystem::exists(path / "config.json", problem))
    path /= "config.json";
  Result<SourceText> source = read_text(path.string(), standard_input);
  if (!source) return fail(std::move(source.error()));
  Result<formats::HfConfig> config = formats::read_hf_config(*source);
  if (!config) return fail(std::move(config.error()));
  return ModelInput{std::move(config->shape), "Hugging Face config", std::move(config->assumed)};
}

}  // namespace weft::intake
