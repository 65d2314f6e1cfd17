#include "weft/catalog/models.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#define TOML_HEADER_ONLY 0
#include <toml++/toml.h>

#include "weft/base/suggest.h"
#include "weft/base/toml_depth.h"
#include "weft/catalog/model_fields.h"

namespace weft::catalog {
namespace {

constexpr std::size_t kLargestFile = std::size_t{16} << 20;

constexpr auto kRequired = std::to_array<std::string_view>({"id", "layers", "hidden", "heads", "vocab"});

template <class Range>
auto find_key(const Range& range, std::string_view key) {
  return std::ranges::find_if(range, [&](const auto& row) { return row.key == key; });
}

const NumberKey* find_number(ModelTable table, std::string_view key) {
  const auto found =
      std::ranges::find_if(number_keys(), [&](const NumberKey& row) { return row.table == table && row.key == key; });
  return found == number_keys().end() ? nullptr : &*found;
}

std::string quoted(std::string_view text) { return '"' + std::string(text.substr(0, 64)) + '"'; }

// One file being read. Readers return false (and have set error) at the first fault.
class Reader {
 public:
  explicit Reader(const SourceText& source) : source_(source) {}

  Result<std::vector<ModelShape>> read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      if (key.str() == "model") continue;
      const std::array<std::string, 1> known = {"model"};
      return fail(input_error("WEFT-CAT-0202", "unknown key " + quoted(key.str()) + " in a file of models")
                      .with_expected("[[model]] tables")
                      .with_hint(did_you_mean(key.str(), known))
                      .at(position(key.source())));
    }
    std::vector<ModelShape> models;
    const toml::node* node = root.get("model");
    if (node == nullptr) return models;
    const toml::array* list = node->as_array();
    if (list == nullptr) return fail(wrong_type("model", "[[model]] tables", *node));
    for (const toml::node& item : *list) {
      const toml::table* table = item.as_table();
      if (table == nullptr) return fail(wrong_type("model", "[[model]] tables", item));
      Result<ModelShape> model = read_model(*table);
      if (!model) return model.map([](auto&&) { return std::vector<ModelShape>(); });
      models.push_back(std::move(*model));
    }
    return models;
  }

 private:
  using Read = Result<void>;

  [[nodiscard]] SourcePosition position(const toml::source_region& region) const {
    return source_.position_at(static_cast<int>(region.begin.line), static_cast<int>(region.begin.column));
  }

  [[nodiscard]] Error wrong_type(std::string_view key, std::string_view wanted, const toml::node& node) const {
    return input_error("WEFT-CAT-0203", quoted(key) + " has the wrong type")
        .with_expected(std::string(wanted))
        .at(position(node.source()));
  }

  [[nodiscard]] Error unknown_key(const toml::key& key, ModelTable table) const {
    const std::vector<std::string> known = keys_of(table);
    return input_error("WEFT-CAT-0202", "unknown key " + quoted(key.str()) + " of a model")
        .with_hint(did_you_mean(key.str(), known))
        .at(position(key.source()));
  }

  Result<ModelShape> read_model(const toml::table& table) {
    for (const std::string_view key : kRequired) {
      if (table.contains(key)) continue;
      return fail(input_error("WEFT-CAT-0204", "a model without " + quoted(key)).at(position(table.source())));
    }
    ModelShape model;
    for (const auto& [key, node] : table) {
      if (Read done = read_key(model, key, node); !done) return fail(std::move(done.error()));
    }
    fill_in(model, table);
    if (std::optional<ShapeFault> fault = fault_of(model)) {
      return fail(input_error("WEFT-CAT-0205", model.id + ": " + fault->message)
                      .with_expected(fault->expected)
                      .at(place_of(table, fault->key)));
    }
    if (Read done = claim_names(model, table); !done) return fail(std::move(done.error()));
    return model;
  }

  static void fill_in(ModelShape& model, const toml::table& table) {
    if (table.contains("latent")) {
      model.attention = AttentionKind::latent;
      model.head_dim = model.latent.qk_nope + model.latent.qk_rope;
    }
    if (!table.contains("kv_heads")) model.kv_heads = model.heads;
    const bool can_divide = model.heads > 0 && model.hidden % model.heads == 0;
    if (model.head_dim == 0 && can_divide) model.head_dim = model.hidden / model.heads;
    if (model.title.empty()) model.title = model.id;
  }

  Read read_key(ModelShape& model, const toml::key& key, const toml::node& node) {
    const std::string_view name = key.str();
    if (const NumberKey* number = find_number(ModelTable::model, name)) return read_number(model, *number, node);
    if (const auto text = find_key(kTexts, name); text != kTexts.end()) {
      return read_text(model.*(text->member), name, node);
    }
    if (const auto flag = find_key(kFlags, name); flag != kFlags.end()) {
      return read_flag(model.*(flag->member), name, node);
    }
    if (const auto format = find_key(kFormatFields, name); format != kFormatFields.end()) {
      return read_word(model.*(format->member), kFormats, "a number format", name, node);
    }
    if (name == "quantised") return read_word(model.quantised, kQuantised, "a set of quantised matrices", name, node);
    if (name == "aliases") return read_texts(model.aliases, name, node);
    if (name == "full_attention_layers") return read_layers(model.full_attention_layers, name, node);
    if (name == "moe") return read_sub_table(model, ModelTable::moe, name, node);
    if (name == "latent") return read_sub_table(model, ModelTable::latent, name, node);
    return fail(unknown_key(key, ModelTable::model));
  }

  Read read_sub_table(ModelShape& model, ModelTable which, std::string_view name, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail(wrong_type(name, "a table", node));
    for (const auto& [key, value] : *table) {
      Read done;
      if (const NumberKey* number = find_number(which, key.str())) {
        done = read_number(model, *number, value);
      } else if (which == ModelTable::moe && key.str() == "dense_layers") {
        done = read_layers(model.moe.dense_layers, key.str(), value);
      } else if (which == ModelTable::moe && key.str() == "shared_gate") {
        done = read_flag(model.moe.shared_gate, key.str(), value);
      } else {
        done = fail(unknown_key(key, which));
      }
      if (!done) return done;
    }
    return {};
  }

  Read read_number(ModelShape& model, const NumberKey& row, const toml::node& node) {
    const auto* value = node.as_integer();
    if (value == nullptr) return fail(wrong_type(row.key, "a whole number", node));
    row.set(model, value->get());
    return {};
  }

  Read read_text(std::string& field, std::string_view key, const toml::node& node) {
    const auto* value = node.as_string();
    if (value == nullptr) return fail(wrong_type(key, "a text in quotes", node));
    field = value->get();
    return {};
  }

  Read read_flag(bool& field, std::string_view key, const toml::node& node) {
    const auto* value = node.as_boolean();
    if (value == nullptr) return fail(wrong_type(key, "true or false", node));
    field = value->get();
    return {};
  }

  // One word out of a fixed set.
  template <class Words, class Enum>
  Read read_word(Enum& field, const Words& words, std::string_view what, std::string_view key, const toml::node& node) {
    std::string typed;
    if (Read done = read_text(typed, key, node); !done) return done;
    std::vector<std::string> known;
    std::string list;
    for (const auto& [value, word] : words) {
      if (word == typed) {
        field = value;
        return {};
      }
      known.emplace_back(word);
      list += (list.empty() ? "one of " : ", ") + known.back();
    }
    return fail(input_error("WEFT-CAT-0208", quoted(typed) + " is not " + std::string(what))
                    .with_expected(list)
                    .with_hint(did_you_mean(typed, known))
                    .at(position(node.source())));
  }

  Read read_texts(std::vector<std::string>& field, std::string_view key, const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr) return fail(wrong_type(key, "a list of texts", node));
    for (const toml::node& item : *list) {
      if (Read done = read_text(field.emplace_back(), key, item); !done) return done;
    }
    return {};
  }

  Read read_layers(std::vector<int>& field, std::string_view key, const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr) return fail(wrong_type(key, "a list of layer numbers, from 0", node));
    for (const toml::node& item : *list) {
      const auto* value = item.as_integer();
      if (value == nullptr) return fail(wrong_type(key, "a list of layer numbers, from 0", item));
      field.push_back(static_cast<int>(std::clamp<std::int64_t>(value->get(), -1, std::numeric_limits<int>::max())));
    }
    return {};
  }

  // Where the key of a fault stands; the table itself when the user did not write that key.
  [[nodiscard]] SourcePosition place_of(const toml::table& table, std::string_view key) const {
    for (const std::string_view sub : {std::string_view(), std::string_view("moe"), std::string_view("latent")}) {
      const toml::table* in = sub.empty() ? &table : table[sub].as_table();
      const toml::node* node = in == nullptr ? nullptr : in->get(key);
      if (node != nullptr) return position(node->source());
    }
    return position(table.source());
  }

  Read claim_names(const ModelShape& model, const toml::table& table) {
    std::vector<std::string> names = model.aliases;
    names.push_back(model.id);
    for (const std::string& name : names) {
      if (name.empty()) {
        return fail(input_error("WEFT-CAT-0204", "a model with an empty name").at(position(table.source())));
      }
      const auto [other, is_new] = owner_of_.try_emplace(name, model.id);
      if (is_new) continue;
      return fail(input_error("WEFT-CAT-0206",
                              quoted(name) + " names two models, " + quoted(other->second) + " and " + quoted(model.id))
                      .at(place_of(table, name == model.id ? "id" : "aliases")));
    }
    return {};
  }

  const SourceText& source_;
  std::map<std::string, std::string> owner_of_;  // name or alias -> id
};

}  // namespace

Result<std::vector<ModelShape>> read_models(const SourceText& source) {
  if (source.text.size() > kLargestFile) {
    return fail(input_error("WEFT-CAT-0207", "a file of models larger than 16 MiB").at(source.position(0)));
  }
  if (const std::optional<std::size_t> deep = too_deep_for_toml(source.text)) {
    return fail(input_error("WEFT-CAT-0207", "tables nested too deep").at(source.position(*deep)));
  }
  try {
    const toml::table root = toml::parse(std::string_view(source.text), source.name);
    return Reader(source).read(root);
  } catch (const toml::parse_error& broken) {
    const toml::source_position at = broken.source().begin;
    return fail(input_error("WEFT-CAT-0201", "not TOML: " + std::string(broken.description()))
                    .at(source.position_at(static_cast<int>(at.line), static_cast<int>(at.column))));
  }
}

}  // namespace weft::catalog
