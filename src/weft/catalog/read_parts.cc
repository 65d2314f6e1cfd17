#include "weft/catalog/read_parts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "weft/base/printable.h"

namespace weft::catalog {
namespace {

constexpr std::size_t kMostParts = 2000;

// Keys that describe a part rather than state a figure about it.
constexpr auto kCommonKeys =
    std::to_array<std::string_view>({"title", "aliases", "source", "basis", "note", "caveats", "like"});
constexpr auto kFigureKeys = std::to_array<std::string_view>({"value", "source", "basis", "note"});
constexpr auto kSourceKeys = std::to_array<std::string_view>({"title", "publisher", "where", "basis"});
constexpr std::string_view kJudgementNote = "judgement of the authors, not a figure";

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

template <class List>
std::vector<std::string> words(const List& list) {
  return {list.begin(), list.end()};
}

std::vector<std::string> top_level_words() {
  std::vector<std::string> all = {"source", "model"};
  for (int i = 0; i < kKinds; ++i) all.emplace_back(name_of(static_cast<Kind>(i)));
  return all;
}

bool is_id(std::string_view id) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  };
  return !id.empty() && id.size() <= 64 && std::ranges::all_of(id, fits);
}

tl::unexpected<Error> bad_id(const TomlFile& file, const std::string& id, const toml::source_region& where) {
  return file.error("WEFT-CAT-0013", in_quotes(id) + " cannot be an id", where,
                    "lower-case letters, digits, '-', '_' and '.', at most 64");
}

// Reads table[key] into `into` when it is there.
Result<void> take_text(const TomlFile& file, const toml::table& table, std::string_view key, std::string& into) {
  if (const toml::node* node = table.get(key)) {
    Result<std::string> text = file.text_of(key, *node);
    if (!text) return fail(std::move(text.error()));
    into = std::move(*text);
  }
  return {};
}

Result<void> take_texts(const TomlFile& file, const toml::table& table, std::string_view key,
                        std::vector<std::string>& into) {
  if (const toml::node* node = table.get(key)) {
    Result<std::vector<std::string>> texts = file.texts_of(key, *node);
    if (!texts) return fail(std::move(texts.error()));
    into = std::move(*texts);
  }
  return {};
}

Result<void> take_basis(const TomlFile& file, const toml::table& table, Basis& into) {
  const toml::node* node = table.get("basis");
  if (node == nullptr) return {};
  const Result<std::string> text = file.text_of("basis", *node);
  if (!text) return fail(text.error());
  const std::optional<Basis> basis = basis_from(*text);
  if (!basis) {
    const std::vector<std::string> choices = {"standard", "datasheet", "measured", "derived", "assumed"};
    return file.unknown("WEFT-CAT-0011", "basis", *text, node->source(), choices);
  }
  into = *basis;
  return {};
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

void put_in_schema_order(Part& part) {
  const auto place = [&](const Figure& figure) { return find_key(part.kind, figure.key); };
  std::ranges::sort(part.figures, {}, place);
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

const Source* Draft::source(std::string_view id) {
  auto found = std::ranges::find(sources, id, &Source::id);
  if (found == sources.end() && fetch_source) {
    fetch_source(id);
    found = std::ranges::find(sources, id, &Source::id);
  }
  return found == sources.end() ? nullptr : &*found;
}

std::vector<std::string> Draft::ids(Kind kind) const {
  std::vector<std::string> all;
  for (const Part& part : parts) {
    if (part.kind == kind) all.push_back(part.id);
  }
  return all;
}

Result<void> Draft::read_sources(const TomlFile& file) {
  const toml::node* root = file.root().get("source");
  if (root == nullptr) return {};
  if (!root->is_table()) return file.error("WEFT-CAT-0004", "\"source\" is not a table", root->source(), "[source.id]");
  for (const auto& [key, node] : in_file_order(*root->as_table())) {
    const toml::table* table = node->as_table();
    if (table == nullptr) return file.error("WEFT-CAT-0004", "a source is a table", node->source(), "[source.id]");
    for (const auto& [name, value] : *table) {
      if (!contains(kSourceKeys, name.str())) {
        return file.unknown("WEFT-CAT-0003", "key of a source", name.str(), name.source(), words(kSourceKeys));
      }
    }
    Source source;
    source.id = key->str();
    if (!is_id(source.id)) return bad_id(file, source.id, key->source());
    Result<void> read = take_text(file, *table, "title", source.title);
    if (read) read = take_text(file, *table, "publisher", source.publisher);
    if (read) read = take_text(file, *table, "where", source.where);
    if (read) read = take_basis(file, *table, source.basis);
    if (!read) return read;
    if (source.title.empty() || source.publisher.empty()) {
      return file.error("WEFT-CAT-0006", "source " + in_quotes(source.id) + " lacks title or publisher", key->source(),
                        "title = \"…\" and publisher = \"…\", so that a person can find it");
    }
    const auto same = std::ranges::find(sources, source.id, &Source::id);
    if (same == sources.end()) {
      sources.push_back(std::move(source));
    } else {
      *same = std::move(source);
    }
  }
  return {};
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

Result<void> Draft::read_provenance(const TomlFile& file, const toml::table& table, Provenance& from) {
  if (const toml::node* node = table.get("source")) {
    Result<std::string> id = file.text_of("source", *node);
    if (!id) return fail(std::move(id.error()));
    const Source* known = source(*id);
    if (known == nullptr) {
      std::vector<std::string> choices;
      for (const Source& each : sources) choices.push_back(each.id);
      return file.unknown("WEFT-CAT-0006", "source", *id, node->source(), choices);
    }
    from.source = std::move(*id);
    from.basis = known->basis;
  }
  if (Result<void> read = take_basis(file, table, from.basis); !read) return read;
  return take_text(file, table, "note", from.note);
}

Result<Part> Draft::read_part(const TomlFile& file, Kind kind, const toml::key& id, const toml::table& table) {
  Part part;
  part.kind = kind;
  part.id = id.str();
  if (!is_id(part.id)) return bad_id(file, part.id, id.source());
  Provenance fallback;
  if (Result<void> read = read_provenance(file, table, fallback); !read) return fail(std::move(read.error()));
  if (const toml::node* like = table.get("like")) {
    const Result<std::string> other = file.text_of("like", *like);
    if (!other) return fail(other.error());
    const Part* found = find(*other);
    if (found == nullptr || found->kind != kind) {
      return file.unknown("WEFT-CAT-0008", std::string(name_of(kind)) + " to be like (it must stand earlier)", *other,
                          like->source(), ids(kind));
    }
    part.figures = found->figures;
  }
  Result<void> read = take_text(file, table, "title", part.title);
  if (read) read = take_texts(file, table, "aliases", part.aliases);
  if (read) read = take_texts(file, table, "caveats", part.caveats);
  if (!read) return fail(std::move(read.error()));
  if (part.title.empty()) {
    return file.error("WEFT-CAT-0009", part.id + " lacks \"title\"", id.source(), "title = \"what a person calls it\"");
  }
  for (const auto& [name, node] : table) {
    if (contains(kCommonKeys, name.str())) continue;
    const SchemaKey* key = find_key(kind, name.str());
    if (key == nullptr) {
      std::vector<std::string> choices = keys_of(kind);
      for (const std::string_view common : kCommonKeys) choices.emplace_back(common);
      return file.unknown("WEFT-CAT-0003", "key of a " + std::string(name_of(kind)), name.str(), name.source(),
                          choices);
    }
    if (Result<void> figure = read_figure(file, *key, node, fallback, part); !figure) {
      return fail(std::move(figure.error()));
    }
  }
  put_in_schema_order(part);
  for (const SchemaKey& key : schema(kind)) {
    if (key.required && part.find(key.key) == nullptr) {
      return file.error("WEFT-CAT-0009", part.id + " lacks \"" + std::string(key.key) + "\"", id.source(),
                        std::string(key.key) + " = …: " + std::string(key.meaning));
    }
  }
  return part;
}

Result<void> Draft::read_figure(const TomlFile& file, const SchemaKey& key, const toml::node& node,
                                const Provenance& fallback, Part& part) {
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
    if (Result<void> read = read_provenance(file, *table, figure.from); !read) return read;
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
    if (Result<void> known = check_class(file, *value, *read); !known) return known;
  }
  note_references(file, key, *value, *read);
  figure.value = std::move(*read);
  const auto inherited = std::ranges::find(part.figures, figure.key, &Figure::key);
  if (inherited == part.figures.end()) {
    part.figures.push_back(std::move(figure));
  } else {
    *inherited = std::move(figure);
  }
  return {};
}

void Draft::note_references(const TomlFile& file, const SchemaKey& key, const toml::node& node, const Value& value) {
  if (!keep_places_) return;
  const auto note = [&](Kind kind, const std::string& target) {
    if (!target.empty()) references_.push_back({{&file.text(), node.source()}, kind, target});
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
