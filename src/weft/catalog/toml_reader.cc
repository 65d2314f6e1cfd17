#include "weft/catalog/toml_reader.h"

#include <algorithm>
#include <utility>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/base/toml_depth.h"
#include "weft/units/text.h"

namespace weft::catalog {
namespace {

constexpr std::int64_t kMostOfAnything = 1'000'000;  // GPUs, ports, links: larger is a slip of the keyboard
// Bounds on what one file may make us hold (`like` multiplies it); the largest file of our own is a twentieth.
constexpr std::size_t kMostFileBytes = 4U << 20U;
constexpr std::size_t kMostTextBytes = 2000;
constexpr std::size_t kMostListItems = 1024;

// toml++ counts code points, people's editors and our carets count bytes from the same start of line.
int byte_column(std::string_view text, int line, int column) {
  std::size_t at = 0;
  for (int i = 1; i < line; ++i) {
    const std::size_t newline = text.find('\n', at);
    if (newline == std::string_view::npos) return column;
    at = newline + 1;
  }
  int bytes = 1;
  for (int points = 1; at < text.size() && text[at] != '\n'; ++at, ++bytes) {
    const bool continues = (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
    if (!continues && points++ == column) break;
  }
  return bytes;
}

std::string_view kind_of(const toml::node& node) {
  if (node.is_string()) return "a text";
  if (node.is_integer()) return "a whole number";
  if (node.is_floating_point()) return "a number";
  if (node.is_boolean()) return "true or false";
  if (node.is_array()) return "a list";
  if (node.is_table()) return "a table";
  return "a date or time";
}

// What a text value may hold: a title with an escape sequence would drive the terminal that shows it.
std::string harmless(const std::string& text) {
  const auto plain = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 && static_cast<unsigned char>(c) < 0x7f;
  };
  return std::ranges::all_of(text, plain) ? text : printable(text);
}

std::vector<int> narrowed(const std::vector<std::int64_t>& numbers) {
  std::vector<int> out;
  out.reserve(numbers.size());
  for (const std::int64_t n : numbers) out.push_back(static_cast<int>(n));
  return out;
}

const std::vector<std::string>& group_keys() {
  static const std::vector<std::string> keys = {"socket", "switch", "uplink", "gpus", "nics", "bifurcated"};
  return keys;
}

}  // namespace

std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> items;
  items.reserve(table.size());
  for (const auto& [key, node] : table) items.emplace_back(&key, &node);
  std::ranges::sort(items,
                    [](const auto& a, const auto& b) { return a.first->source().begin < b.first->source().begin; });
  return items;
}

Result<TomlFile> TomlFile::parse(const SourceText& text) {
  TomlFile file;
  file.text_ = &text;
  if (text.text.size() > kMostFileBytes) {
    return fail(input_error("WEFT-CAT-0014", text.name + ": a catalog file of " +
                                                 human(Bytes(static_cast<std::int64_t>(text.text.size()))))
                    .with_expected("at most 4 MiB"));
  }
  if (const std::optional<std::size_t> line = too_deep_for_toml(text.text)) {
    return fail(input_error("WEFT-CAT-0001", "a line nests tables too deep")
                    .with_expected("at most 32 dots in a line")
                    .at(text.position(*line)));
  }
  try {
    file.root_ = toml::parse(std::string_view(text.text));
  } catch (const toml::parse_error& broken) {
    return file.error("WEFT-CAT-0001", "not TOML: " + printable(broken.description()), broken.source());
  }
  return file;
}

SourcePosition position_of(const SourceText& text, const toml::source_region& region) {
  const int line = static_cast<int>(region.begin.line);
  return text.position_at(line, byte_column(text.text, line, static_cast<int>(region.begin.column)));
}

tl::unexpected<Error> unknown_word(const SourceText& text, std::string_view id, std::string_view what,
                                   std::string_view typed, const toml::source_region& region,
                                   std::span<const std::string> choices) {
  constexpr std::size_t kMostListed = 12;
  std::string expected;
  if (choices.size() <= kMostListed) {
    for (const std::string& choice : choices) expected += (expected.empty() ? "one of " : ", ") + choice;
  }
  return fail(input_error(id, "unknown " + std::string(what) + " " + in_quotes(typed))
                  .with_expected(std::move(expected))
                  .with_hint(did_you_mean(typed, choices))
                  .at(position_of(text, region)));
}

tl::unexpected<Error> TomlFile::error(std::string_view id, std::string message, const toml::source_region& region,
                                      std::string expected, std::string hint) const {
  return fail(input_error(id, std::move(message))
                  .with_expected(std::move(expected))
                  .with_hint(std::move(hint))
                  .at(position_of(*text_, region)));
}

tl::unexpected<Error> TomlFile::unknown(std::string_view id, std::string_view what, std::string_view typed,
                                        const toml::source_region& region, std::span<const std::string> choices) const {
  return unknown_word(*text_, id, what, typed, region, choices);
}

tl::unexpected<Error> TomlFile::wrong_type(std::string_view key, ValueType wanted, const toml::node& node) const {
  return error("WEFT-CAT-0004", in_quotes(key) + " is " + std::string(kind_of(node)), node.source(),
               std::string(example_of(wanted)));
}

Result<std::string> TomlFile::text_of(std::string_view key, const toml::node& node) const {
  const auto* text = node.as_string();
  if (text == nullptr) return wrong_type(key, ValueType::text, node);
  if (text->get().size() > kMostTextBytes) {
    return error("WEFT-CAT-0014", in_quotes(key) + " is " + std::to_string(text->get().size()) + " bytes long",
                 node.source(), "at most 2000 bytes");
  }
  return harmless(text->get());
}

Result<const toml::array*> TomlFile::list_of(std::string_view key, ValueType wanted, const toml::node& node) const {
  const toml::array* list = node.as_array();
  if (list == nullptr) return wrong_type(key, wanted, node);
  if (list->size() > kMostListItems) {
    return error("WEFT-CAT-0014", in_quotes(key) + " has " + std::to_string(list->size()) + " entries", node.source(),
                 "at most 1024 entries");
  }
  return list;
}

Result<std::vector<std::string>> TomlFile::texts_of(std::string_view key, const toml::node& node) const {
  const Result<const toml::array*> list = list_of(key, ValueType::texts, node);
  if (!list) return fail(list.error());
  std::vector<std::string> texts;
  for (const toml::node& item : **list) {
    if (!item.is_string()) return wrong_type(key, ValueType::texts, item);
    Result<std::string> text = text_of(key, item);
    if (!text) return fail(std::move(text.error()));
    texts.push_back(std::move(*text));
  }
  return texts;
}

Result<std::int64_t> TomlFile::whole_number(std::string_view key, const toml::node& node) const {
  const auto* number = node.as_integer();
  if (number == nullptr) return wrong_type(key, ValueType::integer, node);
  if (number->get() < 0 || number->get() > kMostOfAnything) {
    return error("WEFT-CAT-0005", in_quotes(key) + " is " + std::to_string(number->get()), node.source(),
                 "a whole number from 0 to 1000000");
  }
  return number->get();
}

Result<std::vector<std::int64_t>> TomlFile::whole_numbers(std::string_view key, const toml::node& node) const {
  const Result<const toml::array*> list = list_of(key, ValueType::integers, node);
  if (!list) return fail(list.error());
  std::vector<std::int64_t> numbers;
  for (const toml::node& item : **list) {
    const Result<std::int64_t> number = whole_number(key, item);
    if (!number) return fail(number.error());
    numbers.push_back(*number);
  }
  return numbers;
}

Result<std::vector<MeshEdge>> TomlFile::mesh_of(std::string_view key, const toml::node& node) const {
  const Result<const toml::array*> list = list_of(key, ValueType::mesh, node);
  if (!list) return fail(list.error());
  std::vector<MeshEdge> edges;
  for (const toml::node& item : **list) {
    const Result<std::vector<std::int64_t>> triple = whole_numbers(key, item);
    if (!triple) return fail(triple.error());
    if (triple->size() != 3) return wrong_type(key, ValueType::mesh, item);
    const std::vector<int> numbers = narrowed(*triple);
    edges.push_back({numbers[0], numbers[1], numbers[2]});
  }
  return edges;
}

Result<PcieGroup> TomlFile::group_of(const toml::node& node) const {
  const toml::table* table = node.as_table();
  if (table == nullptr) return wrong_type("pcie", ValueType::pcie_groups, node);
  PcieGroup group;
  for (const auto& [key, value] : *table) {
    const std::string_view name = key.str();
    if (name == "socket") {
      const Result<std::int64_t> socket = whole_number(name, value);
      if (!socket) return fail(socket.error());
      group.socket = static_cast<int>(*socket);
    } else if (name == "switch" || name == "uplink") {
      Result<std::string> id = text_of(name, value);
      if (!id) return fail(id.error());
      (name == "switch" ? group.switch_part : group.uplink) = std::move(*id);
    } else if (name == "gpus" || name == "nics") {
      const Result<std::vector<std::int64_t>> indices = whole_numbers(name, value);
      if (!indices) return fail(indices.error());
      (name == "gpus" ? group.gpus : group.nics) = narrowed(*indices);
    } else if (name == "bifurcated") {
      const auto* flag = value.as_boolean();
      if (flag == nullptr) return wrong_type(name, ValueType::boolean, value);
      group.bifurcated = flag->get();
    } else {
      return unknown("WEFT-CAT-0003", "key of a PCIe group", name, key.source(), group_keys());
    }
  }
  return group;
}

Result<std::vector<PcieGroup>> TomlFile::groups_of(std::string_view key, const toml::node& node) const {
  const Result<const toml::array*> list = list_of(key, ValueType::pcie_groups, node);
  if (!list) return fail(list.error());
  std::vector<PcieGroup> groups;
  for (const toml::node& item : **list) {
    Result<PcieGroup> group = group_of(item);
    if (!group) return fail(group.error());
    groups.push_back(std::move(*group));
  }
  return groups;
}

Result<Value> TomlFile::value_of(const SchemaKey& key, const toml::node& node) const {
  // Quantities are texts with a unit; what is wrong with them, units/text says better than we could.
  const auto quantity = [&](auto parse) -> Result<Value> {
    const auto* text = node.as_string();
    if (text == nullptr) return wrong_type(key.key, key.type, node);
    auto parsed = parse(text->get());
    if (!parsed) return fail(std::move(parsed.error()).at(position_of(*text_, node.source())));
    return Value(*parsed);
  };
  const auto wrapped = [](auto result) -> Result<Value> {
    if (!result) return fail(std::move(result.error()));
    return Value(std::move(*result));
  };
  switch (key.type) {
    case ValueType::rate: {
      Result<Value> rate = quantity([](const std::string& text) { return parse_rate(text); });
      if (!rate || std::get<Rate>(*rate).count() > 0) return rate;
      return error("WEFT-CAT-0005", in_quotes(key.key) + " is zero", node.source(),
                   "a rate above zero, or no such key");
    }
    case ValueType::duration:
      return quantity([](const std::string& text) { return parse_duration(text); });
    case ValueType::bytes:
      return quantity([](const std::string& text) { return parse_bytes(text); });
    case ValueType::integer:
      return wrapped(whole_number(key.key, node));
    case ValueType::text:
      return wrapped(text_of(key.key, node));
    case ValueType::texts:
      return wrapped(texts_of(key.key, node));
    case ValueType::integers:
      return wrapped(whole_numbers(key.key, node));
    case ValueType::mesh:
      return wrapped(mesh_of(key.key, node));
    case ValueType::pcie_groups:
      return wrapped(groups_of(key.key, node));
    case ValueType::boolean:
      if (const auto* flag = node.as_boolean()) return Value(flag->get());
      break;
    case ValueType::number: {
      const std::optional<double> number = node.is_number() ? node.value<double>() : std::nullopt;
      if (number && *number >= 0 && *number <= 1e15) return Value(*number);
      break;
    }
  }
  return wrong_type(key.key, key.type, node);
}

}  // namespace weft::catalog
