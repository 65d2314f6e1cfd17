// The catalog's views as tables for a person and rows for a program; and models, of which it has no views.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "command.h"
#include "weft/catalog/catalog.h"
#include "weft/catalog/table.h"
#include "weft/report/table.h"

namespace weft::cli {

// Columns of numbers stand to the right when told so; all others but the first may wrap.
[[nodiscard]] report::Table table_of(const catalog::TableModel& model, bool numbers_right);

// {"schema": "weft/catalog/1", "view": …}, to be filled.
[[nodiscard]] nlohmann::ordered_json catalog_document(std::string_view view);
// The text, or null when it is empty.
[[nodiscard]] nlohmann::ordered_json text_json(const std::string& text);
// One object a row: each column's text under its name, each number under its own, with its unit.
[[nodiscard]] nlohmann::ordered_json flat_rows(const catalog::TableModel& model);
// Side by side: every part's cell is an object of its own, since the same number stands in each.
[[nodiscard]] nlohmann::ordered_json compared_rows(const catalog::TableModel& model);

[[nodiscard]] catalog::TableModel models_table(const catalog::Catalog& catalog);
[[nodiscard]] catalog::TableModel model_sheet(const catalog::ModelShape& model);

[[nodiscard]] Command catalog_show_command();

}  // namespace weft::cli
