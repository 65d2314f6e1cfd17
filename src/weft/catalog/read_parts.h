// From TOML tables to parts and sources: one file at a time into a growing draft of the catalog. Private to the room.
//
// Sources of all files are read first, since a part may name a source that stands in another file. `like` refers to a
// part that stands earlier; references to other parts (a server's GPU) are noted and resolved when all files are in.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/catalog/toml_reader.h"

namespace weft::catalog {

struct Reference {
  const TomlFile* file;
  toml::source_region where;
  std::string_view key;
  Kind kind;
  std::string target;
};

class Draft {
 public:
  Result<void> read_sources(const TomlFile& file);
  Result<void> read_parts(const TomlFile& file);
  Result<void> resolve_references() const;

  struct Place {
    const TomlFile* file;
    toml::source_region where;
  };

  std::vector<Part> parts;
  std::vector<Place> places;  // where each part's id stands
  std::vector<Source> sources;
  std::map<std::string, std::size_t, std::less<>> index;  // ids and aliases -> parts

 private:
  Result<Part> read_part(const TomlFile& file, Kind kind, const toml::key& id, const toml::table& table);
  Result<void> read_figure(const TomlFile& file, const SchemaKey& key, const toml::node& node, const Provenance& fallback,
                           Part& part);
  Result<void> read_provenance(const TomlFile& file, const toml::table& table, Provenance& from) const;
  Result<void> add(const TomlFile& file, Part part, const toml::source_region& where);
  void note_references(const TomlFile& file, const SchemaKey& key, const toml::node& node, const Value& value);
  [[nodiscard]] const Source* source(std::string_view id) const;
  [[nodiscard]] std::vector<std::string> ids(Kind kind) const;

  std::vector<Reference> references_;
};

}  // namespace weft::catalog
