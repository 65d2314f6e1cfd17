#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "args.h"
#include "catalog_tables.h"
#include "commands.h"
#include "context.h"
#include "weft/catalog/views.h"

namespace weft::cli {
namespace {

using catalog::Catalog;
using catalog::TableModel;
using nlohmann::ordered_json;

const std::vector<std::string>& kind_words() {
  static const std::vector<std::string> words = [] {
    std::vector<std::string> all = catalog::list_words();
    all.emplace_back("model");
    // "slingshot" and the like are classes of links; a word that is both kind and class is one word.
    std::vector<std::string> once;
    for (std::string& word : all) {
      if (std::find(once.begin(), once.end(), word) == once.end()) once.push_back(std::move(word));
    }
    return once;
  }();
  return words;
}

// What there is, by kind: where one begins who does not know the words.
TableModel kinds_table(const Catalog& catalog) {
  TableModel table;
  table.title = "Kinds of parts";
  table.columns = {"kind", "parts", "such as"};
  const auto add = [&](std::string_view kind, const std::vector<std::string>& ids) {
    std::string some;
    for (std::size_t i = 0; i < std::min<std::size_t>(4, ids.size()); ++i) some += (i > 0 ? ", " : "") + ids[i];
    table.add_row({{std::string(kind)},
                   {std::to_string(ids.size()), catalog::Number{"count", static_cast<double>(ids.size())}},
                   {some + (ids.size() > 4 ? ", \xe2\x80\xa6" : "")}});
  };
  for (int k = 0; k < catalog::kKinds; ++k) {
    const auto kind = static_cast<catalog::Kind>(k);
    add(name_of(kind), catalog.ids(kind));
  }
  add("model", catalog.model_ids());
  table.notes = {
      "weft catalog list --kind KIND for one of them; classes of links are kinds too: pcie, nvlink, infiniband, roce, "
      "\xe2\x80\xa6"};
  return table;
}

std::vector<std::string> names_of(const Catalog& catalog, const std::string& kind) {
  if (kind == "model") return catalog.model_ids();
  std::vector<std::string> names;
  if (kind.empty()) {
    for (int k = 0; k < catalog::kKinds; ++k) {
      const std::vector<std::string> ids = catalog.ids(static_cast<catalog::Kind>(k));
      names.insert(names.end(), ids.begin(), ids.end());
    }
  } else if (const auto known = catalog::kind_from(kind)) {
    names = catalog.ids(*known);
  } else if (const Result<TableModel> table = catalog::list(catalog, kind)) {
    for (const auto& row : table->rows) names.push_back(row.front());
  }
  return names;
}

Result<int> run_list(const Args& args, Context& context) {
  const Result<const Catalog*> catalog = context.catalog();
  if (!catalog) return fail(catalog.error());
  const std::string kind = args.text("--kind");
  if (args.flag("--names")) {
    const std::vector<std::string> names = names_of(**catalog, kind);
    if (context.json) {
      ordered_json json = catalog_document("names");
      json["names"] = names;
      context.write_json(json);
    } else {
      for (const std::string& name : names) context.out << name << '\n';
    }
    return 0;
  }
  const Result<TableModel> table = kind.empty()      ? Result<TableModel>(kinds_table(**catalog))
                                   : kind == "model" ? Result<TableModel>(models_table(**catalog))
                                                     : catalog::list(**catalog, kind);
  if (!table) return fail(table.error());
  if (context.json) {
    ordered_json json = catalog_document("list");
    json["kind"] = text_json(kind);
    json["title"] = table->title;
    json["rows"] = flat_rows(*table);
    json["notes"] = table->notes;
    context.write_json(json);
  } else {
    context.out << to_text(table_of(*table, true), context.style());
  }
  return 0;
}

Result<int> run_compare(const Args& args, Context& context) {
  const Result<const Catalog*> catalog = context.catalog();
  if (!catalog) return fail(catalog.error());
  const Result<TableModel> table = catalog::compare(**catalog, args.list("ID"));
  if (!table) return fail(table.error());
  if (context.json) {
    ordered_json json = catalog_document("compare");
    json["ids"] = std::vector<std::string>(table->columns.begin() + 1, table->columns.end());
    json["rows"] = compared_rows(*table);
    json["notes"] = table->notes;
    context.write_json(json);
  } else {
    context.out << to_text(table_of(*table, false), context.style());
  }
  return 0;
}

std::vector<std::string_view> kind_choices() { return {kind_words().begin(), kind_words().end()}; }

}  // namespace

const Command& catalog_command() {
  static const Command list{
      .name = "list",
      .summary = "parts of a kind, side by side",
      .description =
          "link gives the hierarchy from the chip down to TCP; pcie and nvlink give their generations. Without "
          "a kind: what kinds there are.",
      .options = {{.name = "--kind", .value = "KIND", .choices = kind_choices(), .help = "of which kind"},
                  {.name = "--names", .type = ValueType::flag, .help = "ids alone, one a line"}},
      .examples = {{.arguments = "catalog list --kind link", .what = "the hierarchy of links"},
                   {.arguments = "catalog list --kind pcie", .what = "PCIe by generation and width"},
                   {.arguments = "catalog list --kind server", .what = "servers"}},
      .run = run_list,
  };
  static const Command compare{
      .name = "compare",
      .summary = "parts of one kind beside each other",
      .positionals = {{.name = "ID", .help = "two parts or more", .repeatable = true, .offer = Offer::parts}},
      .examples = {{.arguments = "catalog compare nvlink4 pcie5-x16", .what = "inside a server"},
                   {.arguments = "catalog compare ib-ndr roce-v2-400g iwarp", .what = "between servers"}},
      .run = run_compare,
  };
  static const Command command{
      .name = "catalog",
      .summary = "parts and models, side by side, and where each figure comes from",
      .description = "Rates are per direction unless a heading says otherwise.",
      .subcommands = {list, catalog_show_command(), compare},
  };
  return command;
}

}  // namespace weft::cli
