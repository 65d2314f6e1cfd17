// The network planner's checklist: six rules that plan and doctor both run, each with what breaking it costs *here*.
//
//   tp-within-nvlink     tensor parallelism stays inside an NVLink domain
//   ib-across-no-tp      across servers InfiniBand first, and no tensor parallelism
//   roce-dp-pp-only      RoCE carries data and pipeline parallelism, not tensor parallelism
//   lossless-pfc-ecn     a RoCE fabric has PFC and ECN on, end to end
//   placement-matches    each axis crosses no wider a part of the fabric than the axes outside it
//   congestion-watched   pause frames and congestion events are watched
//
// The rules are the field's; the costs are computed by whoever knows the engines and handed in as times. A rule whose
// facts are not at hand is `unknown`, never `ok`. When the arithmetic contradicts a rule, `why` says so with both
// numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/fabric/condition.h"
#include "weft/fabric/group.h"
#include "weft/units/units.h"

namespace weft::rules {

enum class State { ok, broken, unknown };
[[nodiscard]] std::string_view name_of(State state);

struct ChecklistItem {
  std::string id;
  State state = State::unknown;
  std::string why;
  Duration cost;             // a step: what breaking the rule costs, or would cost
  double cost_fraction = 0;  // of the step
};

// What a placement is and what its alternatives would take, a step each.
struct Placement {
  int servers = 1;
  fabric::GroupShape tp;
  fabric::GroupShape pp;
  fabric::GroupShape dp;
  fabric::GroupShape ep;  // and its all-to-alls
  int tp_size = 1;
  int pp_size = 1;
  int dp_size = 1;
  int ep_size = 1;
  Duration step;
  Duration tp_time;  // communication of the tensor-parallel group, as placed
  Duration pp_time;
  Duration ep_time;
  std::optional<Duration> tp_inside_time;       // the same group inside one NVLink domain
  std::optional<Duration> tp_across_time;       // the same group with a GPU a server over this network
  std::optional<Duration> tp_across_roce_time;  // the same over RoCE at the same rate
  std::optional<Duration> lossy_time;           // network traffic of the step when one packet in 256 is lost
  Duration network_time;                        // network traffic of the step, as placed
  // The best placement that keeps tensor parallelism inside the domain, when this one does not.
  std::optional<Duration> best_step_inside;
};

[[nodiscard]] std::vector<ChecklistItem> run_checklist(const Placement& placement,
                                                       const fabric::Conditions& conditions);

}  // namespace weft::rules
