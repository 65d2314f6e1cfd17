// The catalog's models, for tests: the shapes that published figures belong to.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

#include "weft/catalog/models.h"

namespace weft::llm {

inline const std::vector<catalog::ModelShape>& shipped_models() {
  static const std::vector<catalog::ModelShape> models = [] {
    std::ifstream file("data/catalog/models.toml");
    std::stringstream content;
    content << file.rdbuf();
    Result<std::vector<catalog::ModelShape>> read = catalog::read_models({"data/catalog/models.toml", content.str()});
    EXPECT_TRUE(read) << read.error().to_string();
    return read ? *read : std::vector<catalog::ModelShape>();
  }();
  return models;
}

inline catalog::ModelShape shipped(std::string_view id) {
  for (const catalog::ModelShape& model : shipped_models()) {
    if (model.id == id) return model;
  }
  ADD_FAILURE() << "no model " << id;
  return {};
}

}  // namespace weft::llm
