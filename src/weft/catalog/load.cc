// Catalog::load and the texts that are compiled in.
#include <list>
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
Result<void> check_servers(const Draft& draft) {
  for (std::size_t i = 0; i < draft.parts.size(); ++i) {
    const Part& part = draft.parts[i];
    if (part.kind != Kind::server) continue;
    const auto gpu = draft.index.find(field<std::string>(part, "gpu"));
    const int gpu_links = gpu == draft.index.end() ? 0 : int_field(draft.parts[gpu->second], "gpu_links");
    Result<ServerPart> server = lay_out_server(part, gpu_links);
    if (server) continue;
    const Draft::Place& place = draft.places[i];
    return fail(std::move(server.error()).at(place.file->position(place.where)));
  }
  return {};
}

Result<void> add_models(const SourceText& text, std::vector<ModelShape>& models) {
  Result<std::vector<ModelShape>> more = read_models(text);
  if (!more) return fail(std::move(more.error()));
  for (ModelShape& model : *more) {
    std::erase_if(models, [&](const ModelShape& known) { return known.id == model.id; });
    models.push_back(std::move(model));
  }
  return {};
}

}  // namespace

Result<Catalog> Catalog::load(std::span<const SourceText> files) {
  Catalog catalog;
  Draft draft;
  std::list<TomlFile> parsed;  // references keep pointers to them
  for (const SourceText& text : files) {
    // Files of models hold nothing else and are read by their own reader.
    if (text.name.ends_with("models.toml")) {
      if (Result<void> read = add_models(text, catalog.models_); !read) return fail(std::move(read.error()));
      continue;
    }
    Result<TomlFile> file = TomlFile::parse(text);
    if (!file) return fail(std::move(file.error()));
    parsed.push_back(std::move(*file));
  }
  Result<void> read;
  for (const TomlFile& file : parsed) {
    if (read) read = draft.read_sources(file);
  }
  for (const TomlFile& file : parsed) {
    if (read) read = draft.read_parts(file);
  }
  if (read) read = draft.resolve_references();
  if (read) read = check_servers(draft);
  if (!read) return fail(std::move(read.error()));
  catalog.parts_ = std::move(draft.parts);
  catalog.sources_ = std::move(draft.sources);
  catalog.index_ = std::move(draft.index);
  return catalog;
}

std::vector<SourceText> Catalog::builtin_texts() {
  std::vector<SourceText> texts;
  for (const EmbeddedFile& file : embedded_catalog()) {
    texts.push_back({std::string(file.name), std::string(file.content)});
  }
  return texts;
}

Result<Catalog> Catalog::builtin() {
  const std::vector<SourceText> texts = builtin_texts();
  return load(texts);
}

}  // namespace weft::catalog
