#include "weft/catalog/load.h"

#include <iterator>
#include <utility>

#include "weft/catalog/catalog.h"
#include "weft/catalog/fields.h"
#include "weft/catalog/models.h"
#include "weft/catalog/read_parts.h"
#include "weft/catalog/server_layout.h"

namespace weft {
std::span<const EmbeddedFile> embedded_catalog();
}

namespace weft::catalog {
namespace {

// Servers are spelled out once here, so that a layout that cannot be is reported at its place in the file.
Result<void> check_servers(Draft& draft) {
  for (std::size_t i = 0; i < draft.parts.size(); ++i) {
    const Part& part = draft.parts[i];
    if (part.kind != Kind::server) continue;
    const Part* gpu = draft.find(field<std::string>(part, "gpu"));
    Result<ServerPart> server = lay_out_server(part, gpu == nullptr ? 0 : int_field(*gpu, "gpu_links"));
    if (server) continue;
    const Draft::Place& place = draft.places[i];
    return fail(std::move(server.error()).at(position_of(*place.text, place.where)));
  }
  return {};
}

}  // namespace

bool is_models_file(std::string_view name) { return name.ends_with("models.toml"); }

std::vector<SourceText> texts_of(std::span<const EmbeddedFile> files) {
  std::vector<SourceText> texts;
  for (const EmbeddedFile& file : files) texts.push_back({std::string(file.name), std::string(file.content)});
  return texts;
}

Result<AllParts> load_parts(std::span<const SourceText> texts) {
  Draft draft(true);
  for (const SourceText& text : texts) {
    if (is_models_file(text.name)) continue;
    // One file's tables at a time: they are several times the size of their text.
    const Result<TomlFile> file = TomlFile::parse(text);
    if (!file) return fail(file.error());
    Result<void> read = draft.read_sources(*file);
    if (read) read = draft.read_parts(*file);
    if (!read) return fail(std::move(read.error()));
  }
  Result<void> sound = draft.resolve_references();
  if (sound) sound = check_servers(draft);
  if (!sound) return fail(std::move(sound.error()));
  AllParts all;
  all.parts.assign(std::make_move_iterator(draft.parts.begin()), std::make_move_iterator(draft.parts.end()));
  all.sources.assign(std::make_move_iterator(draft.sources.begin()), std::make_move_iterator(draft.sources.end()));
  all.index = std::move(draft.index);
  return all;
}

Result<std::vector<ModelShape>> load_models(std::span<const SourceText> texts) {
  std::vector<ModelShape> models;
  for (const SourceText& text : texts) {
    if (!is_models_file(text.name)) continue;
    Result<std::vector<ModelShape>> more = read_models(text);
    if (!more) return fail(std::move(more.error()));
    for (ModelShape& model : *more) {
      std::erase_if(models, [&](const ModelShape& known) { return known.id == model.id; });
      models.push_back(std::move(model));
    }
  }
  return models;
}

Result<Catalog> Catalog::load(std::span<const SourceText> files) {
  Result<AllParts> parts = load_parts(files);
  if (!parts) return fail(std::move(parts.error()));
  Result<std::vector<ModelShape>> models = load_models(files);
  if (!models) return fail(std::move(models.error()));
  return Catalog(std::make_shared<CatalogState>(std::move(*parts), std::move(*models)));
}

std::vector<SourceText> Catalog::builtin_texts() { return texts_of(embedded_catalog()); }

Result<Catalog> Catalog::builtin() { return Catalog(std::make_shared<CatalogState>(embedded_catalog())); }

}  // namespace weft::catalog
