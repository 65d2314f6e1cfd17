#include "calibrated.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "measured_argument.h"
#include "weft/intake/text_file.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using report::Align;
using report::Cell;

}  // namespace

std::string changes_text(const validate::Overlay& overlay, report::TextStyle style) {
  report::Table table;
  table.title = "What is different here";
  table.columns = {{"set", Align::left}, {"factor on", Align::left}, {"was", Align::right}, {"is", Align::right}};
  for (const validate::OverlayChange& change : overlay.changes) {
    table.rows.push_back({Cell(change.set), Cell(change.key == "scale.rate" ? "rates" : "latencies"),
                          Cell(significant(change.before, 3)), Cell(significant(change.after, 3))});
  }
  const std::string fit = std::to_string(overlay.rows) + " rows of " + std::to_string(overlay.files.size()) +
                          (overlay.files.size() == 1 ? " file" : " files") + ": median error " +
                          percent(overlay.median_before) + " before, " + percent(overlay.median_after) + " after\n";
  if (overlay.changes.empty()) return "the logs agree with the calibration as it is; " + fit;
  return to_text(table, style) + fit;
}

nlohmann::ordered_json overlay_json(const validate::Overlay& overlay) {
  nlohmann::ordered_json document = {{"schema", "weft/calibrate/1"},
                                     {"files", overlay.files},
                                     {"rows", overlay.rows},
                                     {"median_abs_error_before", overlay.median_before},
                                     {"median_abs_error_after", overlay.median_after}};
  document["changes"] = nlohmann::ordered_json::array();
  for (const validate::OverlayChange& change : overlay.changes) {
    document["changes"].push_back(
        {{"set", change.set}, {"key", change.key}, {"before", change.before}, {"after", change.after}});
  }
  return document;
}

Option calibration_option() {
  return {.name = "--calibration",
          .value = "FILE",
          .repeatable = true,
          .offer = Offer::files,
          .help = "calibration of your own (weft calibrate writes it), laid over the builtin one"};
}

Result<catalog::Calibration> load_calibration(const Args& args, Context& context) {
  Result<catalog::Calibration> calibration = catalog::Calibration::builtin();
  if (!calibration) return calibration;
  for (const std::string& path : args.list("--calibration")) {
    Result<SourceText> text = intake::read_text(path, context.in);
    if (!text) return fail(std::move(text.error()));
    if (Result<void> done = calibration->overlay_checked(*text); !done) return fail(std::move(done.error()));
  }
  return calibration;
}

std::vector<Option> with_calibration_options(std::vector<Option> own) {
  own.push_back(calibration_option());
  own.push_back(
      {.name = "--measured",
       .value = "LOG",
       .repeatable = true,
       .offer = Offer::files,
       .help = "measured tables or nccl-tests logs of this cluster: the calibration is fitted to them first"});
  return own;
}

Result<Calibrated> load_calibrated(const Args& args, const std::string& cluster, Context& context) {
  Result<catalog::Calibration> calibration = load_calibration(args, context);
  if (!calibration) return fail(std::move(calibration.error()));
  const auto files = args.list("--calibration");
  Calibrated calibrated{std::move(*calibration), {}, {}, {files.begin(), files.end()}};
  if (!args.given("--measured")) return calibrated;
  Result<MeasuredInput> input = load_measured(args.list("--measured"), cluster, context);
  if (!input) return fail(std::move(input.error()));
  for (const Error& error : input->unreadable) context.err << error.to_string();
  Result<validate::Overlay> overlay = validate::fit_overlay(calibrated.calibration, input->measurements);
  if (!overlay) return fail(std::move(overlay.error()));
  calibrated.calibration = validate::laid_over(std::move(calibrated.calibration), *overlay);
  if (!context.quiet && !context.json) context.err << changes_text(*overlay, {.width = context.width, .colour = false});
  const std::size_t logs = overlay->files.size();
  calibrated.over.push_back("fitted to " + std::to_string(logs) + (logs == 1 ? " log" : " logs"));
  calibrated.measured = std::move(input->measurements);
  calibrated.overlay = std::move(*overlay);
  return calibrated;
}

}  // namespace weft::cli
