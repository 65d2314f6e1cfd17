#include "plan_request.h"

#include <algorithm>
#include <array>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/catalog/model_rules.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

struct NamedAxis {
  std::string_view name;
  int plan::FixedAxes::* axis;
};
constexpr std::array<NamedAxis, 6> kAxes = {{{"tp", &plan::FixedAxes::tp},
                                             {"pp", &plan::FixedAxes::pp},
                                             {"dp", &plan::FixedAxes::dp},
                                             {"ep", &plan::FixedAxes::ep},
                                             {"cp", &plan::FixedAxes::cp},
                                             {"attention-dp", &plan::FixedAxes::attention_dp}}};

// "name=value"; without a '=' the value is empty.
struct Setting {
  std::string name;
  std::string value;
};
Setting setting_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  return {text.substr(0, equals), equals == std::string::npos ? "" : text.substr(equals + 1)};
}

// "tp=8" of --fix.
Result<void> fix(const std::string& text, plan::FixedAxes& fixed) {
  const auto [name, value] = setting_of(text);
  const auto axis = std::find_if(kAxes.begin(), kAxes.end(), [&](const NamedAxis& each) { return each.name == name; });
  const Result<std::int64_t> number = parse_integer(value);
  if (axis == kAxes.end() || !number || *number < 1 || *number > 1'000'000) {
    std::vector<std::string> names;
    for (const NamedAxis& each : kAxes) names.emplace_back(each.name);
    Error error = usage_error("WEFT-CLI-0030", "--fix " + in_quotes(text));
    error.expected = "tp=8, pp=2, dp=4, ep=32, cp=2 or attention-dp=8";
    if (axis == kAxes.end()) error.hint = did_you_mean(name, names);
    return fail(std::move(error));
  }
  fixed.*(axis->axis) = static_cast<int>(*number);
  return {};
}

// "ttft=500ms,tpot=30ms".
Result<plan::Slo> slo_of(const std::string& text) {
  plan::Slo slo;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const auto [name, value] = setting_of(text.substr(at, end - at));
    std::optional<Duration>* target = name == "ttft" ? &slo.ttft : name == "tpot" ? &slo.tpot : nullptr;
    const Result<Duration> limit = parse_duration(value);
    if (target == nullptr || !limit || limit->count() <= 0 || *target) {
      Error error = usage_error("WEFT-CLI-0032", "--slo " + in_quotes(text));
      error.expected = "ttft=500ms, tpot=30ms, or both with a comma between";
      if (target != nullptr && !limit) error.hint = limit.error().hint;
      return fail(std::move(error));
    }
    *target = *limit;
    at = end + 1;
  }
  return slo;
}

// "20/s", "90/min" or a bare number of requests a second.
Result<double> rate_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  const std::string unit = slash == std::string::npos ? "s" : text.substr(slash + 1);
  const Result<double> number = parse_number(text.substr(0, slash));
  const double seconds = unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
  if (!number || seconds == 0 || !(*number > 0) || *number > 1e9) {
    return fail(usage_error("WEFT-CLI-0033", "--rate " + in_quotes(text)).with_expected("20/s, 90/min or 5000/h"));
  }
  return *number / seconds;
}

Result<void> load_of(const Args& args, plan::PlanRequest& request) {
  plan::ServingWorkload& workload = request.workload;
  request.load_given = args.given("--rate") || args.given("--concurrency");
  if (args.given("--rate") && args.given("--concurrency")) {
    return fail(
        usage_error("WEFT-CLI-0036", "--rate and --concurrency both say how much comes").with_expected("one of them"));
  }
  if (args.given("--rate")) {
    const Result<double> rate = rate_of(args.text("--rate"));
    if (!rate) return fail(Error(rate.error()));
    workload.rate = *rate;
    return {};
  }
  const std::string text = args.text("--concurrency");
  if (text == "max") {
    workload.fill_memory = true;
    return {};
  }
  const Result<std::int64_t> number = parse_integer(text);
  if (!number || *number < 1 || *number > 100'000'000) {
    return fail(usage_error("WEFT-CLI-0034", "--concurrency " + in_quotes(text))
                    .with_expected("a number of sequences from 1 to 100000000, or max for as many as memory holds"));
  }
  workload.concurrency = *number;
  return {};
}

Result<void> format_of(const Args& args, std::string_view option, catalog::NumberFormat& format) {
  if (!args.given(option)) return {};
  const std::string text = args.text(option);
  const std::optional<catalog::NumberFormat> found = catalog::number_format_from(text);
  if (found) {
    format = *found;
    return {};
  }
  std::string names;
  for (const std::string& name : catalog::number_format_names()) names += (names.empty() ? "" : ", ") + name;
  return fail(usage_error("WEFT-CLI-0035", std::string(option) + " " + in_quotes(text))
                  .with_expected(names)
                  .with_hint(did_you_mean(text, catalog::number_format_names())));
}

// Another recipe than the model's own has its own usual scales.
Result<void> formats_of(const Args& args, catalog::ModelShape& model) {
  const catalog::NumberFormat before = model.weights;
  if (Result<void> done = format_of(args, "--weights", model.weights); !done) return done;
  if (model.weights != before) model.weight_group = model.weight_scale_bits = 0;
  return format_of(args, "--kv", model.kv_cache);
}

}  // namespace

std::vector<Option> plan_request_options() {
  constexpr std::string_view kLoad = "About the load";
  constexpr std::string_view kSearch = "About the search";
  return {
      {.name = "--prompt",
       .value = "N",
       .type = ValueType::integer,
       .default_text = "2048",
       .least = 1,
       .most = 10'000'000,
       .help = "tokens of a prompt",
       .group = kLoad},
      {.name = "--output",
       .value = "N",
       .type = ValueType::integer,
       .default_text = "256",
       .least = 1,
       .most = 10'000'000,
       .help = "tokens generated for it",
       .group = kLoad},
      {.name = "--concurrency",
       .value = "N",
       .default_text = "32",
       .help = "sequences in flight over the whole cluster; max: as many as the KV cache holds",
       .group = kLoad},
      {.name = "--rate", .value = "R", .help = "requests that come at random instead: 20/s, 90/min", .group = kLoad},
      {.name = "--slo",
       .value = "LIMITS",
       .help = "ttft=500ms,tpot=30ms (means): spreads that keep to them come first; without a load each gets the most "
               "it can carry so",
       .group = kLoad},
      {.name = "--chunked-prefill",
       .value = "N",
       .type = ValueType::integer,
       .default_text = "8192",
       .least = 0,
       .most = 10'000'000,
       .help = "tokens that a pass takes, prompts in pieces beside those that are decoded; 0: whole prompts by "
               "themselves",
       .group = kLoad},
      {.name = "--expert-skew",
       .value = "X",
       .type = ValueType::number,
       .default_text = "1",
       .help = "routed tokens of the busiest GPU over the mean",
       .group = kLoad},
      {.name = "--weights",
       .value = "FORMAT",
       .help = "the large matrices in another format: fp8, int4, nvfp4",
       .group = kLoad},
      {.name = "--kv", .value = "FORMAT", .help = "the KV cache in another format: fp8", .group = kLoad},
      {.name = "--objective",
       .value = "WHAT",
       .default_text = "throughput",
       .choices = {"throughput", "latency"},
       .help = "what ranks first: tokens/s per GPU, or time per token",
       .group = kSearch},
      {.name = "--fix",
       .value = "AXIS=N",
       .repeatable = true,
       .help = "only spreads with this: tp=8, pp=2, dp=4, ep=32, cp=2, attention-dp=8",
       .group = kSearch},
      {.name = "--sequence-parallel",
       .type = ValueType::flag,
       .help = "norms and residual cut over the tensor-parallel ranks",
       .group = kSearch},
  };
}

Result<plan::PlanRequest> plan_request(const Args& args, const catalog::ModelShape& model) {
  plan::PlanRequest request;
  request.model = model;
  request.workload.prompt = args.integer("--prompt");
  request.workload.output = args.integer("--output");
  request.workload.chunk = args.integer("--chunked-prefill");
  request.workload.expert_skew = args.number("--expert-skew");
  if (!(request.workload.expert_skew >= 1 && request.workload.expert_skew <= 1e6)) {
    return fail(usage_error("WEFT-CLI-0037", "--expert-skew " + in_quotes(args.text("--expert-skew")))
                    .with_expected("1 (even) or more: the busiest GPU has at least the mean"));
  }
  request.objective = args.text("--objective") == "latency" ? plan::Objective::latency : plan::Objective::throughput;
  request.sequence_parallel = args.flag("--sequence-parallel");
  if (Result<void> done = load_of(args, request); !done) return fail(std::move(done.error()));
  if (args.given("--slo")) {
    Result<plan::Slo> slo = slo_of(args.text("--slo"));
    if (!slo) return fail(std::move(slo.error()));
    request.slo = *slo;
  }
  for (const std::string& text : args.list("--fix")) {
    if (Result<void> done = fix(text, request.fixed); !done) return fail(std::move(done.error()));
  }
  if (Result<void> done = formats_of(args, request.model); !done) return fail(std::move(done.error()));
  return request;
}

}  // namespace weft::cli
