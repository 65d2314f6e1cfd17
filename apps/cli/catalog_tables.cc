#include "catalog_tables.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace weft::cli {
namespace {

using catalog::TableModel;
using nlohmann::ordered_json;
using report::Align;

// "bandwidth, each way" -> "bandwidth_each_way".
std::string key_of(std::string_view column) {
  std::string key;
  for (const char c : column) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (word) {
      key += c;
    } else if (!key.empty() && key.back() != '_') {
      key += '_';
    }
  }
  while (key.ends_with('_')) key.pop_back();
  return key.empty() ? "figure" : key;
}

bool has_numbers(const TableModel& model, std::size_t column) {
  return std::any_of(model.numbers.begin(), model.numbers.end(),
                     [column](const auto& row) { return column < row.size() && row[column].has_value(); });
}

}  // namespace

report::Table table_of(const TableModel& model, bool numbers_right) {
  report::Table table;
  table.title = model.title;
  for (std::size_t c = 0; c < model.columns.size(); ++c) {
    const bool number = numbers_right && has_numbers(model, c);
    // The first column names the row: an id stays in one piece, to be copied.
    table.columns.push_back({model.columns[c], number ? Align::right : Align::left, c > 0 && !number});
  }
  for (const auto& row : model.rows) table.rows.emplace_back(row.begin(), row.end());
  table.notes = model.notes;
  return table;
}

ordered_json text_json(const std::string& text) { return text.empty() ? ordered_json(nullptr) : ordered_json(text); }

ordered_json flat_rows(const TableModel& model) {
  ordered_json rows = ordered_json::array();
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    ordered_json row = ordered_json::object();
    for (std::size_t c = 0; c < model.columns.size(); ++c) {
      row[key_of(model.columns[c])] = text_json(model.rows[r][c]);
      if (const auto& number = model.numbers[r][c]) row[number->key] = number->value;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

ordered_json compared_rows(const TableModel& model) {
  ordered_json rows = ordered_json::array();
  for (std::size_t r = 0; r < model.rows.size(); ++r) {
    ordered_json row = {{"figure", model.rows[r].front()}};
    for (std::size_t c = 1; c < model.columns.size(); ++c) {
      ordered_json cell = {{"text", text_json(model.rows[r][c])}};
      if (const auto& number = model.numbers[r][c]) cell[number->key] = number->value;
      row[model.columns[c]] = std::move(cell);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

ordered_json catalog_document(std::string_view view) { return {{"schema", "weft/catalog/1"}, {"view", view}}; }

}  // namespace weft::cli
