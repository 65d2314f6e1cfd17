#include "weft/plan/compare.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "calibrated.h"
#include "commands.h"
#include "model_argument.h"
#include "weft/base/printable.h"
#include "weft/llm/arithmetic.h"
#include "weft/report/table.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using report::Align;
using report::Cell;
using report::Tone;

Tone tone_of(plan::Verdict verdict) {
  switch (verdict) {
    case plan::Verdict::recommended:
      return Tone::good;
    case plan::Verdict::usable:
      return Tone::plain;
    case plan::Verdict::discouraged:
      return Tone::warn;
    default:
      return Tone::bad;
  }
}

std::string in_us(Duration low, const std::optional<Duration>& high) {
  return significant(low.us()) + (high ? "-" + significant(high->us()) : "");
}

Cell verdict_cell(plan::Verdict verdict) { return {std::string(plan::name_of(verdict)), tone_of(verdict)}; }

report::Table physics_table(const plan::Comparison& comparison, const plan::CompareRequest& request) {
  report::Table table;
  table.title = printable(request.model.id) + ", tensor parallelism over " + std::to_string(request.tp) +
                " GPUs, batch " + std::to_string(request.batch) + ": one token";
  table.columns = {{"interconnect", Align::left}, {"layout", Align::left},   {"message", Align::right},
                   {"all-reduces", Align::right}, {"each us", Align::right}, {"total us", Align::right},
                   {"of a token", Align::right},  {"by", Align::left},       {"verdict", Align::left},
                   {"note", Align::left, true}};
  for (const plan::CompareRow& row : comparison.rows) {
    table.rows.push_back({Cell(row.interconnect), Cell(row.layout), Cell(human(row.bytes)),
                          Cell(std::to_string(row.all_reduces)), Cell(in_us(row.all_reduce, row.all_reduce_high)),
                          Cell(in_us(row.total, row.total_high)), Cell(percent(row.share_of_token)),
                          Cell(row.algorithm), verdict_cell(row.verdict), Cell(row.note)});
  }
  table.notes.emplace_back("computing takes " + human(comparison.compute) + " of a token in every row (" + request.gpu +
                           ")");
  table.notes.emplace_back(
      "verdict: the share of a token that communication takes: up to 15 % recommended, 35 % usable, 65 % discouraged, "
      "above unusable");
  return table;
}

report::Table thumb_table(const plan::Comparison& comparison, const catalog::ModelShape& model) {
  report::Table table;
  table.title = "Rule of thumb for " + printable(model.id) + ": " + std::to_string(model.layers) +
                " layers, one all-reduce each, as quoted";
  table.columns = {{"interconnect", Align::left}, {"each us", Align::right},      {"all-reduces", Align::right},
                   {"total us", Align::right},    {"to the first", Align::right}, {"verdict", Align::left}};
  for (const plan::CompareRow& row : comparison.rows) {
    table.rows.push_back({Cell(row.interconnect), Cell(in_us(row.all_reduce, row.all_reduce_high)),
                          Cell(std::to_string(row.all_reduces)), Cell(in_us(row.total, row.total_high)),
                          Cell("x " + significant(row.share_of_token, 3)), verdict_cell(row.verdict)});
  }
  table.notes.emplace_back(
      "verdict by ratio to the first row: up to 1.25 recommended, 2 usable, 10 discouraged, above unusable; a range is "
      "judged by its upper end");
  table.notes.emplace_back("without --rule-of-thumb: two all-reduces a layer, computed for this message and group");
  return table;
}

nlohmann::ordered_json row_json(const plan::CompareRow& row) {
  nlohmann::ordered_json json = {{"interconnect", row.interconnect},     {"layout", row.layout},
                                 {"bytes", row.bytes.count()},           {"all_reduces_per_token", row.all_reduces},
                                 {"all_reduce_us", row.all_reduce.us()}, {"total_us", row.total.us()}};
  if (row.all_reduce_high) json["all_reduce_high_us"] = row.all_reduce_high->us();
  if (row.total_high) json["total_high_us"] = row.total_high->us();
  json["share_of_token"] = row.share_of_token;
  json["verdict"] = plan::name_of(row.verdict);
  if (!row.algorithm.empty()) json["algorithm"] = row.algorithm;
  if (!row.note.empty()) json["note"] = row.note;
  return json;
}

std::string_view name_of(llm::ArithmeticPart part) {
  switch (part) {
    case llm::ArithmeticPart::as_quoted:
      return "as quoted";
    case llm::ArithmeticPart::by_hand:
      return "by hand, this model";
    default:
      return "in truth";
  }
}

std::vector<llm::ArithmeticRow> arithmetic_of(const plan::Comparison& comparison, const plan::CompareRequest& request) {
  llm::ArithmeticQuestion question;
  question.tp = request.tp;
  question.tokens = request.batch;
  question.all_reduce_latency = comparison.rows.front().all_reduce;
  question.steps_per_s = 1 / (comparison.compute + comparison.rows.front().total).seconds();
  return llm::tensor_parallel_arithmetic(request.model, question);
}

void print_arithmetic(const std::vector<llm::ArithmeticRow>& rows, const plan::Comparison& comparison,
                      Context& context) {
  report::Table table;
  table.title = "The sum that is done by hand, and the true one (over " + comparison.rows.front().interconnect + ")";
  table.columns = {{"", Align::left}, {"", Align::left, true}, {"formula", Align::left, true}, {"value", Align::right}};
  std::string_view last;
  for (const llm::ArithmeticRow& row : rows) {
    const std::string_view part = name_of(row.part);
    if (!last.empty() && part != last) table.rows.emplace_back();
    table.rows.push_back(
        {Cell(part == last ? std::string() : std::string(part)), Cell(row.label), Cell(row.formula), Cell(row.value)});
    last = part;
  }
  context.out << to_text(table, context.style()) << '\n';
}

nlohmann::ordered_json arithmetic_json(const std::vector<llm::ArithmeticRow>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const llm::ArithmeticRow& row : rows) {
    list.push_back({{"part", name_of(row.part)},
                    {"key", row.key},
                    {"label", row.label},
                    {"formula", row.formula},
                    {"value", row.value},
                    {"number", row.number}});
  }
  return list;
}

Result<int> run_compare(const Args& args, Context& context) {
  Result<intake::ModelInput> model = load_model(args, context);
  if (!model) return fail(std::move(model.error()));
  Result<const catalog::Catalog*> catalog = context.catalog();
  if (!catalog) return fail(std::move(catalog.error()));
  Result<catalog::Calibration> calibration = load_calibration(args, context);
  if (!calibration) return fail(std::move(calibration.error()));
  plan::CompareRequest request;
  request.model = model->shape;
  request.tp = static_cast<int>(args.integer("--tp"));
  request.batch = args.integer("--batch");
  request.context = args.integer("--context");
  request.gpu = args.text("--gpu");
  const bool thumb = args.flag("--rule-of-thumb");
  Result<plan::Comparison> comparison =
      thumb ? plan::rule_of_thumb(request.model) : plan::compare_interconnects(**catalog, *calibration, request);
  if (!comparison) return fail(std::move(comparison.error()));
  for (const std::string& file : args.list("--calibration")) comparison->calibration.push_back(file);
  const bool arithmetic = args.flag("--show-arithmetic") && !thumb;
  context.say_assumed(comparison->assumed);
  if (context.json) {
    nlohmann::ordered_json document = {{"schema", "weft/compare/1"}, {"model", request.model.id},
                                       {"tp", request.tp},           {"batch", request.batch},
                                       {"rule_of_thumb", thumb},     {"compute_us", comparison->compute.us()}};
    document["calibration"] = comparison->calibration;
    document["assumed"] = model->assumed;
    for (const std::string& assumed : comparison->assumed) document["assumed"].push_back(assumed);
    document["rows"] = nlohmann::ordered_json::array();
    for (const plan::CompareRow& row : comparison->rows) document["rows"].push_back(row_json(row));
    if (arithmetic) document["arithmetic"] = arithmetic_json(arithmetic_of(*comparison, request));
    context.write_json(document);
    return 0;
  }
  if (arithmetic) print_arithmetic(arithmetic_of(*comparison, request), *comparison, context);
  context.out << to_text(thumb ? thumb_table(*comparison, request.model) : physics_table(*comparison, request),
                         context.style());
  return 0;
}

}  // namespace

const Command& compare_command() {
  static const Command command{
      .name = "compare",
      .summary = "the same tensor-parallel group over each interconnect",
      .description =
          "What one all-reduce costs over NVLink, xGMI, PCIe, InfiniBand, RoCE, iWARP and TCP, what a token pays for "
          "all of its "
          "layers, and what share of the token that is. Layouts are servers x GPUs: 1x8 inside a server, 2x4 and 8x1 "
          "over "
          "a network. Every row computes on the same GPU.",
      .positionals = {model_positional()},
      .options = {{.name = "--tp",
                   .value = "N",
                   .type = ValueType::integer,
                   .default_text = "8",
                   .least = 1,
                   .most = 1024,
                   .help = "GPUs in the group"},
                  {.name = "--batch",
                   .value = "N",
                   .type = ValueType::integer,
                   .default_text = "1",
                   .least = 1,
                   .most = 1'000'000,
                   .help = "sequences that decode together"},
                  {.name = "--context",
                   .value = "N",
                   .type = ValueType::integer,
                   .default_text = "2048",
                   .least = 1,
                   .most = 10'000'000,
                   .help = "tokens each has in its cache"},
                  {.name = "--gpu",
                   .value = "PART",
                   .default_text = "h100-sxm5",
                   .offer = Offer::parts,
                   .help = "the GPU that computes in every row"},
                  calibration_option(),
                  {.name = "--rule-of-thumb",
                   .type = ValueType::flag,
                   .help = "the table that planners quote: one all-reduce a layer, quoted latencies"},
                  {.name = "--show-arithmetic",
                   .type = ValueType::flag,
                   .help = "also the sum that is done by hand, beside the true one"}},
      .examples = {{.arguments = "compare llama-3.1-70b --tp 8", .what = "computed"},
                   {.arguments = "compare llama-3.1-70b --rule-of-thumb", .what = "as quoted"},
                   {.arguments = "compare llama-3.1-8b --tp 4 --show-arithmetic", .what = "with the sum by hand"}},
      .run = run_compare,
  };
  return command;
}

}  // namespace weft::cli
