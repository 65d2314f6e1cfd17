#include "weft/plan/plan.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <ostream>

#include "calibrated.h"
#include "cluster_argument.h"
#include "commands.h"
#include "model_argument.h"
#include "plan_print.h"
#include "weft/base/printable.h"
#include "weft/base/suggest.h"

namespace weft::cli {
namespace {

// "tp=8" of --fix.
Result<void> fix(const std::string& text, plan::PlanRequest& request) {
  const std::size_t equals = text.find('=');
  const std::string axis = text.substr(0, equals);
  Result<std::int64_t> value =
      equals == std::string::npos ? fail(usage_error("WEFT-CLI-0030", "")) : parse_integer(text.substr(equals + 1));
  int* target = axis == "tp"   ? &request.fixed_tp
                : axis == "pp" ? &request.fixed_pp
                : axis == "dp" ? &request.fixed_dp
                               : nullptr;
  if (!value || target == nullptr || *value < 1 || *value > 1'000'000) {
    const std::vector<std::string> axes = {"tp", "pp", "dp"};
    return fail(usage_error("WEFT-CLI-0030", "--fix " + in_quotes(text))
                    .with_expected("tp=8, pp=2 or dp=4")
                    .with_hint(did_you_mean(axis, axes)));
  }
  *target = static_cast<int>(*value);
  return {};
}

Result<plan::PlanRequest> request_of(const Args& args, const catalog::ModelShape& model) {
  plan::PlanRequest request;
  request.model = model;
  request.workload = {args.integer("--prompt"), args.integer("--output"), args.integer("--concurrency")};
  request.objective = args.text("--objective") == "latency" ? plan::Objective::latency : plan::Objective::throughput;
  for (const std::string& text : args.list("--fix")) {
    if (Result<void> done = fix(text, request); !done) return fail(std::move(done.error()));
  }
  return request;
}

Result<int> run_plan(const Args& args, Context& context) {
  if (args.text("--for") == "train") {
    return fail(
        unassessable_error("WEFT-CLI-0031", "planning a training run is not built yet").with_hint("--for serve is"));
  }
  Result<intake::ModelInput> model = load_model(args, context);
  if (!model) return fail(std::move(model.error()));
  Result<intake::ClusterInput> cluster = load_cluster(args, context, "--cluster");
  if (!cluster) return fail(std::move(cluster.error()));
  Result<const catalog::Catalog*> catalog = context.catalog();
  if (!catalog) return fail(std::move(catalog.error()));
  Result<Calibrated> calibrated = load_calibrated(args, args.text("--cluster"), context);
  if (!calibrated) return fail(std::move(calibrated.error()));
  Result<plan::PlanRequest> request = request_of(args, model->shape);
  if (!request) return fail(std::move(request.error()));

  const auto begin = std::chrono::steady_clock::now();
  Result<plan::Plan> made = plan::make_plan(**catalog, calibrated->calibration, cluster->cluster, *request);
  if (!made) return fail(std::move(made.error()));
  made->calibration.insert(made->calibration.end(), calibrated->over.begin(), calibrated->over.end());
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  const PlanView view{
      *model, *cluster, *request, *made, static_cast<std::size_t>(args.integer("--top")), args.flag("--rank-map")};
  if (context.json) {
    nlohmann::ordered_json document = plan_json(view);
    document["timing"] = {{"plan_s", wall}};
    context.write_json(document);
  } else {
    print_plan(view, context);
  }
  return made->candidates.front().fits ? 0 : 1;
}

}  // namespace

const Command& plan_command() {
  static const Command command{
      .name = "plan",
      .summary = "ranked placements of a model on a cluster, with time, memory, verdict and reasons",
      .description =
          "Every tensor x pipeline x data parallelism that uses all GPUs is evaluated: memory, the time of a prompt "
          "and of a "
          "token (roofline and closed-form collectives over the links that each axis really crosses), and judged by "
          "the "
          "share that communication takes of a token: up to 15 % recommended, 35 % usable, 65 % discouraged, above "
          "unusable; infeasible does not fit.\n\n"
          "Ranks go over the GPUs in order: tensor parallelism fastest, then pipeline, then replicas. Expert and "
          "context "
          "parallelism, chunked prefill and queueing are not in the model yet. Exit status 1 when nothing fits.",
      .positionals = {model_positional()},
      .options = with_calibration_options(with_cluster_options({
          {.name = "--cluster",
           .short_name = "-c",
           .value = "C",
           .required = true,
           .offer = Offer::clusters,
           .help = "the cluster: a name, a count, a short form or a file"},
          {.name = "--for",
           .value = "USE",
           .default_text = "serve",
           .choices = {"serve", "train"},
           .help = "what the model is used for"},
          {.name = "--prompt",
           .value = "N",
           .type = ValueType::integer,
           .default_text = "2048",
           .least = 1,
           .most = 10'000'000,
           .help = "tokens of a prompt"},
          {.name = "--output",
           .value = "N",
           .type = ValueType::integer,
           .default_text = "256",
           .least = 1,
           .most = 10'000'000,
           .help = "tokens generated for it"},
          {.name = "--concurrency",
           .value = "N",
           .type = ValueType::integer,
           .default_text = "32",
           .least = 1,
           .most = 100'000'000,
           .help = "sequences in flight over the whole cluster"},
          {.name = "--objective",
           .value = "WHAT",
           .default_text = "throughput",
           .choices = {"throughput", "latency"},
           .help = "what ranks first: tokens/s per GPU, or time per token"},
          {.name = "--fix",
           .value = "AXIS=N",
           .repeatable = true,
           .help = "only candidates with this (tp=8, pp=2, dp=4)"},
          {.name = "--top",
           .value = "N",
           .type = ValueType::integer,
           .default_text = "8",
           .least = 1,
           .most = 100'000,
           .help = "how many candidates the table shows; --json has all"},
          {.name = "--rank-map", .type = ValueType::flag, .help = "also print where each rank of the first goes"},
      })),
      .examples = {{.arguments = "plan llama-3.1-70b --cluster hgx-h100-8", .what = "one server"},
                   {.arguments = "plan ./config.json --cluster topo.xml --gpu h100-sxm5",
                    .what = "your own model on your own server"},
                   {.arguments = "plan deepseek-v3 --cluster 4xhgx-h100-8 --json", .what = "for a script"}},
      .run = run_plan,
  };
  return command;
}

}  // namespace weft::cli
