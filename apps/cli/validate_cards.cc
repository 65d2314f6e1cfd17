#include "validate_cards.h"

#include <algorithm>
#include <map>
#include <set>

#include "weft/base/printable.h"
#include "weft/engine/closed/closed.h"
#include "weft/report/curve_plot.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using catalog::CalibrationSet;
using validate::FileScore;
using Files = std::vector<const FileScore*>;

constexpr std::size_t kMostCurves = 6;

std::string or_dash(const std::optional<double>& value) { return value ? percent(*value) : "-"; }

// The set that priced most of a file's rows.
std::string set_of_file(const FileScore& score) {
  std::map<std::string, int> rows;
  for (const validate::RowScore& row : score.rows) ++rows[engine::closed::set_of(row.predicted)];
  const auto most =
      std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == rows.end() ? "" : most->first;
}

std::string_view equation_of(const CalibrationSet& set) {
  if (set.has("hop_us"))
    return "tree: launch + rank g + 2 log2(m) hops hop(S) + F S / (share B); ring: launch + rank (n-m) + passes (m-1) "
           "hops hop(S/n) + F S / (share B), less what runs beside the transfer. The network's own numbers are a hop "
           "and "
           "the share of its rate; `between.toml` holds those that all networks share";
  return "t = launch + rank (n-1) + F S / b, b a rate or share x (1 - taper/n) of what the links give a GPU; broadcast "
         "and reduce + (n-2) min(fill_share S, fill_bytes) / b";
}

// Numbers by table: "all_reduce" -> "ll.launch_us = 6.1".
std::string constants_of(const CalibrationSet& set) {
  std::map<std::string, std::string> tables;
  for (const auto& [key, value] : set.values) {
    const std::size_t dot = key.find('.');
    std::string& table = tables[dot == std::string::npos ? "of the technology" : key.substr(0, dot)];
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    table += (table.empty() ? "" : ", ") + (dot == std::string::npos ? key : key.substr(dot + 1)) + " " + text;
  }
  std::string out = "| table | numbers (us, GB/s, shares) |\n|---|---|\n";
  for (const auto& [name, numbers] : tables) out += "| " + name + " | " + numbers + " |\n";
  return out;
}

std::string validity_of(const Files& files) {
  int fewest = files.front()->measurement->shape.ranks;
  int most = fewest;
  int servers = 1;
  Bytes smallest = files.front()->rows.front().size;
  Bytes largest = smallest;
  for (const FileScore* file : files) {
    fewest = std::min(fewest, file->measurement->shape.ranks);
    most = std::max(most, file->measurement->shape.ranks);
    servers = std::max(servers, file->measurement->shape.servers);
    for (const validate::RowScore& row : file->rows) {
      smallest = std::min(smallest, row.size);
      largest = std::max(largest, row.size);
    }
  }
  return "Held against groups of " + std::to_string(fewest) + " to " + std::to_string(most) + " GPUs on up to " +
         std::to_string(servers) + (servers == 1 ? " server" : " servers") + ", messages of " + human(smallest) +
         " to " + human(largest) + ". Beyond, it extrapolates.";
}

std::string errors_of(const Files& files) {
  std::map<std::string, std::vector<FileScore>> operations;
  for (const FileScore* file : files)
    operations[std::string(collective::name_of(*file->measurement->table.operation))].push_back(*file);
  const auto everything = [](const FileScore&) { return true; };
  std::string out = "| operation | files | median | p90 | from 16 MiB |\n|---|---|---|---|---|\n";
  for (const auto& [operation, scores] : operations) {
    const validate::Summary summary = validate::summarise(scores, everything);
    out += "| " + operation + " | " + std::to_string(summary.files) + " | " + or_dash(summary.median) + " | " +
           or_dash(summary.p90) + " | " + or_dash(summary.median_large) + " |\n";
  }
  return out;
}

// The longest tables, one of each operation and number of GPUs before a second of any.
Files shown_of(const Files& files) {
  Files sorted = files;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const FileScore* a, const FileScore* b) { return a->rows.size() > b->rows.size(); });
  Files shown;
  std::set<std::pair<collective::Operation, int>> kinds;
  for (const FileScore* file : sorted) {
    if (shown.size() < kMostCurves &&
        kinds.emplace(*file->measurement->table.operation, file->measurement->shape.ranks).second)
      shown.push_back(file);
  }
  return shown;
}

std::string picture_of(const CalibrationSet& set, const Files& files) {
  report::CurvePlot plot;
  plot.title = set.title;
  plot.subtitle = "lines: predicted by weft; dots: measured";
  int colour = 0;
  for (const FileScore* file : shown_of(files)) {
    const collective::Operation operation = *file->measurement->table.operation;
    const double factor = collective::bus_factor(operation, file->measurement->shape.ranks);
    const std::string name =
        std::string(collective::name_of(operation)) + ", " + std::to_string(file->measurement->shape.ranks) + " GPUs";
    report::CurveSeries predicted{name, {}, false, colour};
    report::CurveSeries measured{name + ", measured", {}, true, colour};
    ++colour;
    for (const validate::RowScore& row : file->rows) {
      const double bytes = static_cast<double>(row.size.count());
      predicted.points.push_back({bytes, bytes * factor / row.predicted.total.us() / 1e3});
      measured.points.push_back({bytes, bytes * factor / row.measured_us / 1e3});
    }
    plot.series.push_back(std::move(predicted));
    plot.series.push_back(std::move(measured));
  }
  return to_svg(plot);
}

std::string markdown_of(const CalibrationSet& set, const Files& files) {
  std::string out = "# Model card: " + set.title + " (`" + set.id + "`)\n\n";
  out +=
      "**Equation.** " + std::string(equation_of(set)) + ". Terms and symbols: [closed forms](../closed-form.md).\n\n";
  out += "**Constants** (`data/calibration/" + set.id + ".toml`, " + set.basis + " on " +
         std::to_string(set.fitted_on.size()) + " tables, which it lists";
  if (!set.library_before.empty()) out += "; for versions before " + set.library_before;
  out += ").\n\n" + constants_of(set) + "\n**Validity.** " + validity_of(files) + "\n\n";
  out += "**Error** over the tables below, |predicted - measured| / measured, median of each file's rows.\n\n" +
         errors_of(files) + "\n![busbw against message size](" + set.id + ".svg)\n\n";
  out += "Tables:";
  for (const FileScore* file : files)
    out += "\n- " + printable(formats::base_name(file->measurement->table)) + " (" + or_dash(file->median) +
           "): " + printable(file->measurement->table.source);
  return out + "\n";
}

}  // namespace

std::vector<ModelCard> model_cards(const Validation& validation, const catalog::Calibration& calibration) {
  std::map<std::string, Files> by_set;
  for (const FileScore& score : validation.counted) {
    if (score.median) by_set[set_of_file(score)].push_back(&score);
  }
  std::vector<ModelCard> cards;
  for (const auto& [id, files] : by_set) {
    const Result<const CalibrationSet*> set = calibration.set(id);
    if (set) cards.push_back({id, markdown_of(**set, files), picture_of(**set, files)});
  }
  return cards;
}

}  // namespace weft::cli
