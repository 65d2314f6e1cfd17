// The keys of a Hugging Face config.json, asked for by any of the names that architectures use.
//
// Looking never throws and never returns early: the first fault is kept, defaults are handed out from then on, and
// whoever asked looks at error() when it is done. By then every name has been asked for, so that a missing key can be
// told from a mistyped one; it is reported before other faults. null counts as missing, as in Python.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/formats/json_tree.h"

namespace weft::formats {

// Names of one thing, most usual first: {"num_hidden_layers", "n_layer"} in a call, or an array kept elsewhere.
class KeyNames {
 public:
  KeyNames(std::initializer_list<std::string_view> names) : names_(names.begin(), names.size()) {}
  KeyNames(std::span<const std::string_view> names) : names_(names) {}
  [[nodiscard]] auto begin() const { return names_.begin(); }
  [[nodiscard]] auto end() const { return names_.end(); }

 private:
  std::span<const std::string_view> names_;  // lives as long as the call
};

class ConfigKeys {
 public:
  using Names = KeyNames;

  // Looks in `part` (the text model of a multimodal config, or the whole) and for some keys in `root` too.
  ConfigKeys(const SourceText& source, const JsonValue& root, const JsonValue& part);

  const JsonValue* find(Names names);           // in the part
  const JsonValue* find_anywhere(Names names);  // in the part, else in the root
  const JsonValue* find_in(const JsonValue* object, Names names);

  // The number, which must be whole and within least … most; `otherwise` when no name is there.
  std::int64_t whole(Names names, std::int64_t otherwise, std::int64_t least, std::int64_t most);
  // The same, but it must be there. `what` says what it is: "the number of layers".
  std::int64_t needed(Names names, std::string_view what, std::int64_t least, std::int64_t most);
  std::int64_t whole_of(const JsonValue* value, std::int64_t otherwise, std::int64_t least, std::int64_t most);
  bool flag(Names names, bool otherwise);
  bool flag_of(const JsonValue* value, bool otherwise);
  std::string text(Names names);  // "" when missing or not a text
  // Whole numbers of a list, each within 0 … most; empty when missing.
  std::vector<std::int64_t> whole_list(Names names, std::int64_t most);

  void fault(Error error);                                           // keeps the first
  [[nodiscard]] SourcePosition place(const JsonValue* value) const;  // of its key; of the part when null pointer
  [[nodiscard]] std::optional<Error> error() const;

  // Keys that nobody asked for and that look like one that was asked for and is missing: probably slips.
  [[nodiscard]] std::vector<std::string> likely_slips() const;

 private:
  struct Missing {
    std::vector<std::string> names;
    std::string what;
  };
  [[nodiscard]] std::string shown(const JsonValue& value) const;
  [[nodiscard]] Error missing_error() const;
  [[nodiscard]] const JsonValue* nearest_unasked(const std::vector<std::string>& names, int most_distance) const;

  const SourceText& source_;
  const JsonValue& root_;
  const JsonValue& part_;
  std::set<std::string, std::less<>> asked_;
  std::optional<Error> error_;
  std::optional<Missing> missing_;
};

}  // namespace weft::formats
