// One TOML text of the catalog, parsed, with errors that point into it. Private to the room (toml++ stays inside).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/schema.h"

namespace weft::catalog {

// Where a key or value stands, columns in bytes.
[[nodiscard]] SourcePosition position_of(const SourceText& text, const toml::source_region& region);
// "unknown WHAT "x"" with the choices and a did-you-mean.
[[nodiscard]] tl::unexpected<Error> unknown_word(const SourceText& text, std::string_view id, std::string_view what,
                                                 std::string_view typed, const toml::source_region& region,
                                                 std::span<const std::string> choices);

class TomlFile {
 public:
  // Takes the text by reference: it must outlive the file.
  static Result<TomlFile> parse(const SourceText& text);

  [[nodiscard]] const toml::table& root() const { return root_; }
  [[nodiscard]] const SourceText& text() const { return *text_; }
  [[nodiscard]] tl::unexpected<Error> error(std::string_view id, std::string message, const toml::source_region& region,
                                            std::string expected = "", std::string hint = "") const;
  [[nodiscard]] tl::unexpected<Error> unknown(std::string_view id, std::string_view what, std::string_view typed,
                                              const toml::source_region& region,
                                              std::span<const std::string> choices) const;

  [[nodiscard]] Result<std::string> text_of(std::string_view key, const toml::node& node) const;
  [[nodiscard]] Result<std::vector<std::string>> texts_of(std::string_view key, const toml::node& node) const;
  [[nodiscard]] Result<Value> value_of(const SchemaKey& key, const toml::node& node) const;

 private:
  [[nodiscard]] Result<const toml::array*> list_of(std::string_view key, ValueType wanted,
                                                   const toml::node& node) const;
  [[nodiscard]] tl::unexpected<Error> wrong_type(std::string_view key, ValueType wanted, const toml::node& node) const;
  [[nodiscard]] Result<std::int64_t> whole_number(std::string_view key, const toml::node& node) const;
  [[nodiscard]] Result<std::vector<std::int64_t>> whole_numbers(std::string_view key, const toml::node& node) const;
  [[nodiscard]] Result<std::vector<MeshEdge>> mesh_of(std::string_view key, const toml::node& node) const;
  [[nodiscard]] Result<PcieGroup> group_of(const toml::node& node) const;
  [[nodiscard]] Result<std::vector<PcieGroup>> groups_of(std::string_view key, const toml::node& node) const;

  const SourceText* text_ = nullptr;
  toml::table root_;
};

// The keys of a table in the order in which they stand in the file.
[[nodiscard]] std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table);

}  // namespace weft::catalog
