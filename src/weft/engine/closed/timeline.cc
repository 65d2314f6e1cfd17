#include <algorithm>
#include <vector>

#include "weft/engine/closed/closed.h"

namespace weft::engine::closed {
namespace {

using collective::Operation;
using fabric::GroupShape;

Error not_applicable(const std::string& why) {
  return unassessable_error("WEFT-ENG-0001", "the closed-form engine cannot say: " + why);
}

// Do two tasks that overlap in time meet on a link? Ranks in common, or servers in common when both use the network.
struct Footprint {
  std::vector<std::uint32_t> gpus;
  std::vector<std::uint32_t> servers;  // empty when the task stays inside one
};

bool meet(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint32_t x) { return std::find(b.begin(), b.end(), x) != b.end(); });
}

std::vector<fabric::DeviceId> ranks_of(const Task& task) {
  if (const auto* collective = std::get_if<CollectiveTask>(&task.work)) return collective->group;
  if (const auto* message = std::get_if<MessageTask>(&task.work)) return {message->from, message->to};
  return {};
}

Footprint footprint_of(const fabric::Fabric& fabric, const Task& task) {
  Footprint print;
  for (const fabric::DeviceId gpu : ranks_of(task)) {
    print.gpus.push_back(gpu.value());
    const std::uint32_t server = fabric.device(gpu).server;
    if (std::find(print.servers.begin(), print.servers.end(), server) == print.servers.end())
      print.servers.push_back(server);
  }
  if (print.servers.size() < 2) print.servers.clear();
  return print;
}

Result<Cost> cost_of(const fabric::Fabric& fabric, const fabric::Conditions& conditions, const Task& task,
                     const Workload& workload) {
  if (const auto* compute = std::get_if<ComputeTask>(&task.work)) {
    Cost cost;
    cost.terms.launch = compute->time;
    cost.total = compute->time;
    return cost;
  }
  if (const auto* collective = std::get_if<CollectiveTask>(&task.work)) {
    const collective::Group group = collective::group_of(fabric, ranks_of(task), conditions, *workload.profiles);
    return collective_cost({collective->operation, collective->bytes}, group, *workload.profiles,
                           workload.serving_kernels);
  }
  const GroupShape shape = fabric::shape_of(fabric, ranks_of(task), conditions);
  return message_cost(std::get<MessageTask>(task.work).bytes, shape, *workload.profiles);
}

}  // namespace

Result<Timeline> run(const fabric::Fabric& fabric, const fabric::Conditions& conditions, const Workload& workload,
                     const Options&) {
  Timeline timeline;
  std::vector<Footprint> prints;
  for (std::size_t i = 0; i < workload.tasks.size(); ++i) {
    const Task& task = workload.tasks[i];
    Result<Cost> cost = cost_of(fabric, conditions, task, workload);
    if (!cost) return fail(std::move(cost.error()));
    Finished finished;
    for (const std::uint32_t before : task.after) {
      if (before >= i)
        return fail(input_error("WEFT-ENG-0002", "task " + task.name + " depends on one that comes later"));
      finished.start = std::max(finished.start, timeline.tasks[before].end);
    }
    finished.end = finished.start + cost->total;
    finished.terms = cost->terms;
    finished.algorithm = cost->algorithm;
    finished.protocol = cost->protocol;
    Footprint print = footprint_of(fabric, task);
    for (std::size_t j = 0; j < i; ++j) {
      const bool overlap = timeline.tasks[j].start < finished.end && finished.start < timeline.tasks[j].end;
      if (overlap && (meet(print.gpus, prints[j].gpus) || meet(print.servers, prints[j].servers))) {
        return fail(not_applicable(workload.tasks[j].name + " and " + task.name + " share links at the same time"));
      }
    }
    timeline.makespan = std::max(timeline.makespan, finished.end.since_start());
    timeline.tasks.push_back(finished);
    prints.push_back(std::move(print));
  }
  return timeline;
}

}  // namespace weft::engine::closed
