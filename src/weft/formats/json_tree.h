// A JSON text as a tree that remembers where each key stood, with limits that hostile input runs into early.
//
// Read by nlohmann-json's event parser, which does not recurse. Limits: 16 MiB of text, 64 levels, 262,144 values.
// NaN, Infinity and -Infinity, which Python writes and JSON does not have, are read as texts: harmless where nobody
// looks, an error with its place where a number is needed. A key that stands twice is kept twice; whoever asks for it
// decides (find_all).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"

namespace weft::formats {

enum class JsonType { null, boolean, number, text, list, object };
[[nodiscard]] std::string_view name_of(JsonType type);  // "a number"

struct JsonValue {
  JsonType type = JsonType::null;
  bool boolean = false;
  bool is_whole = false;  // a number without a fraction that fits `whole`
  std::int64_t whole = 0;
  double number = 0;
  std::string text;
  std::string key;         // of a member of an object
  std::size_t offset = 0;  // of the member's key; of the list it stands in; 0 for the root
  std::vector<JsonValue> children;

  [[nodiscard]] const JsonValue* find(std::string_view wanted) const;  // the first member of that key, or null pointer
  [[nodiscard]] int count(std::string_view wanted) const;              // how often the key stands here
};

// WEFT-FMT-0401 empty, 0302 too large, 0303 not JSON, 0304 too deep or too many values.
[[nodiscard]] Result<JsonValue> read_json(const SourceText& source);

}  // namespace weft::formats
