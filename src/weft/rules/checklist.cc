#include "weft/rules/checklist.h"

#include <algorithm>
#include <array>

#include "weft/units/text.h"

namespace weft::rules {
namespace {

using catalog::LinkClass;
using fabric::Scope;

bool crosses_servers(const fabric::GroupShape& shape) { return shape.servers > 1; }

ChecklistItem item(std::string_view id, State state, std::string why) {
  return {std::string(id), state, std::move(why), {}, 0};
}

void set_cost(ChecklistItem& rule, const Placement& placement, Duration cost) {
  rule.cost = std::max(cost, Duration(0));
  if (placement.step.count() > 0) rule.cost_fraction = rule.cost / placement.step;
}

std::string against_rule(const Placement& placement) {
  if (!placement.best_step_inside) return "";
  if (placement.step < *placement.best_step_inside) {
    return "; and yet it wins here: " + human(placement.step) + " a step against " +
           human(*placement.best_step_inside) + " for the best that keeps the rule";
  }
  return "; the best that keeps the rule takes " + human(*placement.best_step_inside) + " a step, this one " +
         human(placement.step);
}

// What leaving the domain would add to the step, when that can be computed.
void cost_of_leaving(ChecklistItem& rule, const Placement& placement) {
  if (!placement.tp_across_time) return;
  set_cost(rule, placement, *placement.tp_across_time - placement.tp_time);
  rule.why += "; one GPU a server instead would take " + human(*placement.tp_across_time) + " a step for " +
              human(placement.tp_time);
}

ChecklistItem tp_within_nvlink(const Placement& placement) {
  const std::string id = "tp-within-nvlink";
  if (placement.tp_size == 1) return item(id, State::ok, "no tensor parallelism: nothing to keep together");
  if (placement.tp.scope == Scope::nvlink_domain) {
    ChecklistItem rule =
        item(id, State::ok,
             "tp " + std::to_string(placement.tp_size) + " stays inside one " + placement.tp.inside_link + " domain");
    cost_of_leaving(rule, placement);
    return rule;
  }
  const bool network = crosses_servers(placement.tp);
  ChecklistItem rule =
      item(id, State::broken,
           "tp " + std::to_string(placement.tp_size) +
               (network ? " crosses servers over " + placement.tp.between_link
                        : " runs over " + placement.tp.inside_link + ": these GPUs share no NVLink domain"));
  if (placement.tp_inside_time) {
    set_cost(rule, placement, placement.tp_time - *placement.tp_inside_time);
    rule.why +=
        "; " + human(placement.tp_time) + " a step for " + human(*placement.tp_inside_time) + " inside a domain";
  }
  rule.why += against_rule(placement);
  return rule;
}

ChecklistItem ib_across_no_tp(const Placement& placement) {
  const std::string id = "ib-across-no-tp";
  if (placement.servers < 2) return item(id, State::ok, "one server: nothing crosses a network");
  if (crosses_servers(placement.tp)) {
    ChecklistItem rule =
        item(id, State::broken, "tensor parallelism crosses servers over " + placement.tp.between_link);
    if (placement.tp_inside_time) set_cost(rule, placement, placement.tp_time - *placement.tp_inside_time);
    rule.why += against_rule(placement);
    return rule;
  }
  const fabric::GroupShape& outer = crosses_servers(placement.ep)   ? placement.ep
                                    : crosses_servers(placement.pp) ? placement.pp
                                                                    : placement.dp;
  if (!crosses_servers(outer)) return item(id, State::ok, "no axis crosses servers");
  if (!outer.connected) return item(id, State::unknown, "the servers' network is not described");
  const bool infiniband = outer.between == LinkClass::infiniband;
  ChecklistItem rule =
      item(id, infiniband ? State::ok : State::broken,
           infiniband ? outer.between_link + " carries what crosses servers, and tensor parallelism does not"
                      : outer.between_link +
                            " crosses servers where InfiniBand would be first choice; tensor parallelism stays inside");
  if (crosses_servers(placement.ep)) {
    rule.why +=
        "; expert parallelism crosses, with " + human(placement.ep_time) + " of a step's " + human(placement.step);
  }
  // What the other choice would cost: tensor parallelism let out of the server.
  if (infiniband) cost_of_leaving(rule, placement);
  return rule;
}

ChecklistItem roce_dp_pp_only(const Placement& placement) {
  const std::string id = "roce-dp-pp-only";
  const bool tp_on_roce = crosses_servers(placement.tp) && placement.tp.between == LinkClass::roce;
  if (tp_on_roce) {
    ChecklistItem rule =
        item(id, State::broken, "tensor parallelism crosses servers over " + placement.tp.between_link);
    if (placement.tp_inside_time) set_cost(rule, placement, placement.tp_time - *placement.tp_inside_time);
    rule.why += against_rule(placement);
    return rule;
  }
  const bool experts_on_roce = crosses_servers(placement.ep) && placement.ep.between == LinkClass::roce;
  const bool roce = (crosses_servers(placement.pp) && placement.pp.between == LinkClass::roce) ||
                    (crosses_servers(placement.dp) && placement.dp.between == LinkClass::roce);
  ChecklistItem rule =
      item(id, State::ok,
           experts_on_roce ? "RoCE carries no tensor parallelism; it does carry the all-to-alls of the experts, " +
                                 human(placement.ep_time) + " a step"
           : roce ? "RoCE carries only pipeline and data parallelism"
                  : "no RoCE in the way of this placement");
  if (placement.tp_across_roce_time) {
    set_cost(rule, placement, *placement.tp_across_roce_time - placement.tp_time);
    rule.why += "; tp over RoCE would take " + human(*placement.tp_across_roce_time) + " a step";
  }
  return rule;
}

ChecklistItem lossless_pfc_ecn(const Placement& placement, const fabric::Conditions& conditions) {
  const std::string id = "lossless-pfc-ecn";
  const auto on_roce = [](const fabric::GroupShape& shape) {
    return crosses_servers(shape) && shape.between == LinkClass::roce;
  };
  if (!on_roce(placement.tp) && !on_roce(placement.pp) && !on_roce(placement.dp) && !on_roce(placement.ep)) {
    return item(id, State::ok, "no RoCE in the way: InfiniBand is lossless by credits, TCP repairs losses itself");
  }
  const auto found =
      std::find_if(conditions.list().begin(), conditions.list().end(), [](const fabric::Condition& condition) {
        return condition.kind == fabric::ConditionKind::ecn_off || condition.kind == fabric::ConditionKind::wrong_class;
      });
  const bool broken = found != conditions.list().end();
  ChecklistItem rule = item(id, broken ? State::broken : State::unknown,
                            broken ? found->text : "PFC and ECN of the switches and hosts are not in these files");
  if (placement.lossy_time) {
    set_cost(rule, placement, *placement.lossy_time - placement.network_time);
    rule.why += "; one packet lost in 256 would take the network part of a step from " + human(placement.network_time) +
                " to " + human(*placement.lossy_time);
  }
  return rule;
}

ChecklistItem placement_matches(const Placement& placement) {
  const std::string id = "placement-matches";
  const std::array<std::pair<const char*, Scope>, 3> axes = {
      {{"tp", placement.tp_size > 1 ? placement.tp.scope : Scope::self},
       {"pp", placement.pp_size > 1 ? placement.pp.scope : Scope::self},
       {"dp", placement.dp_size > 1 ? placement.dp.scope : Scope::self}}};
  for (std::size_t inner = 0; inner < axes.size(); ++inner) {
    for (std::size_t outer = inner + 1; outer < axes.size(); ++outer) {
      if (axes[outer].second == Scope::self || axes[inner].second <= axes[outer].second) continue;
      return item(id, State::broken,
                  std::string(axes[inner].first) + " crosses the " + std::string(fabric::name_of(axes[inner].second)) +
                      " while " + axes[outer].first + " stays in the " +
                      std::string(fabric::name_of(axes[outer].second)));
    }
  }
  std::string why;
  for (const auto& [axis, scope] : axes) {
    if (scope != Scope::self)
      why += (why.empty() ? "" : ", ") + std::string(axis) + " in the " + std::string(fabric::name_of(scope));
  }
  return item(id, State::ok, why.empty() ? "a single GPU" : why);
}

ChecklistItem congestion_watched(const Placement& placement) {
  if (placement.servers < 2) return item("congestion-watched", State::ok, "one server: no switch port to watch");
  return item("congestion-watched", State::unknown,
              "no counters of pause frames, ECN marks or credits waited for were given");
}

}  // namespace

std::string_view name_of(State state) {
  static constexpr std::array<std::string_view, 3> kNames = {"ok", "broken", "unknown"};
  return kNames[static_cast<std::size_t>(state)];
}

std::vector<ChecklistItem> run_checklist(const Placement& placement, const fabric::Conditions& conditions) {
  return {tp_within_nvlink(placement),  ib_across_no_tp(placement),
          roce_dp_pp_only(placement),   lossless_pfc_ecn(placement, conditions),
          placement_matches(placement), congestion_watched(placement)};
}

}  // namespace weft::rules
