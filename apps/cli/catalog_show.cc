#include <nlohmann/json.hpp>
#include <ostream>

#include "args.h"
#include "catalog_tables.h"
#include "context.h"
#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/catalog/views.h"
#include "weft/report/text.h"

namespace weft::cli {
namespace {

using catalog::Catalog;
using catalog::ModelShape;
using catalog::TableModel;
using nlohmann::ordered_json;

void print_lines(Context& context, std::string_view heading, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  context.out << '\n' << heading << '\n';
  for (const std::string& text : lines) {
    bool first = true;
    for (const std::string& line : report::wrap(printable(text), context.style().width - 4)) {
      context.out << (first ? "  * " : "    ") << line << '\n';
      first = false;
    }
  }
}

std::string source_text(const catalog::Source& source) {
  std::string text = source.id + ": " + source.title;
  if (!source.publisher.empty()) text += ", " + source.publisher;
  if (!source.where.empty()) text += ", " + source.where;
  return text;
}

ordered_json sheet_json(const catalog::Sheet& sheet) {
  ordered_json json = catalog_document("show");
  json["id"] = sheet.id;
  json["kind"] = name_of(sheet.kind);
  json["title"] = sheet.title;
  json["aliases"] = sheet.aliases;
  json["derived"] = sheet.derived;
  json["figures"] = flat_rows(sheet.figures);
  json["caveats"] = sheet.caveats;
  json["sources"] = ordered_json::array();
  for (const catalog::Source& source : sheet.sources) {
    json["sources"].push_back(
        {{"id", source.id}, {"title", source.title}, {"publisher", source.publisher}, {"where", source.where}});
  }
  return json;
}

void print_sheet(Context& context, const catalog::Sheet& sheet) {
  context.out << sheet.id << " (" << name_of(sheet.kind) << "): " << sheet.title << '\n';
  if (!sheet.aliases.empty()) {
    context.out << "also called";
    for (const std::string& alias : sheet.aliases) context.out << ' ' << alias;
    context.out << '\n';
  }
  print_lines(context, "What follows from it", sheet.derived);
  report::Table table = table_of(sheet.figures, false);
  table.title.clear();
  context.out << '\n' << to_text(table, context.style());
  print_lines(context, "Caveats", sheet.caveats);
  std::vector<std::string> sources;
  for (const catalog::Source& source : sheet.sources) sources.push_back(source_text(source));
  print_lines(context, "Sources", sources);
}

void show_model(Context& context, const ModelShape& model) {
  const TableModel sheet = model_sheet(model);
  if (!context.json) {
    context.out << model.id << " (model): " << model.title << "\n\n"
                << to_text(table_of(sheet, false), context.style());
    return;
  }
  ordered_json json = catalog_document("show");
  json["id"] = model.id;
  json["kind"] = "model";
  json["title"] = model.title;
  json["figures"] = flat_rows(sheet);
  context.write_json(json);
}

Result<int> run_show(const Args& args, Context& context) {
  const Result<const Catalog*> catalog = context.catalog();
  if (!catalog) return fail(catalog.error());
  const std::string id = args.text("ID");
  const Result<catalog::Sheet> sheet = catalog::show(**catalog, id);
  if (sheet) {
    if (context.json) {
      context.write_json(sheet_json(*sheet));
    } else {
      print_sheet(context, *sheet);
    }
    return 0;
  }
  if (const Result<ModelShape> model = (*catalog)->model(id)) {
    show_model(context, *model);
    return 0;
  }
  Error error = sheet.error();
  if (error.hint.empty()) error.hint = did_you_mean(id, (*catalog)->model_ids());
  return fail(std::move(error));
}

}  // namespace

Command catalog_show_command() {
  return {
      .name = "show",
      .summary = "every figure of a part, and where it comes from",
      .positionals = {{.name = "ID",
                       .help = "a part (hgx-h100-8, nvlink4, pcie-a100:4) or a model",
                       .offer = Offer::parts}},
      .examples = {{.arguments = "catalog show hgx-h100-8", .what = "a server"},
                   {.arguments = "catalog show nvlink4", .what = "a link"}},
      .run = run_show,
  };
}

}  // namespace weft::cli
