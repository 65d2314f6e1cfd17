#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "calibrated.h"
#include "cluster_argument.h"
#include "commands.h"
#include "measured_argument.h"
#include "weft/base/printable.h"
#include "weft/report/table.h"
#include "weft/units/text.h"
#include "weft/validate/fit.h"
#include "weft/validate/overlay.h"
#include "weft/validate/write_set.h"

namespace weft::cli {
namespace {

using report::Align;
using report::Cell;

report::Table refit_table(const std::vector<validate::FitResult>& results) {
  report::Table table;
  table.title = "Refitted from neutral starts";
  table.columns = {{"numbers", Align::left, false, "unit"},
                   {"tables", Align::right, false, "tables"},
                   {"rows", Align::right, false, "rows"},
                   {"median error", Align::right, false, "median_abs_error"}};
  for (const validate::FitResult& result : results) {
    table.rows.push_back({Cell(result.name), Cell(std::to_string(result.tables), std::int64_t{result.tables}),
                          Cell(std::to_string(result.rows), std::int64_t{result.rows}),
                          Cell(percent(result.median), result.median)});
  }
  return table;
}

// --refit: every set that the tables speak of, fitted anew and written to a folder.
Result<int> refit(const Args& args, catalog::Calibration calibration, const MeasuredInput& input, Context& context) {
  std::vector<const intake::Measurement*> tables;
  for (const intake::Measurement& each : input.measurements) tables.push_back(&each);
  const Result<std::vector<validate::FitResult>> done = validate::fit(calibration, tables, {.from_neutral = true});
  if (!done) return fail(Error(done.error()));
  const std::filesystem::path folder = args.text("--output");
  for (const catalog::CalibrationSet& set : calibration.sets()) {
    const bool touched = std::any_of(done->begin(), done->end(), [&](const validate::FitResult& result) {
      return validate::belongs(set, result.name);
    });
    if (!touched) continue;
    const std::string path = (folder / (set.id + ".toml")).string();
    if (Result<void> written = write_output(context, path, validate::to_toml(set)); !written)
      return fail(std::move(written.error()));
  }
  const report::Table table = refit_table(*done);
  if (context.json) {
    context.write_json({{"schema", "weft/calibrate/1"}, {"refitted", to_json_rows(table)}});
  } else {
    context.out << to_text(table, context.style());
  }
  return 0;
}

Result<int> run_calibrate(const Args& args, Context& context) {
  Result<catalog::Calibration> calibration = load_calibration(args, context);
  if (!calibration) return fail(std::move(calibration.error()));
  const auto paths = args.list("LOG");
  Result<MeasuredInput> input = load_measured(paths, args.text("--cluster"), context);
  if (!input) return fail(std::move(input.error()));
  for (const Error& error : input->unreadable) context.err << error.to_string();
  if (args.flag("--refit")) return refit(args, std::move(*calibration), *input, context);
  const Result<validate::Overlay> overlay = validate::fit_overlay(*calibration, input->measurements);
  if (!overlay) return fail(Error(overlay.error()));
  const std::string path = args.text("--output");
  if (Result<void> written = write_output(context, path, to_toml(*overlay)); !written)
    return fail(std::move(written.error()));
  if (context.json) {
    context.write_json(overlay_json(*overlay));
  } else if (path != "-") {
    for (const intake::Measurement& each : input->measurements) context.say_assumed(each.assumed);
    context.out << changes_text(*overlay, context.style()) << "written to " << printable(path)
                << "; use it with --calibration " << printable(path) << '\n';
  }
  return 0;
}

}  // namespace

const Command& calibrate_command() {
  static const Command command{
      .name = "calibrate",
      .summary = "an overlay fitted to one's own logs",
      .description =
          "Compares measured collectives of one's own cluster with the prediction and writes what is different as a "
          "small overlay: a "
          "factor on latencies and one on rates for each calibration set that has a part in them. Later commands take "
          "it as "
          "--calibration FILE.\n\n"
          "With --refit, all numbers of the sets are fitted anew from neutral starts to the tables given, and written "
          "as one file a "
          "set into the folder --output: that is how the builtin calibration is made (dev/calibrate).",
      .positionals = {{.name = "LOG",
                       .help = "measured tables, nccl-tests logs, or folders of them",
                       .repeatable = true,
                       .offer = Offer::files}},
      .options = {{.name = "--output",
                   .short_name = "-o",
                   .value = "FILE",
                   .required = true,
                   .offer = Offer::files,
                   .help = "the overlay to write; - is stdout"},
                  {.name = "--cluster",
                   .value = "C",
                   .offer = Offer::clusters,
                   .help = "what the logs were measured on, where they do not say"},
                  calibration_option(),
                  {.name = "--refit", .type = ValueType::flag, .help = "fit every number anew; --output is a folder"}},
      .examples = {{.arguments = "calibrate my.log --cluster 2xhgx-h100-8 -o my.toml", .what = "one's own cluster"},
                   {.arguments = "plan llama-3.1-70b --cluster 2xhgx-h100-8 --calibration my.toml",
                    .what = "and a plan with it"}},
      .run = run_calibrate,
  };
  return command;
}

}  // namespace weft::cli
