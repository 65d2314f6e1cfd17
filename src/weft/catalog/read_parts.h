// From TOML tables to parts and sources: one file at a time into a growing draft of the catalog. Private to the room.
//
// A part may name sources of the same file or of one read before, and be `like` a part that stands earlier. References
// to other parts (a server's GPU) are noted and resolved when all files are in. fetch_part and fetch_source, when set,
// are asked for what is not there yet: that is how parts are read one by one (state.h).
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "weft/catalog/toml_reader.h"

namespace weft::catalog {

class Draft {
 public:
  // Where something stands, cheap to keep: line and column are worked out only for an error. Empty when not kept.
  struct Place {
    const SourceText* text = nullptr;
    toml::source_region where;
  };

  // keep_places: for texts that outlive the draft, so that resolving can point at them.
  explicit Draft(bool keep_places) : keep_places_(keep_places) {}

  Result<void> read_sources(const TomlFile& file);
  Result<void> read_parts(const TomlFile& file);
  Result<void> resolve_references() const;

  [[nodiscard]] const Part* find(std::string_view name);
  [[nodiscard]] const Source* source(std::string_view id);

  std::deque<Part> parts;  // addresses stay
  std::deque<Place> places;
  std::deque<Source> sources;
  std::map<std::string, std::size_t, std::less<>> index;  // ids and aliases -> parts
  std::function<void(std::string_view)> fetch_part;
  std::function<void(std::string_view)> fetch_source;

 private:
  struct Reference {
    Place place;
    Kind kind;
    std::string target;
  };

  Result<Part> read_part(const TomlFile& file, Kind kind, const toml::key& id, const toml::table& table);
  Result<void> read_figures(const TomlFile& file, const toml::table& table, const Provenance& fallback,
                            const Part* model, const toml::key& id, Part& part);
  Result<Figure> read_figure(const TomlFile& file, const SchemaKey& key, const toml::node& node,
                             const Provenance& fallback);
  Result<const Part*> model_of(const TomlFile& file, Kind kind, const toml::table& table);
  Result<void> read_provenance(const TomlFile& file, const toml::table& table, Provenance& from);
  Result<void> add(const TomlFile& file, Part part, const toml::source_region& where);
  void note_references(const TomlFile& file, const SchemaKey& key, const toml::node& node, const Value& value);
  [[nodiscard]] std::vector<std::string> ids(Kind kind) const;

  bool keep_places_;
  std::vector<Reference> references_;
};

}  // namespace weft::catalog
