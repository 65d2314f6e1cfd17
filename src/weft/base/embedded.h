// Files of data/ that the build compiled into the binary, so that it works alone (cmake/embed.cmake makes the lists).
#pragma once

#include <span>
#include <string_view>

namespace weft {

struct EmbeddedFile {
  std::string_view name;  // "data/catalog/links.toml"
  std::string_view content;
};

}  // namespace weft
