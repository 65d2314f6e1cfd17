// The part of Draft that knows where figures come from.
#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/printable.h"
#include "weft/catalog/read_parts.h"
#include "weft/catalog/toml_words.h"

namespace weft::catalog {
namespace {

constexpr std::size_t kMostSources = 2000;
constexpr auto kSourceKeys = std::to_array<std::string_view>({"title", "publisher", "where", "basis"});

}  // namespace

const Source* Draft::source(std::string_view id) {
  auto found = std::ranges::find(sources, id, &Source::id);
  if (found == sources.end() && fetch_source) {
    fetch_source(id);
    found = std::ranges::find(sources, id, &Source::id);
  }
  return found == sources.end() ? nullptr : &*found;
}

Result<void> Draft::read_sources(const TomlFile& file) {
  const toml::node* root = file.root().get("source");
  if (root == nullptr) return {};
  if (!root->is_table()) return file.error("WEFT-CAT-0004", "\"source\" is not a table", root->source(), "[source.id]");
  for (const auto& [key, node] : in_file_order(*root->as_table())) {
    const toml::table* table = node->as_table();
    if (table == nullptr) return file.error("WEFT-CAT-0004", "a source is a table", node->source(), "[source.id]");
    for (const auto& [name, value] : *table) {
      if (!contains(kSourceKeys, name.str())) {
        return file.unknown("WEFT-CAT-0003", "key of a source", name.str(), name.source(), words(kSourceKeys));
      }
    }
    Source source;
    source.id = key->str();
    if (!is_id(source.id)) return bad_id(file, source.id, key->source());
    Result<void> read = take_text(file, *table, "title", source.title);
    if (read) read = take_text(file, *table, "publisher", source.publisher);
    if (read) read = take_text(file, *table, "where", source.where);
    if (read) read = take_basis(file, *table, source.basis);
    if (!read) return read;
    if (source.title.empty() || source.publisher.empty()) {
      return file.error("WEFT-CAT-0006", "source " + in_quotes(source.id) + " lacks title or publisher", key->source(),
                        "title = \"…\" and publisher = \"…\", so that a person can find it");
    }
    const auto same = std::ranges::find(sources, source.id, &Source::id);
    if (same == sources.end()) {
      if (sources.size() == kMostSources) {
        return file.error("WEFT-CAT-0014", "more than " + std::to_string(kMostSources) + " sources", key->source());
      }
      sources.push_back(std::move(source));
    } else {
      *same = std::move(source);
    }
  }
  return {};
}

Result<void> Draft::read_provenance(const TomlFile& file, const toml::table& table, Provenance& from) {
  if (const toml::node* node = table.get("source")) {
    Result<std::string> id = file.text_of("source", *node);
    if (!id) return fail(std::move(id.error()));
    const Source* known = source(*id);
    if (known == nullptr) {
      std::vector<std::string> choices;
      for (const Source& each : sources) choices.push_back(each.id);
      return file.unknown("WEFT-CAT-0006", "source", *id, node->source(), choices);
    }
    from.source = std::move(*id);
    from.basis = known->basis;
  }
  if (Result<void> read = take_basis(file, table, from.basis); !read) return read;
  return take_text(file, table, "note", from.note);
}

}  // namespace weft::catalog
