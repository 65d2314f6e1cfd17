#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <ostream>

#include "calibrated.h"
#include "cluster_argument.h"
#include "collective_print.h"
#include "collective_request.h"
#include "collective_schedules.h"
#include "commands.h"
#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/collective/profile.h"

namespace weft::cli {
namespace {

using collective::Library;

// "NVLSTree" and "nvls-tree" are "nvls_tree".
std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != '_' && c != '-') out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

// A word of a list that a room knows: --algo, --proto, --launch.
template <class Value>
Result<std::optional<Value>> word(const Args& args, std::string_view option, Value first, Value last) {
  const std::string text = args.text(option);
  if (text.empty() || text == "auto") return std::optional<Value>();
  std::vector<std::string> known = {"auto"};
  for (int i = static_cast<int>(first); i <= static_cast<int>(last); ++i) {
    known.emplace_back(name_of(static_cast<Value>(i)));
    if (folded(known.back()) == folded(text)) return static_cast<Value>(i);
  }
  return fail(usage_error("WEFT-CLI-0059", std::string(option) + " " + in_quotes(text) + " is not known")
                  .with_expected(fmt::format("{}", fmt::join(known, ", ")))
                  .with_hint(did_you_mean(text, known)));
}

Result<std::vector<Library>> libraries(const Args& args) {
  std::vector<Library> list;
  for (const std::string& text : args.list("--library")) {
    const std::optional<Library> library = collective::library_from(text);
    if (!library) {
      return fail(usage_error("WEFT-CLI-0060", "--library " + in_quotes(text) + " is no library that weft knows")
                      .with_expected("nccl-2.27, nccl-2.18.5, rccl, mccl"));
    }
    list.push_back(*library);
  }
  return list;
}

// AMD's and MetaX's GPUs have libraries of their own.
Library usual_library(const fabric::GroupShape& shape) {
  if (shape.inside == catalog::LinkClass::xgmi) return {collective::LibraryFamily::rccl, 0, 0, 0};
  if (shape.inside == catalog::LinkClass::proprietary && !shape.inside_link.empty())
    return {collective::LibraryFamily::mccl, 0, 0, 0};
  return collective::kDefaultLibrary;
}

Result<collective::Call> call_of(const Args& args) {
  Result<collective::Operation> operation = parse_operation(args.text("OP"));
  if (!operation) return fail(std::move(operation.error()));
  auto algorithm = word(args, "--algo", collective::Algorithm::ring, collective::Algorithm::multimem);
  if (!algorithm) return fail(std::move(algorithm.error()));
  auto protocol = word(args, "--proto", collective::Protocol::ll, collective::Protocol::simple);
  if (!protocol) return fail(std::move(protocol.error()));
  auto launch = word(args, "--launch", collective::LaunchMode::process_per_gpu, collective::LaunchMode::graph);
  if (!launch) return fail(std::move(launch.error()));
  return collective::Call{
      *operation, {}, *algorithm, *protocol, launch->value_or(collective::LaunchMode::process_per_gpu)};
}

Result<void> predict(CollectiveRun& run, const fabric::Cluster& cluster, std::span<const fabric::DeviceId> gpus,
                     const std::vector<Bytes>& sizes, const catalog::Calibration& calibration) {
  Result<collective::Profiles> profiles = collective::load_profiles(calibration, run.library);
  if (!profiles) return fail(std::move(profiles.error()));
  run.shape = collective::group_of(run.shape, cluster.fabric, gpus, cluster.conditions, *profiles);
  run.calibration = engine::closed::sets_for(run.shape, *profiles);
  const double factor = collective::bus_factor(run.call.operation, std::max(2, run.shape.ranks));
  run.rows.reserve(sizes.size());
  for (const Bytes size : sizes) {
    collective::Call call = run.call;
    call.bytes = size;
    Result<engine::closed::Cost> cost = engine::closed::collective_cost(call, run.shape, *profiles);
    if (!cost) return fail(std::move(cost.error()));
    const double rate = cost->total.us() > 0 ? static_cast<double>(size.count()) / cost->total.us() / 1e3 : 0;
    run.rows.push_back({size, std::move(*cost), rate, rate * factor});
  }
  return {};
}

Result<std::vector<CollectiveRun>> runs_of(const Args& args, const catalog::Calibration& calibration,
                                           Context& context) {
  Result<collective::Call> call = call_of(args);
  if (!call) return fail(std::move(call.error()));
  Result<SizeRange> range = size_range(args);
  if (!range) return fail(std::move(range.error()));
  const std::vector<Bytes> sizes = sizes_of(*range);
  Result<std::vector<Library>> asked = libraries(args);
  if (!asked) return fail(std::move(asked.error()));
  Result<const catalog::Catalog*> catalog = context.catalog();
  if (!catalog) return fail(std::move(catalog.error()));
  intake::ClusterOptions options;
  options.gpu = args.text("--gpu");
  for (const std::string& condition : args.list("--condition")) options.conditions.push_back(condition);
  std::vector<CollectiveRun> runs;
  for (const std::string& spec : args.list("--cluster")) {
    Result<intake::ClusterInput> input = intake::load_cluster(**catalog, spec, options, context.in);
    if (!input) return fail(std::move(input.error()));
    context.say_notes(input->notes);
    Result<std::vector<fabric::DeviceId>> group = parse_ranks(args.text("--ranks"), input->cluster.fabric);
    if (!group) return fail(std::move(group.error()));
    if (group->size() < 2) {
      return fail(usage_error("WEFT-CLI-0061",
                              "a collective needs two GPUs or more; this is " + std::to_string(group->size())));
    }
    CollectiveRun run;
    run.cluster = spec;
    run.call = *call;
    run.shape = {fabric::shape_of(input->cluster.fabric, *group, input->cluster.conditions), nullptr};
    run.assumed = input->cluster.assumed;
    const std::vector<Library> each = asked->empty() ? std::vector<Library>{usual_library(run.shape)} : *asked;
    for (const Library& library : each) {
      run.library = library;
      run.rows.clear();
      if (Result<void> done = predict(run, input->cluster, *group, sizes, calibration); !done)
        return fail(std::move(done.error()));
      runs.push_back(run);
    }
  }
  return runs;
}

Result<int> run_collective(const Args& args, Context& context) {
  Result<Calibrated> calibrated = load_calibrated(args, args.list("--cluster").front(), context);
  if (!calibrated) return fail(std::move(calibrated.error()));
  Result<std::vector<CollectiveRun>> runs = runs_of(args, calibrated->calibration, context);
  if (!runs) return fail(std::move(runs.error()));
  for (CollectiveRun& run : *runs)
    run.calibration.insert(run.calibration.end(), calibrated->over.begin(), calibrated->over.end());
  if (args.given("--plot")) {
    if (Result<void> done = write_output(context, args.text("--plot"), run_plot(*runs, calibrated->measured)); !done)
      return fail(std::move(done.error()));
    if (args.text("--plot") == "-") return 0;
  }
  if (context.json) {
    nlohmann::ordered_json document = run_json(runs->front());
    if (args.flag("--schedules")) document["schedules"] = schedules_json(runs->front());
    if (calibrated->overlay) document["measured"] = overlay_json(*calibrated->overlay);
    if (runs->size() > 1) document["also"] = nlohmann::ordered_json::array();
    for (std::size_t i = 1; i < runs->size(); ++i) document["also"].push_back(run_json((*runs)[i]));
    context.write_json(document);
    return 0;
  }
  for (const CollectiveRun& run : *runs) {
    print_run(run, context);
    if (args.flag("--explain")) print_terms(run, context);
    if (args.flag("--schedules")) print_schedules(run, context);
  }
  return 0;
}

std::vector<Option> options() {
  std::vector<Option> list = {
      {.name = "--cluster",
       .value = "C",
       .required = true,
       .repeatable = true,
       .offer = Offer::clusters,
       .help = "the cluster; several may be compared"},
      {.name = "--begin",
       .short_name = "-b",
       .value = "SIZE",
       .default_text = "8",
       .help = "the smallest message, as nccl-tests takes it"},
      {.name = "--end", .short_name = "-e", .value = "SIZE", .default_text = "8G", .help = "the largest message"},
      {.name = "--factor",
       .short_name = "-f",
       .value = "F",
       .type = ValueType::number,
       .default_text = "2",
       .help = "from one size to the next"},
      {.name = "--step", .short_name = "-i", .value = "SIZE", .help = "sizes in equal steps instead"},
      {.name = "--ranks",
       .value = "LIST",
       .help = "8 (the first eight), 0-7, 0,8,16, 0-63/8 or names; all GPUs otherwise"},
      {.name = "--algo",
       .value = "NAME",
       .default_text = "auto",
       .help = "force an algorithm, as NCCL_ALGO does: ring, tree, nvls, …"},
      {.name = "--proto",
       .value = "NAME",
       .default_text = "auto",
       .choices = {"auto", "ll", "ll128", "simple"},
       .help = "force a protocol, as NCCL_PROTO does"},
      {.name = "--library",
       .value = "NAME",
       .repeatable = true,
       .help = "nccl-2.27, nccl-2.18.5, rccl, …; several may be compared"},
      {.name = "--launch",
       .value = "MODE",
       .default_text = "process_per_gpu",
       .choices = {"process_per_gpu", "thread_per_gpu", "single_process", "graph"},
       .help = "who launches: one process may drive one GPU or many, or a captured graph runs"},
      {.name = "--engine",
       .value = "NAME",
       .default_text = "closed",
       .choices = {"closed"},
       .help = "how times are found"},
      {.name = "--explain", .type = ValueType::flag, .help = "also what each time is made of"},
      {.name = "--schedules",
       .type = ValueType::flag,
       .help = "also every algorithm that does the operation: steps, bytes, and a check that it is right"},
      {.name = "--plot",
       .value = "FILE",
       .offer = Offer::files,
       .help = "a picture (SVG): bus bandwidth against message size; - is stdout"}};
  return with_cluster_options(with_calibration_options(std::move(list)));
}

}  // namespace

const Command& collective_command() {
  static const Command command{
      .name = "collective",
      .summary = "times of a collective operation by size, in nccl-tests' layout",
      .description =
          "Predicts a collective over a cluster's GPUs, one row a message size, in the layout of nccl-tests, so that "
          "what reads those "
          "logs reads this. Sizes are nccl-tests' too: the whole buffer, the total over all ranks for all-gather, "
          "reduce-scatter and "
          "all-to-all.\n\n"
          "NCCL's own tuner, of the version that --library names, chooses algorithm, protocol and channels. The time "
          "is "
          "the longer of what launching costs on the host and the GPUs' part; --explain shows its terms, the choice, "
          "and the calibrated line that gave it. With --measured, an overlay is fitted to one's own logs first, said, "
          "and used.",
      .positionals =
          {{.name = "OP",
            .help =
                "all_reduce, all_gather, reduce_scatter, all_to_all, broadcast, reduce, gather, scatter, send_recv"}},
      .options = options(),
      .examples = {{.arguments = "collective all_reduce --cluster hgx-h100-8",
                    .what = "the table that nccl-tests would print"},
                   {.arguments = "collective all_reduce --cluster 2xhgx-h100-8 -b 1M -e 1G --explain",
                    .what = "and what the time is made of"},
                   {.arguments = "collective all_to_all --cluster 64xhgx-h100-8 --ranks 0-511/8 --json",
                    .what = "one GPU of each server"},
                   {.arguments = "collective all_reduce --cluster hgx-h100-8 --cluster hgx-a100-8 --plot compare.svg",
                    .what = "two servers in one picture"}},
      .run = run_collective,
  };
  return command;
}

}  // namespace weft::cli
