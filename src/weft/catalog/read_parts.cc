#include "weft/catalog/read_parts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/printable.h"
#include "weft/catalog/toml_words.h"

namespace weft::catalog {
namespace {

constexpr std::size_t kMostParts = 2000;

// Keys that describe a part rather than state a figure about it.
constexpr auto kCommonKeys =
    std::to_array<std::string_view>({"title", "aliases", "source", "basis", "note", "caveats", "like"});
constexpr auto kFigureKeys = std::to_array<std::string_view>({"value", "source", "basis", "note"});
constexpr std::string_view kJudgementNote = "judgement of the authors, not a figure";

std::vector<std::string> top_level_words() {
  std::vector<std::string> all = {"source", "model"};
  for (int i = 0; i < kKinds; ++i) all.emplace_back(name_of(static_cast<Kind>(i)));
  return all;
}

Result<void> check_class(const TomlFile& file, const toml::node& node, const Value& value) {
  const std::string& text = std::get<std::string>(value);
  if (link_class_from(text)) return {};
  std::vector<std::string> choices;
  for (int i = 0; i <= static_cast<int>(LinkClass::proprietary); ++i) {
    choices.emplace_back(name_of(static_cast<LinkClass>(i)));
  }
  return file.unknown("WEFT-CAT-0011", "link class", text, node.source(), choices);
}

Result<void> check_keys(const TomlFile& file, Kind kind, const toml::table& table) {
  for (const auto& [name, node] : table) {
    if (contains(kCommonKeys, name.str()) || find_key(kind, name.str()) != nullptr) continue;
    std::vector<std::string> choices = keys_of(kind);
    for (const std::string_view common : kCommonKeys) choices.emplace_back(common);
    return file.unknown("WEFT-CAT-0003", "key of a " + std::string(name_of(kind)), name.str(), name.source(), choices);
  }
  return {};
}

}  // namespace

const Part* Draft::find(std::string_view name) {
  auto found = index.find(name);
  if (found == index.end() && fetch_part) {
    fetch_part(name);
    found = index.find(name);
  }
  return found == index.end() ? nullptr : &parts[found->second];
}

std::vector<std::string> Draft::ids(Kind kind) const {
  std::vector<std::string> all;
  for (const Part& part : parts) {
    if (part.kind == kind) all.push_back(part.id);
  }
  return all;
}

Result<void> Draft::read_parts(const TomlFile& file) {
  for (const auto& [kind_key, kind_node] : in_file_order(file.root())) {
    const std::string_view word = kind_key->str();
    if (word == "source" || word == "model") continue;
    const std::optional<Kind> kind = kind_from(word);
    if (!kind) return file.unknown("WEFT-CAT-0002", "kind of part", word, kind_key->source(), top_level_words());
    const toml::table* all = kind_node->as_table();
    const std::string header = "[" + std::string(word) + ".id]";
    if (all == nullptr) {
      return file.error("WEFT-CAT-0004", "\"" + std::string(word) + "\" is not a table", kind_node->source(), header);
    }
    for (const auto& [id, node] : in_file_order(*all)) {
      const toml::table* table = node->as_table();
      if (table == nullptr) {
        return file.error("WEFT-CAT-0004", in_quotes(id->str()) + " is not a table", node->source(), header);
      }
      Result<Part> part = read_part(file, *kind, *id, *table);
      if (!part) return fail(std::move(part.error()));
      if (Result<void> added = add(file, std::move(*part), id->source()); !added) return added;
    }
  }
  return {};
}

// The part that `like` names, or none.
Result<const Part*> Draft::model_of(const TomlFile& file, Kind kind, const toml::table& table) {
  const toml::node* like = table.get("like");
  if (like == nullptr) return nullptr;
  const Result<std::string> other = file.text_of("like", *like);
  if (!other) return fail(other.error());
  const Part* found = find(*other);
  if (found != nullptr && found->kind == kind) return found;
  return file.unknown("WEFT-CAT-0008", std::string(name_of(kind)) + " to be like (it must stand earlier)", *other,
                      like->source(), ids(kind));
}

Result<Part> Draft::read_part(const TomlFile& file, Kind kind, const toml::key& id, const toml::table& table) {
  Part part;
  part.kind = kind;
  part.id = id.str();
  if (!is_id(part.id)) return bad_id(file, part.id, id.source());
  Provenance fallback;
  Result<void> read = read_provenance(file, table, fallback);
  if (read) read = take_text(file, table, "title", part.title);
  if (read) read = take_texts(file, table, "aliases", part.aliases);
  if (read) read = take_texts(file, table, "caveats", part.caveats);
  if (read) read = check_keys(file, kind, table);
  if (!read) return fail(std::move(read.error()));
  if (part.title.empty()) {
    return file.error("WEFT-CAT-0009", part.id + " lacks \"title\"", id.source(), "title = \"what a person calls it\"");
  }
  const Result<const Part*> model = model_of(file, kind, table);
  if (!model) return fail(model.error());
  read = read_figures(file, table, fallback, *model, id, part);
  if (!read) return fail(std::move(read.error()));
  return part;
}

// In schema order: each figure that the table states, else the one of the part that this one is like.
Result<void> Draft::read_figures(const TomlFile& file, const toml::table& table, const Provenance& fallback,
                                 const Part* model, const toml::key& id, Part& part) {
  const SchemaKey* missing = nullptr;
  for (const SchemaKey& key : schema(part.kind)) {
    if (const toml::node* node = table.get(key.key)) {
      Result<Figure> figure = read_figure(file, key, *node, fallback);
      if (!figure) return fail(std::move(figure.error()));
      part.figures.push_back(std::move(*figure));
    } else if (const Figure* inherited = model == nullptr ? nullptr : model->find(key.key)) {
      part.figures.push_back(*inherited);
    } else if (key.required && missing == nullptr) {
      missing = &key;
    }
  }
  if (missing == nullptr) return {};
  return file.error("WEFT-CAT-0009", part.id + " lacks \"" + std::string(missing->key) + "\"", id.source(),
                    std::string(missing->key) + " = …: " + std::string(missing->meaning));
}

Result<Figure> Draft::read_figure(const TomlFile& file, const SchemaKey& key, const toml::node& node,
                                  const Provenance& fallback) {
  Figure figure;
  figure.key = key.key;
  figure.from = fallback;
  if (key.judgement) figure.from = {"", Basis::assumed, std::string(kJudgementNote)};
  const toml::node* value = &node;
  if (const toml::table* table = node.as_table()) {
    for (const auto& [name, each] : *table) {
      if (!contains(kFigureKeys, name.str())) {
        return file.unknown("WEFT-CAT-0003", "key of a figure", name.str(), name.source(), words(kFigureKeys));
      }
    }
    value = table->get("value");
    if (value == nullptr) {
      return file.error("WEFT-CAT-0009", "\"" + figure.key + "\" lacks \"value\"", node.source(),
                        "{ value = …, source = \"…\" }");
    }
    // A figure that names its own source does not carry the part's note; one that is assumed does not carry its source.
    if (table->contains("source") || table->contains("basis")) figure.from.note.clear();
    if (Result<void> read = read_provenance(file, *table, figure.from); !read) return fail(std::move(read.error()));
    if (figure.from.basis == Basis::assumed && !table->contains("source")) figure.from.source.clear();
  }
  if (figure.from.basis != Basis::assumed && figure.from.source.empty()) {
    return file.error("WEFT-CAT-0007", "\"" + figure.key + "\" has no source", node.source(),
                      "source = \"…\" for the part or the figure; or basis = \"assumed\" and a note that says why");
  }
  if (figure.from.basis == Basis::assumed && figure.from.note.empty()) {
    return file.error("WEFT-CAT-0012", "\"" + figure.key + "\" is assumed without a note", node.source(),
                      "note = \"why this value\"");
  }
  Result<Value> read = file.value_of(key, *value);
  if (!read) return fail(std::move(read.error()));
  if (key.kind == Kind::link && key.key == "class") {
    if (Result<void> known = check_class(file, *value, *read); !known) return fail(std::move(known.error()));
  }
  note_references(file, key, *value, *read);
  figure.value = std::move(*read);
  return figure;
}

void Draft::note_references(const TomlFile& file, const SchemaKey& key, const toml::node& node, const Value& value) {
  if (!keep_places_) return;
  // "" says that an optional part is not there.
  const auto note = [&](Kind kind, const std::string& target) {
    if (!target.empty() || key.required) references_.push_back({{&file.text(), node.source()}, kind, target});
  };
  if (key.refers) note(*key.refers, std::get<std::string>(value));
  if (key.type != ValueType::pcie_groups) return;
  for (const PcieGroup& group : std::get<std::vector<PcieGroup>>(value)) {
    note(Kind::network_switch, group.switch_part);
    note(Kind::link, group.uplink);
  }
}

// Lays the part over an earlier one of the same kind and id, or adds it.
Result<void> Draft::add(const TomlFile& file, Part part, const toml::source_region& where) {
  std::vector<std::string> names = part.aliases;
  names.push_back(part.id);
  const auto same = index.find(part.id);
  const bool replaces =
      same != index.end() && parts[same->second].id == part.id && parts[same->second].kind == part.kind;
  const std::size_t place = replaces ? same->second : parts.size();
  if (place >= kMostParts) {
    return file.error("WEFT-CAT-0014", "more than " + std::to_string(kMostParts) + " parts", where);
  }
  if (replaces) std::erase_if(index, [&](const auto& entry) { return entry.second == place; });
  for (const std::string& name : names) {
    if (!is_id(name)) return bad_id(file, name, where);
    const auto taken = index.find(name);
    if (taken != index.end()) {
      const Part& other = parts[taken->second];
      return file.error("WEFT-CAT-0010",
                        in_quotes(name) + " already names the " + std::string(name_of(other.kind)) + " " + other.id,
                        where, "an id that is unique over all kinds");
    }
    index.emplace(name, place);
  }
  if (replaces) {
    parts[place] = std::move(part);
    if (keep_places_) places[place] = {&file.text(), where};
  } else {
    parts.push_back(std::move(part));
    if (keep_places_) places.push_back({&file.text(), where});
  }
  return {};
}

Result<void> Draft::resolve_references() const {
  for (const Reference& reference : references_) {
    const auto found = index.find(reference.target);
    if (found != index.end() && parts[found->second].kind == reference.kind) continue;
    return unknown_word(*reference.place.text, "WEFT-CAT-0008", name_of(reference.kind), reference.target,
                        reference.place.where, ids(reference.kind));
  }
  return {};
}

}  // namespace weft::catalog
