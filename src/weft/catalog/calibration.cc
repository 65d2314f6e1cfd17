#include "weft/catalog/calibration.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "weft/base/embedded.h"
#include "weft/base/suggest.h"
#include "weft/base/toml_depth.h"

namespace weft {
std::span<const EmbeddedFile> embedded_calibration();
}

namespace weft::catalog {
namespace {

constexpr int kDeepest = 8;

SourcePosition place(const SourceText& file, const toml::node& node) {
  return file.position_at(static_cast<int>(node.source().begin.line), static_cast<int>(node.source().begin.column));
}

Result<void> take_numbers(const SourceText& file, const toml::table& table, const std::string& prefix, int depth,
                          CalibrationSet& set) {
  if (depth > kDeepest) return fail(input_error("WEFT-CAL-0004", "tables nested too deeply").at(place(file, table)));
  for (const auto& [key, node] : table) {
    const std::string name = prefix + std::string(key.str());
    if (const toml::table* inner = node.as_table()) {
      if (Result<void> done = take_numbers(file, *inner, name + ".", depth + 1, set); !done) return done;
      continue;
    }
    const std::optional<double> number = node.value<double>();
    if (!number || !std::isfinite(*number) || node.is_boolean() || node.is_string()) {
      return fail(input_error("WEFT-CAL-0002", "\"" + name + "\" is not a number")
                      .with_expected("a number, such as 6.6")
                      .at(place(file, node)));
    }
    set.values[name] = *number;
  }
  return {};
}

Result<toml::table> parse_toml(const SourceText& file) {
  if (const std::optional<std::size_t> deep = too_deep_for_toml(file.text)) {
    return fail(input_error("WEFT-CAL-0004", "tables nested too deeply").at(file.position(*deep)));
  }
  try {
    return toml::parse(std::string_view(file.text), file.name);
  } catch (const toml::parse_error& broken) {
    const toml::source_position at = broken.source().begin;
    return fail(input_error("WEFT-CAL-0001", "not TOML: " + std::string(broken.description()))
                    .at(file.position_at(static_cast<int>(at.line), static_cast<int>(at.column))));
  }
}

std::vector<std::string> texts(const toml::table& table, std::string_view key) {
  std::vector<std::string> found;
  if (const toml::array* list = table[key].as_array()) {
    for (const toml::node& each : *list) found.push_back(each.value_or(std::string()));
  }
  return found;
}

Result<CalibrationSet> read_set(const SourceText& file, toml::table& table) {
  CalibrationSet set;
  set.id = table["id"].value_or(std::string());
  set.title = table["title"].value_or(std::string());
  set.basis = table["basis"].value_or(std::string());
  set.note = table["note"].value_or(std::string());
  set.library_before = table["library_before"].value_or(std::string());
  if (set.id.empty() || set.basis.empty()) {
    return fail(input_error("WEFT-CAL-0003", "a calibration set lacks id or basis")
                    .with_expected("id = \"my-cluster\", basis = \"fitted\"")
                    .at(place(file, table)));
  }
  set.fitted_on = texts(table, "fitted_on");
  set.links = texts(table, "links");
  for (const char* header : {"id", "title", "basis", "note", "library_before", "fitted_on", "links"})
    table.erase(header);
  Result<void> numbers = take_numbers(file, table, "", 0, set);
  if (!numbers) return fail(std::move(numbers.error()));
  return set;
}

// The whole file is one set, or a list of them under [[set]].
Result<std::vector<CalibrationSet>> read_sets(const SourceText& file) {
  Result<toml::table> parsed = parse_toml(file);
  if (!parsed) return fail(std::move(parsed.error()));
  std::vector<CalibrationSet> sets;
  toml::array* list = (*parsed)["set"].as_array();
  if (list == nullptr) {
    Result<CalibrationSet> set = read_set(file, *parsed);
    if (!set) return fail(std::move(set.error()));
    sets.push_back(std::move(*set));
    return sets;
  }
  for (toml::node& node : *list) {
    if (!node.is_table()) {
      return fail(input_error("WEFT-CAL-0007", "set is a list of something else than tables")
                      .with_expected("[[set]] above each set")
                      .at(place(file, node)));
    }
    Result<CalibrationSet> set = read_set(file, *node.as_table());
    if (!set) return fail(std::move(set.error()));
    sets.push_back(std::move(*set));
  }
  return sets;
}

void lay_over(std::vector<CalibrationSet>& sets, CalibrationSet& over) {
  const auto same =
      std::find_if(sets.begin(), sets.end(), [&](const CalibrationSet& set) { return set.id == over.id; });
  if (same == sets.end()) {
    sets.push_back(std::move(over));
    return;
  }
  for (const auto& [key, value] : over.values) same->values[key] = value;
  same->basis = over.basis;
  for (std::string& table : over.fitted_on) same->fitted_on.push_back(std::move(table));
}

// Factors that any set may be given.
constexpr std::array<std::string_view, 2> kFactors = {"scale.latency", "scale.rate"};

Result<void> check_keys(const SourceText& file, const CalibrationSet& known, const CalibrationSet& over) {
  for (const auto& [key, value] : over.values) {
    if (known.has(key) || std::find(kFactors.begin(), kFactors.end(), key) != kFactors.end()) continue;
    std::vector<std::string> keys(kFactors.begin(), kFactors.end());
    for (const auto& [name, number] : known.values) keys.push_back(name);
    const std::size_t place = file.text.find(key.substr(key.rfind('.') + 1));
    return fail(input_error("WEFT-CAL-0009", "calibration set " + over.id + " knows no \"" + key + "\"")
                    .with_hint(did_you_mean(key, keys))
                    .at(file.position(place == std::string::npos ? 0 : place)));
  }
  return {};
}

}  // namespace

Result<double> CalibrationSet::number(std::string_view key) const {
  const auto found = values.find(key);
  if (found != values.end()) return found->second;
  std::vector<std::string> known;
  for (const auto& [name, value] : values) known.push_back(name);
  return fail(input_error("WEFT-CAL-0005", "calibration set " + id + " has no \"" + std::string(key) + "\"")
                  .with_hint(did_you_mean(key, known)));
}

double CalibrationSet::number_or(std::string_view key, double otherwise) const {
  const auto found = values.find(key);
  return found == values.end() ? otherwise : found->second;
}

Result<Calibration> Calibration::builtin() {
  std::vector<SourceText> files;
  for (const EmbeddedFile& file : embedded_calibration())
    files.push_back({std::string(file.name), std::string(file.content)});
  return load(files);
}

Result<Calibration> Calibration::load(std::span<const SourceText> files) {
  Calibration calibration;
  for (const SourceText& file : files) {
    if (Result<void> done = calibration.overlay(file); !done) return fail(std::move(done.error()));
  }
  return calibration;
}

Result<void> Calibration::overlay(const SourceText& file) {
  Result<std::vector<CalibrationSet>> read = read_sets(file);
  if (!read) return fail(std::move(read.error()));
  for (CalibrationSet& set : *read) lay_over(sets_, set);
  return {};
}

Result<void> Calibration::overlay_checked(const SourceText& file) {
  Result<std::vector<CalibrationSet>> read = read_sets(file);
  if (!read) return fail(std::move(read.error()));
  for (CalibrationSet& over : *read) {
    const CalibrationSet* known = find(over.id);
    if (known == nullptr && over.links.empty()) {
      std::vector<std::string> ids;
      for (const CalibrationSet& set : sets_) ids.push_back(set.id);
      return fail(
          input_error("WEFT-CAL-0008", "no calibration set is called \"" + over.id + "\", and this one lists no links")
              .with_hint(did_you_mean(over.id, ids))
              .at(file.position(file.text.find(over.id))));
    }
    if (known != nullptr) {
      if (Result<void> done = check_keys(file, *known, over); !done) return done;
    }
    lay_over(sets_, over);
  }
  return {};
}

CalibrationSet* Calibration::find(std::string_view id) {
  const auto found = std::find_if(sets_.begin(), sets_.end(), [&](const CalibrationSet& set) { return set.id == id; });
  return found == sets_.end() ? nullptr : &*found;
}

Result<const CalibrationSet*> Calibration::set(std::string_view id) const {
  std::vector<std::string> ids;
  for (const CalibrationSet& set : sets_) {
    if (set.id == id) return &set;
    ids.push_back(set.id);
  }
  return fail(input_error("WEFT-CAL-0006", "no calibration set is called \"" + std::string(id) + "\"")
                  .with_hint(did_you_mean(id, ids)));
}

}  // namespace weft::catalog
