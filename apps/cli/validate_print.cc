#include "validate_print.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "weft/base/printable.h"
#include "weft/report/table.h"
#include "weft/units/text.h"

namespace weft::cli {
namespace {

using report::Align;
using report::Cell;
using report::Tone;
using validate::FileScore;
using validate::Summary;

constexpr double kGood = 0.05;
constexpr double kPoor = 0.20;

Cell error_cell(const std::optional<double>& error) {
  if (!error) return Cell("-");
  const Tone tone = *error <= kGood ? Tone::good : *error >= kPoor ? Tone::bad : Tone::plain;
  return {percent(*error), tone};
}

struct Group {
  std::vector<double> all;
  std::vector<double> large;
};

std::map<std::string, Group> groups_of(const std::vector<FileScore>& scores) {
  std::map<std::string, Group> groups;
  for (const FileScore& score : scores) {
    if (!score.median) continue;
    Group& group = groups[score.group];
    group.all.push_back(*score.median);
    if (score.median_large) group.large.push_back(*score.median_large);
  }
  return groups;
}

report::Table group_table(const std::vector<FileScore>& scores) {
  report::Table table;
  table.title = "By link and operation";
  table.columns = {
      {"group", Align::left}, {"files", Align::right}, {"median", Align::right}, {"from 16 MiB", Align::right}};
  for (const auto& [name, group] : groups_of(scores)) {
    table.rows.push_back({Cell(name), Cell(std::to_string(group.all.size())),
                          error_cell(validate::quantile(group.all, 0.5)),
                          error_cell(validate::quantile(group.large, 0.5))});
  }
  return table;
}

std::string size_range(const FileScore& score) {
  if (score.rows.empty()) return "";
  return human(score.rows.front().size) + " - " + human(score.rows.back().size);
}

report::Table worst_table(const std::vector<FileScore>& scores, std::size_t count) {
  std::vector<const FileScore*> order;
  for (const FileScore& score : scores) {
    if (score.median) order.push_back(&score);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const FileScore* a, const FileScore* b) { return *a->median > *b->median; });
  order.resize(std::min(count, order.size()));
  report::Table table;
  table.title = "Files that miss by the most";
  table.columns = {{"file", Align::left, true},       {"sizes", Align::left},
                   {"median", Align::right},          {"from 16 MiB", Align::right},
                   {"most of the time", Align::left}, {"by the line", Align::left, true}};
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    const FileScore& score = **it;
    table.rows.push_back({Cell(printable(formats::base_name(score.measurement->table))), Cell(size_range(score)),
                          error_cell(score.median), error_cell(score.median_large), Cell(score.dominant_term),
                          Cell(score.dominant_line)});
  }
  return table;
}

std::vector<FileScore> healthy_of(const std::vector<FileScore>& scores) {
  std::vector<FileScore> healthy;
  for (const FileScore& score : scores) {
    if (score.healthy()) healthy.push_back(score);
  }
  return healthy;
}

report::Table left_out_table(const validate::LeaveOutResult& result) {
  report::Table table;
  table.title = "Refitted: to everything, and for each of " + std::to_string(result.sources) + " sources without it";
  table.columns = {{"", Align::left},     {"files", Align::right},       {"median", Align::right},
                   {"p90", Align::right}, {"from 16 MiB", Align::right}, {"p90", Align::right}};
  const auto row = [&](const char* name, const std::vector<FileScore>& scores) {
    const Summary s = summary_of(scores);
    table.rows.push_back({Cell(name), Cell(std::to_string(s.files)), error_cell(s.median), error_cell(s.p90),
                          error_cell(s.median_large), error_cell(s.p90_large)});
  };
  row("fitted with it", healthy_of(result.with));
  row("its source left out", healthy_of(result.without));
  return table;
}

std::string or_unknown(const std::optional<double>& value) { return value ? percent(*value, 2) : "unknown"; }

nlohmann::ordered_json number_or_null(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json file_json(const FileScore& score) {
  const formats::MeasuredTable& table = score.measurement->table;
  nlohmann::ordered_json json = {{"file", printable(table.file)},
                                 {"status", score.why_not.empty() ? "predicted" : "skipped"}};
  if (!score.why_not.empty()) json["why"] = printable(score.why_not);
  json["assumed"] = score.measurement->assumed;
  json["healthy"] = table.healthy == formats::Health::unknown
                        ? nlohmann::ordered_json(nullptr)
                        : nlohmann::ordered_json(table.healthy == formats::Health::yes);
  json["group"] = score.group;
  json["median_abs_error"] = number_or_null(score.median);
  json["median_abs_error_large"] = number_or_null(score.median_large);
  json["rows"] = score.rows.size();
  json["servers"] = score.measurement->shape.servers;
  json["ranks"] = score.measurement->shape.ranks;
  if (!score.dominant_term.empty()) json["dominant_term"] = score.dominant_term;
  if (!score.dominant_line.empty()) json["dominant_line"] = score.dominant_line;
  return json;
}

nlohmann::ordered_json summary_json(const std::vector<FileScore>& counted) {
  const Summary summary = summary_of(counted);
  return {{"files", summary.files},
          {"median_abs_error", number_or_null(summary.median)},
          {"median_abs_error_large", number_or_null(summary.median_large)},
          {"p90_abs_error", number_or_null(summary.p90)},
          {"p90_abs_error_large", number_or_null(summary.p90_large)}};
}

}  // namespace

void choose_counted(Validation& validation) {
  validation.counted = healthy_of(validation.scores);
  validation.healthy = !validation.counted.empty();
  if (validation.healthy) return;
  for (const FileScore& score : validation.scores) {
    if (score.measurement->table.healthy == formats::Health::unknown) validation.counted.push_back(score);
  }
}

Summary summary_of(const std::vector<FileScore>& counted) {
  return validate::summarise(counted, [](const FileScore&) { return true; });
}

report::Table summary_table(const Validation& validation) {
  report::Table table;
  table.title =
      validation.healthy
          ? "Error of healthy files: |predicted - measured| / measured, median of each file's rows"
          : "Error of all files, none of which says that it is healthy: |predicted - measured| / measured, median of "
            "each file's rows";
  table.columns = {{"", Align::left},     {"files", Align::right},       {"median", Align::right},
                   {"p90", Align::right}, {"from 16 MiB", Align::right}, {"p90", Align::right}};
  const auto row = [&](const char* name, bool (*wanted)(const FileScore&)) {
    const Summary summary = validate::summarise(validation.counted, wanted);
    table.rows.push_back({Cell(name), Cell(std::to_string(summary.files)), error_cell(summary.median),
                          error_cell(summary.p90), error_cell(summary.median_large), error_cell(summary.p90_large)});
  };
  row("single server", [](const FileScore& s) { return s.single_server(); });
  row("several servers", [](const FileScore& s) { return !s.single_server(); });
  row("all", [](const FileScore&) { return true; });
  return table;
}

void print_validation(const Validation& validation, std::size_t worst, Context& context) {
  const std::vector<FileScore>& scores = validation.scores;
  const auto predicted = static_cast<std::size_t>(
      std::count_if(scores.begin(), scores.end(), [](const FileScore& s) { return s.why_not.empty(); }));
  std::string sets;
  for (const std::string& set : validation.calibration) sets += (sets.empty() ? "" : ", ") + set;
  context.out << predicted << " of " << scores.size() << " files predicted; calibration " << sets << "\n\n"
              << to_text(summary_table(validation), context.style()) << '\n'
              << to_text(group_table(validation.counted), context.style()) << '\n';
  if (worst > 0) context.out << to_text(worst_table(validation.counted, worst), context.style()) << '\n';
  if (validation.left_out) context.out << to_text(left_out_table(*validation.left_out), context.style()) << '\n';
  if (validation.noise.pairs > 0) {
    context.out << "noise floor: " << or_unknown(validation.noise.all) << " over all sizes, "
                << or_unknown(validation.noise.large) << " from 16 MiB (" << validation.noise.pairs
                << " pairs of files that describe the same set-up)\n";
  }
  for (const FileScore& score : scores) {
    if (!score.why_not.empty())
      context.out << "skipped: " << printable(score.measurement->table.file) << ": " << printable(score.why_not)
                  << '\n';
  }
  for (const Error& error : validation.unreadable) context.err << error.to_string();
}

nlohmann::ordered_json validation_json(const Validation& validation) {
  const std::vector<FileScore>& scores = validation.scores;
  nlohmann::ordered_json document = {{"schema", "weft/validate/1"}, {"calibration", validation.calibration}};
  document["files"] = nlohmann::ordered_json::array();
  int skipped = 0;
  for (const FileScore& score : scores) {
    document["files"].push_back(file_json(score));
    skipped += score.why_not.empty() ? 0 : 1;
  }
  document["groups"] = nlohmann::ordered_json::array();
  for (const auto& [name, group] : groups_of(validation.counted)) {
    document["groups"].push_back({{"group", name},
                                  {"files", group.all.size()},
                                  {"median_abs_error", number_or_null(validate::quantile(group.all, 0.5))},
                                  {"median_abs_error_large", number_or_null(validate::quantile(group.large, 0.5))}});
  }
  nlohmann::ordered_json summary = {{"predicted", static_cast<int>(scores.size()) - skipped},
                                    {"skipped", skipped},
                                    {"counted", validation.healthy ? "healthy" : "not stated"}};
  const nlohmann::ordered_json figures = summary_json(validation.counted);
  for (const char* key :
       {"files", "median_abs_error", "median_abs_error_large", "p90_abs_error", "p90_abs_error_large"})
    summary[key] = figures.at(key);
  summary["noise_floor"] = number_or_null(validation.noise.all);
  summary["noise_floor_large"] = number_or_null(validation.noise.large);
  document["summary"] = std::move(summary);
  if (validation.left_out) {
    document["leave_out"] = {{"what", "source"},
                             {"sources", validation.left_out->sources},
                             {"fitted", summary_json(healthy_of(validation.left_out->with))},
                             {"left_out", summary_json(healthy_of(validation.left_out->without))}};
  }
  document["unreadable"] = nlohmann::ordered_json::array();
  for (const Error& error : validation.unreadable)
    document["unreadable"].push_back({{"id", error.id}, {"file", printable(error.where.file)}, {"why", error.message}});
  return document;
}

}  // namespace weft::cli
