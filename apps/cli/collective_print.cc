#include "collective_print.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "weft/base/printable.h"
#include "weft/report/curve_plot.h"
#include "weft/report/table.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using collective::Operation;
using report::Align;
using report::Cell;

constexpr int kElement = 4;  // bytes of a float, nccl-tests' default type

bool reduces(Operation operation) {
  return operation == Operation::all_reduce || operation == Operation::reduce_scatter || operation == Operation::reduce;
}

bool rooted(Operation operation) {
  return operation == Operation::broadcast || operation == Operation::reduce || operation == Operation::gather ||
         operation == Operation::scatter;
}

// Elements of one rank, as nccl-tests counts them.
std::int64_t count_of(Operation operation, Bytes size, int ranks) {
  const bool shared = operation == Operation::all_gather || operation == Operation::reduce_scatter ||
                      operation == Operation::all_to_all || operation == Operation::gather ||
                      operation == Operation::scatter;
  return size.count() / kElement / (shared ? std::max(1, ranks) : 1);
}

// As many digits as nccl-tests gives a time.
std::string time_text(double us) {
  if (us < 100) return fmt::format("{:.2f}", us);
  return us < 10'000 ? fmt::format("{:.1f}", us) : fmt::format("{:.0f}", us);
}

std::string half_row(const CollectiveRow& row) {
  return fmt::format("  {:>7}  {:>6.2f}  {:>6.2f}  {:>5}", time_text(row.cost.total.us()), row.algbw, row.busbw, "N/A");
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

}  // namespace

void print_run(const CollectiveRun& run, Context& context) {
  const Operation operation = run.call.operation;
  std::ostream& out = context.out;
  out << "# weft collective " << collective::name_of(operation) << ": predicted, not measured\n"
      << "# cluster " << printable(run.cluster) << ", " << run.shape.ranks << " ranks on " << run.shape.servers
      << (run.shape.servers == 1 ? " server" : " servers") << ", library " << collective::to_text(run.library)
      << ", launch " << collective::name_of(run.call.launch) << '\n'
      << "# calibration " << joined(run.calibration) << '\n';
  for (const std::string& assumed : run.assumed) out << "# assumed: " << printable(assumed) << '\n';
  out << "#\n"
      << "#                                                              out-of-place                       in-place   "
         "       \n"
      << "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   "
         "busbw #wrong\n"
      << "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  "
         "(GB/s)       \n";
  double sum = 0;
  for (const CollectiveRow& row : run.rows) {
    out << fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}", row.size.count(),
                       count_of(operation, row.size, run.shape.ranks), "float", reduces(operation) ? "sum" : "none",
                       rooted(operation) ? 0 : -1)
        << half_row(row) << half_row(row) << '\n';
    sum += row.busbw;
  }
  out << "# Out of bounds values : 0 OK\n"
      << fmt::format("# Avg bus bandwidth    : {:g} \n#\n",
                     run.rows.empty() ? 0 : sum / static_cast<double>(run.rows.size()));
}

void print_terms(const CollectiveRun& run, Context& context) {
  report::Table table;
  table.title = "What the time is made of (us)";
  table.columns = {{"size", Align::right},    {"time", Align::right},     {"launch", Align::right},
                   {"latency", Align::right}, {"transfer", Align::right}, {"fill", Align::right},
                   {"by", Align::left},       {"channels", Align::right}, {"line", Align::left}};
  for (const CollectiveRow& row : run.rows) {
    const engine::Terms& terms = row.cost.terms;
    table.rows.push_back({Cell(human(row.size)), Cell(time_text(row.cost.total.us())),
                          Cell(time_text(terms.launch.us())), Cell(time_text(terms.latency.us())),
                          Cell(time_text(terms.transfer.us())),
                          Cell(terms.fill.us() > 0 ? time_text(terms.fill.us()) : "-"),
                          Cell(std::string(collective::name_of(row.cost.algorithm)) + "/" +
                               std::string(collective::name_of(row.cost.protocol))),
                          Cell(row.cost.channels > 0 ? std::to_string(row.cost.channels) : "-"), Cell(row.cost.line)});
  }
  table.notes = {"line: calibration set, table and line that gave the time (data/calibration holds their numbers)"};
  if (!run.rows.empty() && run.rows.front().cost.host.us() > 0) {
    table.notes.push_back("one process launches on all GPUs of a server, one after another: " +
                          time_text(run.rows.front().cost.host.us()) +
                          " us on the host; no collective is faster than that");
  }
  context.out << '\n' << to_text(table, context.style());
}

nlohmann::ordered_json run_json(const CollectiveRun& run) {
  nlohmann::ordered_json json = {{"schema", "weft/collective/1"},
                                 {"op", collective::name_of(run.call.operation)},
                                 {"ranks", run.shape.ranks},
                                 {"library", collective::to_text(run.library)},
                                 {"cluster", printable(run.cluster)},
                                 {"servers", run.shape.servers},
                                 {"launch", collective::name_of(run.call.launch)},
                                 {"engine", "closed"},
                                 {"calibration", run.calibration},
                                 {"assumed", run.assumed}};
  json["rows"] = nlohmann::ordered_json::array();
  for (const CollectiveRow& row : run.rows) {
    const engine::Terms& terms = row.cost.terms;
    json["rows"].push_back({{"size_bytes", row.size.count()},
                            {"time_us", row.cost.total.us()},
                            {"algbw_gbytes_per_s", row.algbw},
                            {"busbw_gbytes_per_s", row.busbw},
                            {"algorithm", collective::name_of(row.cost.algorithm)},
                            {"protocol", collective::name_of(row.cost.protocol)},
                            {"channels", row.cost.channels},
                            {"line", row.cost.line},
                            {"host_us", row.cost.host.us()},
                            {"terms",
                             {{"launch_us", terms.launch.us()},
                              {"latency_us", terms.latency.us()},
                              {"transfer_us", terms.transfer.us()},
                              {"fill_us", terms.fill.us()}}}});
  }
  return json;
}

std::string run_plot(std::span<const CollectiveRun> runs, std::span<const intake::Measurement> measured) {
  report::CurvePlot plot;
  if (!runs.empty())
    plot.title = std::string(collective::name_of(runs.front().call.operation)) + ": bus bandwidth by message size";
  plot.subtitle = "lines: predicted by weft" + std::string(measured.empty() ? "" : "; dots: measured");
  for (const CollectiveRun& run : runs) {
    report::CurveSeries series{
        run.cluster + ", " + std::to_string(run.shape.ranks) + " ranks, " + collective::to_text(run.library),
        {},
        false,
        -1};
    for (const CollectiveRow& row : run.rows)
      series.points.push_back({static_cast<double>(row.size.count()), row.busbw});
    plot.series.push_back(std::move(series));
  }
  for (const intake::Measurement& each : measured) {
    if (!each.table.operation) continue;
    report::CurveSeries series{std::string(formats::base_name(each.table)), {}, true, -1};
    const double factor = collective::bus_factor(*each.table.operation, std::max(2, each.shape.ranks));
    for (const formats::MeasuredRow& row : each.table.rows) {
      const double bytes = static_cast<double>(row.size.count());
      series.points.push_back({bytes, bytes * factor / row.time_us / 1e3});
    }
    plot.series.push_back(std::move(series));
  }
  return to_svg(plot);
}

}  // namespace weft::cli
