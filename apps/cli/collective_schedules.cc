#include "collective_schedules.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "weft/collective/checker.h"
#include "weft/collective/schedule_cost.h"
#include "weft/report/table.h"

namespace weft::cli {
namespace {

constexpr int kMostCheckedRanks = 16'384;
constexpr int kPieces = 8;  // that pipelined chains and trees are cut into here

struct Row {
  collective::Algorithm algorithm;
  std::string why_not;  // "" = there is one
  collective::ScheduleCost cost;
  std::string checked;  // "right", "not checked", or what is wrong
};

Row row_of(const CollectiveRun& run, collective::Algorithm algorithm) {
  Row row{algorithm, "", {}, ""};
  const bool even = run.shape.most_ranks_per_server == run.shape.fewest_ranks_per_server;
  const bool one_switch = algorithm == collective::Algorithm::nvls || algorithm == collective::Algorithm::multimem;
  if (one_switch && run.shape.servers > 1) {
    row.why_not = "its switches join one server";
    return row;
  }
  if (collective::heeds_servers(algorithm) && !even) {
    row.why_not = "servers of different size";
    return row;
  }
  const Result<collective::Schedule> schedule = collective::make_schedule(
      run.call.operation, algorithm, {run.shape.ranks, run.shape.most_ranks_per_server, 0, kPieces});
  if (!schedule) {
    row.why_not = schedule.error().message;
    return row;
  }
  row.cost = collective::cost_of(*schedule);
  const std::string fault = run.shape.ranks > kMostCheckedRanks ? "not checked" : collective::check_schedule(*schedule);
  row.checked = fault.empty() ? "right" : fault;
  return row;
}

std::vector<Row> rows_of(const CollectiveRun& run) {
  std::vector<Row> rows;
  for (const collective::Algorithm algorithm : collective::algorithms_for(run.call.operation))
    rows.push_back(row_of(run, algorithm));
  return rows;
}

}  // namespace

void print_schedules(const CollectiveRun& run, Context& context) {
  using report::Align;
  using report::Cell;
  report::Table table;
  table.title = "Schedules of " + std::string(collective::name_of(run.call.operation)) + " over " +
                std::to_string(run.shape.ranks) + " ranks";
  table.columns = {{"algorithm", Align::left}, {"steps", Align::right},       {"sent", Align::right},
                   {"received", Align::right}, {"on the path", Align::right}, {"checked", Align::left}};
  const auto share = [](double of) { return fmt::format("{:.3f} S", of); };
  for (const Row& row : rows_of(run)) {
    const std::string name(collective::name_of(row.algorithm));
    if (!row.why_not.empty()) {
      table.rows.push_back({Cell(name), Cell("-"), Cell("-"), Cell("-"), Cell("-"), Cell(row.why_not)});
      continue;
    }
    table.rows.push_back({Cell(name), Cell(std::to_string(row.cost.steps)), Cell(share(row.cost.sent_share)),
                          Cell(share(row.cost.received_share)), Cell(share(row.cost.path_share)), Cell(row.checked)});
  }
  table.notes = {
      "sent, received: the most of any rank, of a buffer of S; on an ideal network it takes steps x latency + "
      "what is on the path / rate",
      "chains (ring broadcast and reduce) and trees in " + std::to_string(kPieces) + " pieces",
      "checked: run step by step on the contributions of every rank, or of one rank of each class"};
  context.out << '\n' << to_text(table, context.style());
}

nlohmann::ordered_json schedules_json(const CollectiveRun& run) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows_of(run)) {
    nlohmann::ordered_json json = {{"algorithm", collective::name_of(row.algorithm)}};
    if (!row.why_not.empty()) {
      json["why_not"] = row.why_not;
    } else {
      json["steps"] = row.cost.steps;
      json["sent_share"] = row.cost.sent_share;
      json["received_share"] = row.cost.received_share;
      json["path_share"] = row.cost.path_share;
      json["checked"] = row.checked;
    }
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace weft::cli
