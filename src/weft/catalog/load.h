// Whole texts read and checked: parts with their sources, and model shapes. Private to the room.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "weft/base/embedded.h"
#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/catalog/state.h"

namespace weft::catalog {

// Files of models hold nothing else and have a reader of their own (models.h).
[[nodiscard]] bool is_models_file(std::string_view name);
[[nodiscard]] std::vector<SourceText> texts_of(std::span<const EmbeddedFile> files);

[[nodiscard]] Result<AllParts> load_parts(std::span<const SourceText> texts);
[[nodiscard]] Result<std::vector<ModelShape>> load_models(std::span<const SourceText> texts);

}  // namespace weft::catalog
