#include "weft/plan/plan.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <ostream>

#include "calibrated.h"
#include "cluster_argument.h"
#include "commands.h"
#include "model_argument.h"
#include "plan_print.h"
#include "plan_request.h"

namespace weft::cli {
namespace {

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
  Result<plan::PlanRequest> request = plan_request(args, model->shape);
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

std::vector<Option> plan_options() {
  std::vector<Option> options = {{.name = "--cluster",
                                  .short_name = "-c",
                                  .value = "C",
                                  .required = true,
                                  .offer = Offer::clusters,
                                  .help = "the cluster: a name, a count, a short form or a file"},
                                 {.name = "--for",
                                  .value = "USE",
                                  .default_text = "serve",
                                  .choices = {"serve", "train"},
                                  .help = "what the model is used for"}};
  for (Option& option : plan_request_options()) options.push_back(std::move(option));
  options.push_back({.name = "--top",
                     .value = "N",
                     .type = ValueType::integer,
                     .default_text = "8",
                     .least = 1,
                     .most = 100'000,
                     .help = "how many candidates the table shows; --json has more"});
  options.push_back(
      {.name = "--rank-map", .type = ValueType::flag, .help = "also print where each rank of the first goes"});
  return with_calibration_options(with_cluster_options(std::move(options)));
}

}  // namespace

const Command& plan_command() {
  static const Command command{
      .name = "plan",
      .summary = "ranked placements of a model on a cluster, with time, memory, verdict and reasons",
      .description =
          "Every spread of the model that uses all GPUs is evaluated: tensor, pipeline, context and expert "
          "parallelism, attention data parallelism and copies. Each is placed so that its axes cross the cheapest "
          "links they can, "
          "what does not fit in memory is left out, and the rest gets the steady state of continuous batching: time to "
          "the first token, time per token and tokens a second, from the GPU's kernels and from collectives over the "
          "links that each axis really crosses.\n\n"
          "The verdict is by the share that communication takes of a decode step: up to 15 % recommended, 35 % "
          "usable, 65 % discouraged, above unusable; infeasible does not fit.\n\n"
          "Times are means at steady state. Not in the model: bursts, lengths that differ between requests, "
          "preemption, prefix caches, speculative decoding, overlap of communication with kernels. Exit status 1 when "
          "nothing fits.",
      .positionals = {model_positional()},
      .options = plan_options(),
      .examples = {{.arguments = "plan llama-3.1-70b --cluster hgx-h100-8", .what = "one server"},
                   {.arguments = "plan ./config.json --cluster topo.xml --gpu h100-sxm5",
                    .what = "your own model on your own server"},
                   {.arguments = "plan llama-3.1-70b --cluster 2xhgx-h100-8 --slo ttft=500ms,tpot=20ms",
                    .what = "the most that two servers carry within limits"},
                   {.arguments = "plan deepseek-v3 --cluster 4xhgx-h100-8 --concurrency 512 --json",
                    .what = "for a script"}},
      .run = run_plan,
  };
  return command;
}

}  // namespace weft::cli
