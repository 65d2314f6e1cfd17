#include <algorithm>
#include <map>

#include "validate_print.h"
#include "weft/report/curve_plot.h"
#include "weft/report/html_page.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using validate::FileScore;

std::string percent(const std::optional<double>& value) { return value ? significant(100 * *value, 3) + " %" : "-"; }

std::string curve_of(const FileScore& score) {
  const double factor = collective::bus_factor(*score.measurement->table.operation, score.measurement->shape.ranks);
  report::CurvePlot plot;
  plot.title = formats::base_name(score.measurement->table);
  plot.subtitle = std::string(collective::name_of(*score.measurement->table.operation)) + " over " +
                  std::to_string(score.measurement->shape.ranks) + " GPUs, " +
                  std::to_string(score.measurement->shape.servers) +
                  (score.measurement->shape.servers == 1 ? " server" : " servers");
  plot.width = 420;
  plot.height = 300;
  plot.legend = false;
  report::CurveSeries predicted{"predicted", {}, false, 0};
  report::CurveSeries measured{"measured", {}, true, 1};
  for (const validate::RowScore& row : score.rows) {
    const double bytes = static_cast<double>(row.size.count());
    predicted.points.push_back({bytes, bytes * factor / row.predicted.total.us() / 1e3});
    measured.points.push_back({bytes, bytes * factor / row.measured_us / 1e3});
  }
  plot.series = {std::move(predicted), std::move(measured)};
  return to_svg(plot);
}

report::Table summary_table(const Validation& validation) {
  report::Table table;
  table.columns = {{"healthy files", report::Align::left},
                   {"files", report::Align::right},
                   {"median", report::Align::right},
                   {"p90", report::Align::right},
                   {"from 16 MiB", report::Align::right}};
  const auto row = [&](const char* name, bool (*wanted)(const FileScore&)) {
    const validate::Summary s = validate::summarise(validation.scores, wanted);
    table.rows.push_back({report::Cell(name), report::Cell(std::to_string(s.files)), report::Cell(percent(s.median)),
                          report::Cell(percent(s.p90)), report::Cell(percent(s.median_large))});
  };
  row("single server", [](const FileScore& s) { return s.healthy() && s.single_server(); });
  row("several servers", [](const FileScore& s) { return s.healthy() && !s.single_server(); });
  row("all", [](const FileScore& s) { return s.healthy(); });
  return table;
}

}  // namespace

std::string validation_html(const Validation& validation) {
  report::HtmlPage page("Predicted and measured collectives");
  page.paragraph(
      "Lines are predictions from each file's description alone, dots what was measured: bus bandwidth against message "
      "size. "
      "Error: |predicted - measured| / measured time, the median of a file's rows.");
  page.table(summary_table(validation));
  std::map<std::string, std::vector<const FileScore*>> groups;
  for (const FileScore& score : validation.scores) {
    if (score.median) groups[score.group].push_back(&score);
  }
  for (auto& [group, files] : groups) {
    std::stable_sort(files.begin(), files.end(),
                     [](const FileScore* a, const FileScore* b) { return *a->median < *b->median; });
    page.heading(group, group);
    page.begin_grid();
    for (const FileScore* score : files) {
      std::string caption = percent(score->median) + ", from 16 MiB " + percent(score->median_large);
      if (!score->healthy()) caption += "; not counted: healthy is not yes";
      caption += "; " + score->measurement->table.source;
      page.figure(curve_of(*score), caption);
    }
    page.end_grid();
  }
  return std::move(page).finish();
}

}  // namespace weft::cli
