#include "weft/catalog/toml_words.h"

#include "weft/base/printable.h"

namespace weft::catalog {

bool is_id(std::string_view id) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  };
  return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, fits);
}

tl::unexpected<Error> bad_id(const TomlFile& file, const std::string& id, const toml::source_region& where) {
  return file.error("WEFT-CAT-0013", in_quotes(id) + " cannot be an id", where,
                    "lower-case letters, digits, '-', '_' and '.', at most 64");
}

Result<void> take_text(const TomlFile& file, const toml::table& table, std::string_view key, std::string& into) {
  if (const toml::node* node = table.get(key)) {
    Result<std::string> text = file.text_of(key, *node);
    if (!text) return fail(std::move(text.error()));
    into = std::move(*text);
  }
  return {};
}

Result<void> take_texts(const TomlFile& file, const toml::table& table, std::string_view key,
                        std::vector<std::string>& into) {
  if (const toml::node* node = table.get(key)) {
    Result<std::vector<std::string>> texts = file.texts_of(key, *node);
    if (!texts) return fail(std::move(texts.error()));
    into = std::move(*texts);
  }
  return {};
}

Result<void> take_basis(const TomlFile& file, const toml::table& table, Basis& into) {
  const toml::node* node = table.get("basis");
  if (node == nullptr) return {};
  const Result<std::string> text = file.text_of("basis", *node);
  if (!text) return fail(text.error());
  const std::optional<Basis> basis = basis_from(*text);
  if (!basis) {
    const std::vector<std::string> choices = {"standard", "datasheet", "measured", "derived", "assumed"};
    return file.unknown("WEFT-CAT-0011", "basis", *text, node->source(), choices);
  }
  into = *basis;
  return {};
}

}  // namespace weft::catalog
