// Figures of a part by key, with what absence means. Private to the room; keys and types are those of the schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/catalog/part.h"

namespace weft::catalog {

template <class T>
[[nodiscard]] T field(const Part& part, std::string_view key, const T& absent = T()) {
  const Figure* figure = part.find(key);
  return figure == nullptr ? absent : std::get<T>(figure->value);
}

[[nodiscard]] inline int int_field(const Part& part, std::string_view key, int absent = 0) {
  return static_cast<int>(field<std::int64_t>(part, key, absent));
}

}  // namespace weft::catalog
