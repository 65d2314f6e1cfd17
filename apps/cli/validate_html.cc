#include <algorithm>
#include <map>

#include "validate_print.h"
#include "weft/report/curve_plot.h"
#include "weft/report/html_page.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using validate::FileScore;

std::string or_dash(const std::optional<double>& value) { return value ? percent(*value) : "-"; }

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

}  // namespace

std::string validation_html(const Validation& validation) {
  report::HtmlPage page("Predicted and measured collectives");
  page.paragraph(
      "Lines are predicted from each file's description, dots are what was measured: bus bandwidth against message "
      "size.");
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
      std::string caption = or_dash(score->median) + ", from 16 MiB " + or_dash(score->median_large);
      if (validation.healthy && !score->healthy()) caption += "; not counted: healthy is not yes";
      caption += "; " + score->measurement->table.source;
      page.figure(curve_of(*score), caption);
    }
    page.end_grid();
  }
  return std::move(page).finish();
}

}  // namespace weft::cli
