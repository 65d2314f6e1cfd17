#include "weft/catalog/view_text.h"

#include "weft/catalog/fields.h"
#include "weft/units/text.h"

namespace weft::catalog {
namespace {

std::optional<Number> number_of(const SchemaKey& key, const Value& value) {
  const std::string name(key.key);
  if (const auto* rate = std::get_if<Rate>(&value)) return Number{name + "_gbytes_per_s", rate->gbytes()};
  if (const auto* time = std::get_if<Duration>(&value)) return Number{name + "_us", time->us()};
  if (const auto* size = std::get_if<Bytes>(&value)) return Number{name + "_bytes", static_cast<double>(size->count())};
  if (const auto* count = std::get_if<std::int64_t>(&value)) return Number{name, static_cast<double>(*count)};
  if (const auto* number = std::get_if<double>(&value)) return Number{name, *number};
  return std::nullopt;
}

}  // namespace

std::string rate_text(LinkClass link_class, Rate rate) {
  if (!is_network(link_class)) return human_bytes(rate);
  return human_bits(rate) + " (" + human_bytes(rate) + ")";
}

LinkClass class_of(const Part& link) {
  return link_class_from(field<std::string>(link, "class")).value_or(LinkClass::proprietary);
}

std::string one_unit(const Part& link) {
  const auto unit = field<std::string>(link, "unit");
  return (unit.starts_with('x') ? "an " : "a ") + unit;
}

Cell rate_cell(LinkClass link_class, std::string_view key, Rate rate) {
  return {rate_text(link_class, rate), Number{std::string(key) + "_gbytes_per_s", rate.gbytes()}};
}

Cell bytes_rate_cell(std::string_view key, Rate rate) {
  return {human_bytes(rate), Number{std::string(key) + "_gbytes_per_s", rate.gbytes()}};
}

Cell time_cell(std::string_view key, Duration duration) {
  return {human(duration), Number{std::string(key) + "_us", duration.us()}};
}

Cell count_cell(std::string_view key, std::int64_t count) {
  return {std::to_string(count), Number{std::string(key), static_cast<double>(count)}};
}

Cell figure_cell(const Part& part, std::string_view key) {
  const Figure* figure = part.find(key);
  const SchemaKey* known = find_key(part.kind, key);
  if (figure == nullptr || known == nullptr) return {"-"};
  std::string text = to_text(*known, figure->value);
  if (part.kind == Kind::link && known->type == ValueType::rate) {
    text = rate_text(class_of(part), std::get<Rate>(figure->value));
  }
  return {std::move(text), number_of(*known, figure->value)};
}

Rate aggregate(const Part& link) { return field<Rate>(link, "line") * int_field(link, "per_gpu", 1); }

}  // namespace weft::catalog
