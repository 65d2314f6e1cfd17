#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "calibrated.h"
#include "cluster_argument.h"
#include "commands.h"
#include "measured_argument.h"
#include "validate_cards.h"
#include "validate_print.h"

namespace weft::cli {
namespace {

constexpr double kPerCent = 0.01;

std::vector<std::string> sets_used(const std::vector<validate::FileScore>& scores) {
  std::set<std::string> sets;
  for (const validate::FileScore& score : scores) {
    for (const validate::RowScore& row : score.rows) sets.insert(engine::closed::set_of(row.predicted));
  }
  return {sets.begin(), sets.end()};
}

Result<void> leave_out(const Args& args, const catalog::Calibration& calibration,
                       const std::vector<intake::Measurement>& scored, Validation& validation, Context& context) {
  MeasuredInput also;
  if (args.given("--also")) {
    const auto paths = args.list("--also");
    Result<MeasuredInput> loaded = load_measured(paths, "", context);
    if (!loaded) return fail(std::move(loaded.error()));
    also = std::move(*loaded);
  }
  const auto progress = [&](int done, int all) {
    if (!context.quiet && context.colour)
      context.err << "\rrefitting without source " << done << " of " << all << std::flush;
  };
  Result<validate::LeaveOutResult> result =
      validate::leave_out_sources(calibration, scored, also.measurements, progress);
  if (!context.quiet && context.colour) context.err << "\r\x1b[K";
  if (!result) return fail(std::move(result.error()));
  validation.left_out = std::move(*result);
  return {};
}

Result<void> write_cards(const std::string& folder, const Validation& validation,
                         const catalog::Calibration& calibration, Context& context) {
  for (const ModelCard& card : model_cards(validation, calibration)) {
    const std::string path = folder + "/" + card.name;
    if (Result<void> done = write_output(context, path + ".md", card.markdown); !done) return done;
    if (Result<void> done = write_output(context, path + ".svg", card.picture); !done) return done;
  }
  return {};
}

Result<int> run_validate(const Args& args, Context& context) {
  Result<catalog::Calibration> calibration = load_calibration(args, context);
  if (!calibration) return fail(std::move(calibration.error()));
  const auto paths = args.list("FILE");
  Result<MeasuredInput> input = load_measured(paths, args.text("--cluster"), context);
  if (!input) return fail(std::move(input.error()));
  Validation validation;
  validation.scores = validate::score_all(*calibration, input->measurements);
  validation.unreadable = std::move(input->unreadable);
  choose_counted(validation);
  validation.calibration = sets_used(validation.scores);
  validation.noise = validate::noise_floor(validation.scores);
  if (args.given("--leave-out")) {
    if (Result<void> done = leave_out(args, *calibration, input->measurements, validation, context); !done)
      return fail(std::move(done.error()));
  }
  if (args.given("--html")) {
    if (Result<void> done = write_output(context, args.text("--html"), validation_html(validation)); !done)
      return fail(std::move(done.error()));
  }
  if (args.given("--cards")) {
    if (Result<void> done = write_cards(args.text("--cards"), validation, *calibration, context); !done)
      return fail(std::move(done.error()));
  }
  if (context.json) {
    context.write_json(validation_json(validation));
  } else if (args.text("--html") != "-") {
    print_validation(validation, static_cast<std::size_t>(args.integer("--worst")), context);
  }
  const validate::Summary summary = summary_of(validation.counted);
  const bool over = args.given("--limit") && (!summary.median || *summary.median > args.number("--limit") * kPerCent);
  return over ? 1 : 0;
}

}  // namespace

const Command& validate_command() {
  static const Command command{
      .name = "validate",
      .summary = "predictions held against measured tables and nccl-tests logs",
      .description =
          "Predicts every measured table or raw nccl-tests log from its description alone and shows by how much the "
          "prediction "
          "misses: by link and operation, single and several servers apart, small and large messages apart, the worst "
          "files last with "
          "the term that dominates them.\n\n"
          "Files are measured tables (data/measured/README.md says their form) or logs; folders are searched for .tsv, "
          ".log and .txt. "
          "Figures are over files that call themselves healthy or, when none does, over those that do not say. Exit "
          "status 1: the median error is above --limit.",
      .positionals =
          {{.name = "FILE", .help = "tables, logs, or folders of them", .repeatable = true, .offer = Offer::files}},
      .options = {{.name = "--cluster",
                   .value = "C",
                   .offer = Offer::clusters,
                   .help = "what the logs were measured on, where they do not say"},
                  calibration_option(),
                  {.name = "--worst",
                   .value = "N",
                   .type = ValueType::integer,
                   .default_text = "10",
                   .least = 0,
                   .most = 100'000,
                   .help = "how many of the worst files to list"},
                  {.name = "--leave-out",
                   .value = "WHAT",
                   .choices = {"source"},
                   .help = "refit without each source and predict it; both errors are shown"},
                  {.name = "--also",
                   .value = "DIR",
                   .repeatable = true,
                   .offer = Offer::files,
                   .help = "with --leave-out: further tables to fit on"},
                  {.name = "--limit",
                   .value = "PERCENT",
                   .type = ValueType::number,
                   .help = "the largest median error that is good enough"},
                  {.name = "--html",
                   .value = "FILE",
                   .offer = Offer::files,
                   .help = "a page with measured and predicted curves; - is stdout"},
                  {.name = "--cards",
                   .value = "DIR",
                   .offer = Offer::files,
                   .help = "into a folder: a model card with a picture for each calibration set that took part"}},
      .examples = {{.arguments = "validate data/measured/collectives", .what = "the published tables"},
                   {.arguments = "validate my.log --cluster 2xhgx-h100-8 --html my.html", .what = "one's own log"},
                   {.arguments =
                        "validate data/measured/collectives --leave-out source --also data/measured/aiconfigurator",
                    .what = "how well unseen sources are predicted"}},
      .run = run_validate,
  };
  return command;
}

}  // namespace weft::cli
