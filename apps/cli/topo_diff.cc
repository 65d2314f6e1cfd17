#include <nlohmann/json.hpp>
#include <ostream>

#include "cluster_argument.h"
#include "topo.h"
#include "weft/base/printable.h"
#include "weft/fabric/diff.h"

namespace weft::cli {
namespace {

using fabric::Difference;

constexpr std::size_t kMostLines = 200;

std::string_view word_of(Difference::Kind kind) {
  switch (kind) {
    case Difference::Kind::only_in_first:
      return "only_in_first";
    case Difference::Kind::only_in_second:
      return "only_in_second";
    case Difference::Kind::changed:
      break;
  }
  return "changed";
}

std::string line_of(const Difference& difference) {
  switch (difference.kind) {
    case Difference::Kind::only_in_first:
      return "- " + difference.what + ": " + difference.first;
    case Difference::Kind::only_in_second:
      return "+ " + difference.what + ": " + difference.second;
    case Difference::Kind::changed:
      break;
  }
  return "~ " + difference.what + ": " + difference.first + " -> " + difference.second;
}

Result<int> run_diff(const Args& args, Context& context) {
  const Result<intake::ClusterInput> first = load_cluster(args, context, "CLUSTER");
  if (!first) return fail(first.error());
  const Result<intake::ClusterInput> second = load_cluster(args, context, "OTHER");
  if (!second) return fail(second.error());
  const std::vector<Difference> differences = diff(first->cluster.fabric, second->cluster.fabric);
  const int status = differences.empty() ? 0 : 1;
  if (context.json) {
    nlohmann::ordered_json document = {{"schema", "weft/topo/1"}, {"view", "diff"}};
    document["first"] = cluster_json(*first);
    document["second"] = cluster_json(*second);
    std::vector<std::string> assumed = first->cluster.assumed;
    assumed.insert(assumed.end(), second->cluster.assumed.begin(), second->cluster.assumed.end());
    document["assumed"] = assumed;
    document["same"] = differences.empty();
    document["differences"] = nlohmann::ordered_json::array();
    for (const Difference& difference : differences) {
      document["differences"].push_back({{"kind", word_of(difference.kind)},
                                         {"what", difference.what},
                                         {"first", difference.first},
                                         {"second", difference.second}});
    }
    context.write_json(document);
    return status;
  }
  if (differences.empty()) {
    context.out << "the same: " << first->cluster.fabric.device_count() << " devices, "
                << first->cluster.fabric.cable_count() << " cables\n";
    return status;
  }
  std::size_t shown = 0;
  for (const Difference& difference : differences) {
    if (++shown > kMostLines) break;
    context.out << printable(line_of(difference)) << '\n';
  }
  if (differences.size() > kMostLines) {
    context.out << differences.size() - kMostLines << " more differences; --json gives them all\n";
  }
  return status;
}

}  // namespace

Command topo_diff_command() {
  return {
      .name = "diff",
      .summary = "how two clusters differ, device by device and link by link",
      .description =
          "- stands before what only the first has, + before what only the second has, ~ before what changed. Devices "
          "are "
          "matched by weft's names, so an operator's own names do not matter. Exit status 1 when they differ.",
      .positionals = {cluster_positional(), cluster_positional("OTHER")},
      .options = with_cluster_options({}),
      .examples = {{.arguments = "topo diff hgx-h100-8 hgx-h200-8", .what = "two servers of the catalog"},
                   {.arguments = "topo diff hgx-h100-8 topo.xml", .what = "what a server should be, and what it is"}},
      .run = run_diff,
  };
}

}  // namespace weft::cli
