// What tests of this room share: the builtin catalog, and small texts read as one file.
#pragma once

#include <string>
#include <vector>

#include "weft/catalog/catalog.h"

namespace weft::catalog {

inline const Catalog& builtin_catalog() {
  static const Catalog catalog = Catalog::builtin().value();
  return catalog;
}

inline Result<Catalog> load_text(std::string text) {
  const std::vector<SourceText> files = {{"my.toml", std::move(text)}};
  return Catalog::load(files);
}

// The text laid over the builtin catalog.
inline Result<Catalog> load_over_builtin(std::string text) {
  std::vector<SourceText> files = Catalog::builtin_texts();
  files.push_back({"my.toml", std::move(text)});
  return Catalog::load(files);
}

}  // namespace weft::catalog
