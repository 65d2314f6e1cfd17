#include "args.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "weft/base/check.h"
#include "weft/base/printable.h"

namespace weft::cli {

Result<std::int64_t> parse_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size()) return value;
  return fail(usage_error("WEFT-CLI-0010", in_quotes(text) + " is not a whole number"));
}

Result<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(value)) return value;
  return fail(usage_error("WEFT-CLI-0011", in_quotes(text) + " is not a number"));
}

void Args::add(std::string_view name, std::string value) { values_[std::string(name)].push_back(std::move(value)); }

const Option& Args::option(std::string_view name) const {
  const auto found = std::find_if(command_->options.begin(), command_->options.end(),
                                  [&](const Option& candidate) { return candidate.name == name; });
  WEFT_CHECK(found != command_->options.end(), "a handler asks only for options of its own table");
  return *found;
}

const std::vector<std::string>* Args::values(std::string_view name) const {
  const bool positional = std::any_of(command_->positionals.begin(), command_->positionals.end(),
                                      [&](const Positional& candidate) { return candidate.name == name; });
  if (!positional) (void)option(name);
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

bool Args::given(std::string_view name) const { return values(name) != nullptr; }

bool Args::flag(std::string_view name) const {
  WEFT_CHECK(option(name).type == ValueType::flag, "only a flag is asked for as a flag");
  return given(name);
}

std::string Args::text(std::string_view name) const {
  if (const auto* found = values(name)) return found->back();
  const bool is_option = name.starts_with('-');
  return is_option ? std::string(option(name).default_text) : "";
}

std::int64_t Args::integer(std::string_view name) const {
  const Option& entry = option(name);
  WEFT_CHECK(entry.type == ValueType::integer, "only an integer option is asked for as one");
  const auto value = parse_integer(text(name));
  WEFT_CHECK(value.has_value(), "integer options are checked when parsed, and have a default or are asked by given()");
  return *value;
}

double Args::number(std::string_view name) const {
  const Option& entry = option(name);
  WEFT_CHECK(entry.type == ValueType::number, "only a number option is asked for as one");
  const auto value = parse_number(text(name));
  WEFT_CHECK(value.has_value(), "number options are checked when parsed, and have a default or are asked by given()");
  return *value;
}

std::span<const std::string> Args::list(std::string_view name) const {
  const auto* found = values(name);
  if (found == nullptr) return {};
  return *found;
}

}  // namespace weft::cli
