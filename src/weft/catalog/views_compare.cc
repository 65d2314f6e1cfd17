#include <array>

#include "weft/catalog/fields.h"
#include "weft/catalog/view_text.h"
#include "weft/catalog/views.h"
#include "weft/units/text.h"

namespace weft::catalog {
namespace {

using Parts = std::span<const Part* const>;

template <class MakeCell>
void add_criterion(TableModel& table, std::string name, Parts parts, MakeCell make_cell) {
  std::vector<Cell> cells = {{std::move(name)}};
  bool any = false;
  for (const Part* part : parts) {
    cells.push_back(make_cell(*part));
    any = any || cells.back().text != "-";
  }
  if (any) table.add_row(std::move(cells));
}

struct Criterion {
  std::string_view name;
  std::string_view key;
};

// In the order in which buyers ask.
constexpr auto kAfterBandwidth = std::to_array<Criterion>({{"one hop, hardware", "latency"},
                                                           {"end to end, small message", "end_to_end"},
                                                           {"small all-reduce, library", "software_latency"},
                                                           {"small all-reduce, custom kernel", "kernel_latency"},
                                                           {"small all-reduce, as quoted", "quoted_latency"},
                                                           {"topology", "topology"},
                                                           {"coherence", "coherence"},
                                                           {"transport", "transport"},
                                                           {"hardware needed", "hardware"},
                                                           {"congestion control", "congestion_control"},
                                                           {"zero copy", "zero_copy"},
                                                           {"kernel bypass", "kernel_bypass"},
                                                           {"relative cost", "relative_cost"},
                                                           {"effort to deploy", "effort"},
                                                           {"suits", "suits"}});

Cell bandwidth_cell(const Part& link) {
  const Rate all = aggregate(link);
  std::string text = rate_text(class_of(link), all);
  if (const int count = int_field(link, "per_gpu", 1); count > 1) {
    text += " a GPU (" + std::to_string(count) + " links x " + human_bytes(field<Rate>(link, "line")) + ")";
  } else {
    text += " " + one_unit(link);
  }
  return {std::move(text), Number{"bandwidth_gbytes_per_s", all.gbytes()}};
}

Cell goodput_cell(const Part& link) {
  const Rate goodput = field<Rate>(link, "goodput") * int_field(link, "per_gpu", 1);
  Cell cell = rate_cell(class_of(link), "goodput", goodput);
  cell.text += ", " + significant(goodput / aggregate(link) * 100, 3) + " %";
  return cell;
}

Cell quoted_cell(const Part& link) {
  Cell cell = figure_cell(link, "quoted_latency");
  if (const auto high = field<Duration>(link, "quoted_latency_high"); high.count() > 0)
    cell.text += " to " + human(high);
  return cell;
}

std::string caveats_of(const Part& part) {
  std::string all;
  for (const std::string& caveat : part.caveats) all += (all.empty() ? "" : " ") + caveat;
  return all.empty() ? "-" : all;
}

void add_link_criteria(TableModel& table, Parts links) {
  add_criterion(table, "bandwidth, each way", links, bandwidth_cell);
  add_criterion(table, "bandwidth, both ways", links,
                [](const Part& link) { return rate_cell(class_of(link), "bidir", aggregate(link) * 2); });
  add_criterion(table, "goodput, each way", links, goodput_cell);
  for (const Criterion& criterion : kAfterBandwidth) {
    add_criterion(table, std::string(criterion.name), links, [&](const Part& link) {
      if (criterion.key == "quoted_latency") return quoted_cell(link);
      if (criterion.key == "suits" && link.find("suits") == nullptr) return figure_cell(link, "use");
      return figure_cell(link, criterion.key);
    });
  }
}

}  // namespace

Result<TableModel> compare(const Catalog& catalog, std::span<const std::string> ids) {
  if (ids.size() < 2) {
    return fail(usage_error("WEFT-CAT-0025", "one part cannot be compared")
                    .with_expected("two ids or more, such as nvlink4 pcie5-x16"));
  }
  std::vector<const Part*> parts;
  TableModel table;
  table.columns = {""};
  for (const std::string& id : ids) {
    const Result<const Part*> part = catalog.part(id);
    if (!part) return fail(part.error());
    if (!parts.empty() && (*part)->kind != parts.front()->kind) {
      return fail(usage_error("WEFT-CAT-0026", (*part)->id + " is a " + std::string(name_of((*part)->kind)) + ", " +
                                                   parts.front()->id + " a " +
                                                   std::string(name_of(parts.front()->kind)))
                      .with_expected("parts of one kind"));
    }
    parts.push_back(*part);
    table.columns.push_back((*part)->id);
    table.title += (table.title.empty() ? "" : " / ") + (*part)->id;
  }
  const Kind kind = parts.front()->kind;
  add_criterion(table, "what", parts, [](const Part& part) { return Cell{part.title}; });
  if (kind == Kind::link) {
    add_link_criteria(table, parts);
    table.notes = {"rates are per direction unless a row says both ways",
                   "cost, effort and what it suits are judgements; `show` names the source of every figure"};
  } else {
    for (const SchemaKey& key : schema(kind)) {
      add_criterion(table, std::string(key.key), parts, [&](const Part& part) { return figure_cell(part, key.key); });
    }
  }
  add_criterion(table, "caveats", parts, [](const Part& part) { return Cell{caveats_of(part)}; });
  return table;
}

}  // namespace weft::catalog
