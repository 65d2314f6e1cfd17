// The catalog of the program, read once for all tests of this room.
#pragma once

#include <gtest/gtest.h>

#include "weft/catalog/catalog.h"

namespace weft::formats {

inline const catalog::Catalog& test_catalog() {
  static const Result<catalog::Catalog> catalog = catalog::Catalog::builtin();
  EXPECT_TRUE(catalog) << (catalog ? "" : catalog.error().to_string());
  return *catalog;
}

// Does any of the texts contain the words?
template <class Texts>
bool says(const Texts& texts, std::string_view words) {
  for (const auto& text : texts) {
    if (std::string_view(text).find(words) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace weft::formats
