// Small words of the catalog's TOML: ids, texts that may be absent, the basis of a figure. Private to the room.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "weft/catalog/toml_reader.h"

namespace weft::catalog {

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

template <class List>
std::vector<std::string> words(const List& list) {
  return {list.begin(), list.end()};
}

[[nodiscard]] bool is_id(std::string_view id);
[[nodiscard]] tl::unexpected<Error> bad_id(const TomlFile& file, const std::string& id,
                                           const toml::source_region& where);

// Read table[key] into `into` when it is there.
Result<void> take_text(const TomlFile& file, const toml::table& table, std::string_view key, std::string& into);
Result<void> take_texts(const TomlFile& file, const toml::table& table, std::string_view key,
                        std::vector<std::string>& into);
Result<void> take_basis(const TomlFile& file, const toml::table& table, Basis& into);

}  // namespace weft::catalog
