// A TOML text of the user's, parsed, that can say where each key and value stands. Private to the room: toml++ stays
// in the .cc files that include this.
#pragma once

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"

namespace weft::formats {

class TomlFile {
 public:
  // `source` must outlive the file. Refuses what is empty, larger than 8 MiB or nested beyond reason.
  static Result<TomlFile> parse(const SourceText& source);

  [[nodiscard]] const toml::table& root() const { return root_; }
  [[nodiscard]] SourcePosition position(const toml::source_region& region) const;
  [[nodiscard]] SourcePosition position(const toml::node& node) const { return position(node.source()); }
  // The position of a key in a table; of the table when it has none.
  [[nodiscard]] SourcePosition position(const toml::table& table, std::string_view key) const;

  // Typed values. `name` is how messages call it ("servers.count").
  [[nodiscard]] Result<std::string> text(std::string_view name, const toml::node& node) const;
  [[nodiscard]] Result<bool> flag(std::string_view name, const toml::node& node) const;
  [[nodiscard]] Result<std::int64_t> whole(std::string_view name, const toml::node& node, std::int64_t least,
                                           std::int64_t most) const;
  [[nodiscard]] Result<double> number(std::string_view name, const toml::node& node, double least, double most) const;
  // A text that units/text reads; `example` is shown when it is no text at all.
  [[nodiscard]] Result<std::string> quantity(std::string_view name, const toml::node& node,
                                             std::string_view example) const;
  [[nodiscard]] Result<const toml::table*> table(std::string_view name, const toml::node& node) const;
  [[nodiscard]] Result<const toml::array*> list(std::string_view name, const toml::node& node, std::size_t most) const;

  [[nodiscard]] Error wrong_type(std::string_view name, const toml::node& node, std::string expected) const;
  [[nodiscard]] Error unknown_key(std::string_view where, const toml::key& key,
                                  const std::vector<std::string>& known) const;

 private:
  const SourceText* source_ = nullptr;
  toml::table root_;
};

// The entries of a table in the order of the file.
[[nodiscard]] std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table);

// A value that was read goes into a field, or its error up.
template <class From, class To>
Result<void> take_value(Result<From> value, To& into) {
  if (!value) return fail(std::move(value.error()));
  into = static_cast<To>(std::move(*value));
  return {};
}

}  // namespace weft::formats
