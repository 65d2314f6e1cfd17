// What engines run: tasks with dependencies on ranks of a fabric.
//
// A task is a collective over a group of GPUs, a message from one GPU to another, or a gap of computing. It starts when
// all tasks it depends on have ended. Software costs (launch, per hop, protocol) are part of the workload's profiles,
// the same for every engine.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "weft/collective/operation.h"
#include "weft/collective/profile.h"
#include "weft/fabric/graph.h"
#include "weft/units/units.h"

namespace weft::engine {

struct CollectiveTask {
  collective::Operation operation = collective::Operation::all_reduce;
  Bytes bytes;                          // S as nccl-tests counts it
  std::vector<fabric::DeviceId> group;  // GPUs, by rank
};
struct MessageTask {
  fabric::DeviceId from;
  fabric::DeviceId to;
  Bytes bytes;
};
struct ComputeTask {
  Duration time;
};

struct Task {
  std::string name;
  std::variant<CollectiveTask, MessageTask, ComputeTask> work;
  std::vector<std::uint32_t> after;  // indices of earlier tasks
};

struct Workload {
  std::vector<Task> tasks;
  const collective::Profiles* profiles = nullptr;
  bool serving_kernels = false;  // small all-reduces inside a server by one-shot and two-shot kernels
};

}  // namespace weft::engine
