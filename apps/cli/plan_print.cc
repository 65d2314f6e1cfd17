#include "plan_print.h"

#include <algorithm>
#include <ostream>

#include "weft/base/printable.h"
#include "weft/catalog/model_rules.h"
#include "weft/llm/parameters.h"
#include "weft/plan/launch.h"
#include "weft/report/table.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using plan::Candidate;
using plan::Verdict;
using report::Align;
using report::Cell;
using report::Tone;

Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::recommended:
      return Tone::good;
    case Verdict::usable:
      return Tone::plain;
    case Verdict::discouraged:
      return Tone::warn;
    default:
      return Tone::bad;
  }
}

std::string link_cell(const Candidate& candidate) {
  std::string text;
  for (const plan::AxisCost& axis : candidate.axes) {
    if (axis.time.count() == 0) continue;
    text += (text.empty() ? "" : ", ") + std::string(llm::name_of(axis.axis)) + " " + axis.link;
  }
  return text.empty() ? "nothing to send" : text;
}

// An axis of the table; all but the first three are shown where some candidate uses them.
struct AxisColumn {
  std::string name;
  int (*of)(const plan::Spread&);
  bool always;
};
const std::vector<AxisColumn>& axis_columns() {
  static const std::vector<AxisColumn> columns = {
      {"tp", [](const plan::Spread& spread) { return spread.parallelism.tp; }, true},
      {"pp", [](const plan::Spread& spread) { return spread.parallelism.pp; }, true},
      {"dp", [](const plan::Spread& spread) { return spread.dp(); }, true},
      {"attn-dp", [](const plan::Spread& spread) { return spread.parallelism.attention_dp; }, false},
      {"ep", [](const plan::Spread& spread) { return spread.parallelism.ep; }, false},
      {"cp", [](const plan::Spread& spread) { return spread.parallelism.cp; }, false}};
  return columns;
}

std::vector<AxisColumn> used_axes(const std::vector<Candidate>& candidates, std::size_t shown) {
  std::vector<AxisColumn> used;
  for (const AxisColumn& column : axis_columns()) {
    const bool cut = std::any_of(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(shown),
                                 [&](const Candidate& candidate) { return column.of(candidate.spread) > 1; });
    if (column.always || cut) used.push_back(column);
  }
  return used;
}

std::vector<Cell> row_of(std::size_t rank, const Candidate& candidate, const std::vector<AxisColumn>& axes) {
  const bool timed = candidate.tpot.count() > 0;
  std::vector<Cell> row = {Cell(std::to_string(rank))};
  for (const AxisColumn& axis : axes) row.emplace_back(std::to_string(axis.of(candidate.spread)));
  row.insert(row.end(), {Cell(timed ? human(candidate.ttft) : ""), Cell(timed ? human(candidate.tpot) : ""),
                         Cell(candidate.fits ? significant(candidate.tokens_per_s_per_gpu, 3) : ""),
                         Cell(timed ? percent(candidate.communication / candidate.step()) : ""),
                         Cell(human(candidate.memory.total())), Cell(link_cell(candidate)),
                         Cell(std::string(plan::name_of(candidate.verdict)), tone_of(candidate.verdict))});
  return row;
}

void print_table(const PlanView& view, Context& context) {
  const std::size_t shown = std::min(view.top, view.plan.candidates.size());
  const std::vector<AxisColumn> axes = used_axes(view.plan.candidates, shown);
  report::Table table;
  table.columns = {{"#", Align::right}};
  for (const AxisColumn& axis : axes) table.columns.push_back({axis.name, Align::right});
  table.columns.insert(table.columns.end(), {{"ttft", Align::right},
                                             {"tpot", Align::right},
                                             {"tok/s/GPU", Align::right},
                                             {"comm", Align::right},
                                             {"memory", Align::right},
                                             {"over", Align::left, true},
                                             {"verdict", Align::left}});
  for (std::size_t i = 0; i < shown; ++i) table.rows.push_back(row_of(i + 1, view.plan.candidates[i], axes));
  if (shown < view.plan.candidates.size())
    table.notes.push_back(std::to_string(view.plan.candidates.size() - shown) + " more; --top N or --json shows them");
  table.notes.emplace_back(
      "verdict: the share of a token that communication takes: up to 15 % recommended, 35 % usable, 65 % discouraged, "
      "above unusable");
  context.out << to_text(table, context.style());
}

Tone tone_of(rules::State state) {
  return state == rules::State::ok ? Tone::good : state == rules::State::broken ? Tone::bad : Tone::warn;
}

void print_checklist(const PlanView& view, Context& context) {
  report::Table table;
  table.title = "Checklist";
  table.columns = {
      {"rule", Align::left}, {"state", Align::left}, {"breaking it costs", Align::right}, {"why", Align::left, true}};
  for (const rules::ChecklistItem& item : view.plan.checklist) {
    const std::string cost = item.cost.count() > 0 ? human(item.cost) + " (" + percent(item.cost_fraction) + ")" : "-";
    table.rows.push_back(
        {Cell(item.id), Cell(std::string(name_of(item.state)), tone_of(item.state)), Cell(cost), Cell(item.why)});
  }
  table.notes.emplace_back("costs are per decode step; the fraction is of the step above");
  context.out << '\n' << to_text(table, context.style());
}

std::string number_or_dash(std::uint32_t value) {
  return value == fabric::Fabric::kNoDomain ? "-" : std::to_string(value);
}

void print_ranks(const PlanView& view, Context& context) {
  report::Table table;
  table.title = "Ranks of the first";
  table.columns = {{"rank", Align::right},          {"server", Align::right}, {"gpu", Align::right},
                   {"NVLink domain", Align::right}, {"leaf", Align::right},   {"rack", Align::right}};
  for (const plan::RankPlace& place : view.plan.rank_map) {
    table.rows.push_back({Cell(std::to_string(place.rank)), Cell(std::to_string(place.server)),
                          Cell(std::to_string(place.gpu)), Cell(number_or_dash(place.nvlink_domain)),
                          Cell(number_or_dash(place.leaf)), Cell(std::to_string(place.rack))});
  }
  context.out << '\n' << to_text(table, context.style());
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string load_text(const plan::PlanRequest& request) {
  const plan::ServingWorkload& workload = request.workload;
  std::string text = workload.rate          ? significant(*workload.rate, 3) + " requests a second"
                     : workload.fill_memory ? "as many sequences in flight as memory holds"
                                            : std::to_string(workload.concurrency) + " sequences in flight";
  if (!request.slo.given()) return text;
  if (!request.load_given) text = "as many sequences in flight as the limits let";
  if (request.slo.ttft) text += ", ttft up to " + human(*request.slo.ttft);
  if (request.slo.tpot) text += ", tpot up to " + human(*request.slo.tpot);
  return text;
}

// Formats that differ from the model's own.
std::string formats_text(const PlanView& view) {
  const catalog::ModelShape& own = view.model.shape;
  const catalog::ModelShape& used = view.request.model;
  std::string text;
  if (used.weights != own.weights) text += ", " + std::string(catalog::name_of(used.weights)) + " weights";
  if (used.kv_cache != own.kv_cache) text += ", " + std::string(catalog::name_of(used.kv_cache)) + " KV cache";
  return text;
}

void print_head(const PlanView& view, Context& context) {
  const catalog::ModelShape& model = view.request.model;
  const double billions = static_cast<double>(llm::count_parameters(model).total()) / 1e9;
  context.out << printable(model.id) << " (" << significant(billions, 4) << " B parameters, " << model.layers
              << " layers) on " << printable(view.cluster.cluster.name) << ": " << view.plan.gpus << " x "
              << view.plan.gpu << " in " << view.plan.servers << (view.plan.servers == 1 ? " server\n" : " servers\n");
  context.out << "prompt " << view.request.workload.prompt << ", output " << view.request.workload.output << ", "
              << load_text(view.request) << formats_text(view) << "; calibration " << joined(view.plan.calibration)
              << "\n\n";
}

// "  - text", going on under the text where the line is full.
std::string list_item(const std::string& text, std::size_t width) {
  std::string item = "  -";
  std::size_t column = item.size();
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t next = std::min(text.find(' ', at), text.size());
    if (column + 1 + next - at > width) {
      item += "\n   ";
      column = 3;
    }
    item += ' ' + text.substr(at, next - at);
    column += 1 + next - at;
    at = next + 1;
  }
  return item + '\n';
}

// A command over several lines that a shell reads as one; broken before options only, so quoted names stay whole.
std::string wrapped_command(const std::string& line, std::size_t width) {
  std::string text;
  std::size_t column = 0;
  std::size_t at = 0;
  while (at < line.size()) {
    const std::size_t next = std::min(line.find(" --", at + 1), line.size());
    if (column > 0 && column + next - at > width) {
      text += " \\\n     ";
      column = 4;
    }
    text += line.substr(at, next - at);
    column += next - at;
    at = next;
  }
  return text;
}

}  // namespace

void print_plan(const PlanView& view, Context& context) {
  const Candidate& best = view.plan.candidates.front();
  print_head(view, context);
  print_table(view, context);
  const std::string which = "tp " + std::to_string(best.spread.parallelism.tp) + ", pp " +
                            std::to_string(best.spread.parallelism.pp) + ", dp " + std::to_string(best.spread.dp());
  context.out << (best.fits ? "\nWhy " + which + " comes first:\n"
                            : "\nNothing fits. What comes nearest, " + which + ":\n");
  for (const std::string& reason : best.reasons) context.out << list_item(printable(reason), 100);
  print_checklist(view, context);
  if (!best.fits) return;
  const plan::Launch launch = plan::launch_lines(view.request, best, view.plan);
  context.out << "\nStart it:\n";
  for (const std::string& line : {launch.vllm, launch.sglang, launch.trtllm})
    context.out << "  " << (line.starts_with('#') ? line : wrapped_command(line, 92)) << '\n';
  for (const std::string& note : launch.notes) context.out << "  # " << note << '\n';
  for (const plan::EnvironmentSetting& setting : launch.nccl_env)
    context.out << "  " << setting.name << '=' << setting.value << "   # " << setting.why << '\n';
  if (view.rank_map) print_ranks(view, context);
}

}  // namespace weft::cli
