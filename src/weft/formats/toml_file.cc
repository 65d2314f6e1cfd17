#include "weft/formats/toml_file.h"

#include <algorithm>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/base/toml_depth.h"
#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

constexpr std::size_t kMaxTomlBytes = std::size_t{8} << 20;
constexpr std::size_t kMaxText = 4096;  // of one value

// toml++ counts code points; our columns are bytes.
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

}  // namespace

Result<TomlFile> TomlFile::parse(const SourceText& source) {
  if (trim(source.text).empty()) {
    return fail(input_error("WEFT-FMT-0301", "the file is empty")
                    .at(source.position(0))
                    .with_expected("a cluster file with at least one [[servers]]"));
  }
  if (source.text.size() > kMaxTomlBytes) {
    return fail(input_error("WEFT-FMT-0302", "the file has " + std::to_string(source.text.size() >> 20) +
                                                 " MiB, more than the 8 MiB that a cluster file may have")
                    .at(source.position(0))
                    .with_hint("equal servers are one [[servers]] with a count"));
  }
  if (const std::optional<std::size_t> deep = too_deep_for_toml(source.text)) {
    return fail(input_error("WEFT-FMT-0302", "a line with more than 32 dots: keys nested too deep")
                    .at(source.position(*deep))
                    .with_expected("keys such as network.switches"));
  }
  TomlFile file;
  file.source_ = &source;
  try {
    file.root_ = toml::parse(std::string_view(source.text));
  } catch (const toml::parse_error& broken) {
    std::string what(broken.description());
    if (what.size() > 300) what.resize(300);
    return fail(
        input_error("WEFT-FMT-0303", "this is not TOML: " + printable(what)).at(file.position(broken.source())));
  }
  return file;
}

SourcePosition TomlFile::position(const toml::source_region& region) const {
  const int line = static_cast<int>(region.begin.line);
  return source_->position_at(line, byte_column(source_->text, line, static_cast<int>(region.begin.column)));
}

SourcePosition TomlFile::position(const toml::table& table, std::string_view key) const {
  const auto it = table.find(key);
  return it == table.end() ? position(table.source()) : position(it->first.source());
}

Error TomlFile::wrong_type(std::string_view name, const toml::node& node, std::string expected) const {
  return input_error("WEFT-FMT-0305", std::string(name) + " is " + std::string(kind_of(node)))
      .at(position(node))
      .with_expected(std::move(expected));
}

Error TomlFile::unknown_key(std::string_view where, const toml::key& key, const std::vector<std::string>& known) const {
  return input_error("WEFT-FMT-0304", in_quotes(key.str()) + " is not a key of " + std::string(where))
      .at(position(key.source()))
      .with_expected("one of " + listed(known, known.size()))
      .with_hint(did_you_mean(std::string_view(key.str()).substr(0, 64), known));
}

Result<std::string> TomlFile::text(std::string_view name, const toml::node& node) const {
  const auto* value = node.as_string();
  if (value == nullptr) return fail(wrong_type(name, node, "a text in quotes"));
  if (value->get().size() > kMaxText) {
    return fail(
        input_error("WEFT-FMT-0306", std::string(name) + " is " + std::to_string(value->get().size()) + " bytes long")
            .at(position(node))
            .with_expected("at most " + std::to_string(kMaxText)));
  }
  return value->get();
}

Result<bool> TomlFile::flag(std::string_view name, const toml::node& node) const {
  const auto* value = node.as_boolean();
  if (value == nullptr) return fail(wrong_type(name, node, "true or false"));
  return value->get();
}

Result<std::int64_t> TomlFile::whole(std::string_view name, const toml::node& node, std::int64_t least,
                                     std::int64_t most) const {
  const std::string range = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  const auto* value = node.as_integer();
  if (value == nullptr) return fail(wrong_type(name, node, range));
  if (value->get() < least || value->get() > most) {
    return fail(input_error("WEFT-FMT-0306", std::string(name) + " is " + std::to_string(value->get()))
                    .at(position(node))
                    .with_expected(range));
  }
  return value->get();
}

Result<double> TomlFile::number(std::string_view name, const toml::node& node, double least, double most) const {
  const auto plain = [](double x) { return std::to_string(static_cast<int>(x)); };
  const std::string range = "a number from " + plain(least) + " to " + plain(most);
  const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
  if (!value) return fail(wrong_type(name, node, range));
  if (!(*value >= least && *value <= most)) {  // also refuses nan
    return fail(
        input_error("WEFT-FMT-0306", std::string(name) + " is out of range").at(position(node)).with_expected(range));
  }
  return *value;
}

Result<std::string> TomlFile::quantity(std::string_view name, const toml::node& node, std::string_view example) const {
  if (node.is_number()) {
    return fail(input_error("WEFT-FMT-0305", std::string(name) + " is a number without a unit")
                    .at(position(node))
                    .with_expected("a text with a unit, such as " + std::string(example)));
  }
  if (!node.is_string()) return fail(wrong_type(name, node, "a text with a unit, such as " + std::string(example)));
  return text(name, node);
}

Result<const toml::table*> TomlFile::table(std::string_view name, const toml::node& node) const {
  const toml::table* value = node.as_table();
  if (value == nullptr) return fail(wrong_type(name, node, "a table: [" + std::string(name) + "]"));
  return value;
}

Result<const toml::array*> TomlFile::list(std::string_view name, const toml::node& node, std::size_t most) const {
  const toml::array* value = node.as_array();
  if (value == nullptr) return fail(wrong_type(name, node, "a list"));
  if (value->size() > most) {
    return fail(input_error("WEFT-FMT-0306", std::string(name) + " has " + std::to_string(value->size()) + " entries")
                    .at(position(node))
                    .with_expected("at most " + std::to_string(most)));
  }
  return value;
}

std::vector<std::pair<const toml::key*, const toml::node*>> in_file_order(const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> items;
  items.reserve(table.size());
  for (const auto& [key, node] : table) items.emplace_back(&key, &node);
  std::sort(items.begin(), items.end(),
            [](const auto& a, const auto& b) { return a.first->source().begin < b.first->source().begin; });
  return items;
}

}  // namespace weft::formats
