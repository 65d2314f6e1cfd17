#include "weft/engine/closed/closed.h"

#include <algorithm>
#include <optional>

#include "weft/engine/closed/between.h"
#include "weft/engine/closed/estimate.h"
#include "weft/engine/closed/inside.h"
#include "weft/engine/closed/kernels.h"

namespace weft::engine::closed {
namespace {

using collective::Algorithm;
using collective::Call;
using collective::LaunchMode;
using collective::Operation;
using collective::Profiles;
using collective::Stage;
using fabric::GroupShape;

constexpr double kLeastLaunchUs = 1.0;  // a kernel that a graph starts still has to run

Error not_applicable(const std::string& why) {
  return unassessable_error("WEFT-ENG-0001", "the closed-form engine cannot say: " + why);
}

// The host and the GPUs work side by side: what the host takes longer is waited for at the start.
Cost cost_of(Estimate estimate, const Call& call, const GroupShape& shape, const Profiles& profiles) {
  if (call.launch == LaunchMode::graph && estimate.kernel.empty())
    estimate.launch_us = std::max(kLeastLaunchUs, estimate.launch_us - profiles.launch.graph_saves_us);
  const int here = std::max(1, shape.most_ranks_per_server);
  const int driven = call.gpus_per_process > 0 ? std::min(call.gpus_per_process, here) : here;
  const double host_us = profiles.launch.host_us(call.operation, call.launch, driven);
  Cost cost;
  cost.host = Duration::from_us(host_us);
  cost.terms.launch = Duration::from_us(estimate.launch_us + std::max(0.0, host_us - estimate.total_us()));
  cost.terms.latency = Duration::from_us(estimate.latency_us);
  cost.terms.transfer = Duration::from_us(estimate.transfer_us);
  cost.terms.fill = Duration::from_us(estimate.fill_us);
  cost.total = cost.terms.total();
  cost.algorithm = estimate.algorithm;
  cost.protocol = collective::protocol_of(estimate.stage);
  if (call.chosen && estimate.kernel.empty()) {
    cost.channels = call.chosen->channels;
    cost.protocol = call.chosen->protocol;
    // In-switch reduction has a line of its own, or none: then it is a ring's that was taken.
    if (call.chosen->algorithm != collective::Algorithm::nvls) cost.algorithm = call.chosen->algorithm;
  }
  cost.line = *estimate.set + "." + std::string(estimate.form);
  cost.line += "." + std::string(!estimate.kernel.empty() ? estimate.kernel
                                 : estimate.forced_ring   ? "ring_simple"
                                                          : collective::name_of(estimate.stage));
  return cost;
}

}  // namespace

Result<Cost> collective_cost(const Call& call, const GroupShape& shape, const Profiles& profiles,
                             bool serving_kernels) {
  if (!shape.connected) return fail(not_applicable("the group's servers are not connected"));
  if (shape.ranks < 2 || call.bytes.count() == 0) return Cost{};
  if (call.algorithm && collective::is_kernel(*call.algorithm)) {
    Result<Estimate> forced = forced_kernel(call, shape, profiles);
    if (!forced) return fail(std::move(forced.error()));
    return cost_of(*forced, call, shape, profiles);
  }
  const auto by_lines = [&](const Call& asked) {
    return shape.servers > 1 ? between_estimate(asked, shape, profiles) : inside_estimate(asked, shape, profiles);
  };
  std::optional<Estimate> best;
  if (serving_kernels && !call.algorithm && !call.protocol) best = engine_choice(call, shape, profiles);
  if (!best) best = by_lines(call);
  Call priced = call;
  if (!best && call.chosen) {
    // The calibration has no line for what the library takes: the fastest that it has.
    priced.chosen.reset();
    best = by_lines(priced);
  }
  if (!best) {
    std::string what(collective::name_of(call.operation));
    if (call.algorithm) what += " by " + std::string(collective::name_of(*call.algorithm));
    if (call.protocol) what += " with " + std::string(collective::name_of(*call.protocol));
    Error error = not_applicable("no form for " + what + " over this group");
    const bool in_switch = call.algorithm == Algorithm::nvls || call.algorithm == Algorithm::nvls_tree;
    if (in_switch && !simple_allowed(call)) error.hint = "in-switch reduction moves data by simple alone";
    return fail(std::move(error));
  }
  return cost_of(*best, priced, shape, profiles);
}

Result<Cost> collective_cost(const Call& call, const collective::Group& group, const Profiles& profiles,
                             bool serving_kernels) {
  Call chosen = call;
  if (group.tuner) chosen.chosen = group.tuner->choose(call);
  return collective_cost(chosen, static_cast<const GroupShape&>(group), profiles, serving_kernels);
}

std::string set_of(const Cost& cost) {
  // The table and its line follow, of which none has a dot in its name; sets may.
  const std::size_t last = cost.line.rfind('.');
  return last == std::string::npos || last == 0 ? cost.line : cost.line.substr(0, cost.line.rfind('.', last - 1));
}

std::vector<std::string> sets_for(const GroupShape& shape, const Profiles& profiles) {
  std::vector<std::string> ids = {collective::to_text(profiles.library)};
  if (profiles.tuner && shape.ranks > 1) ids.push_back(profiles.tuner->id());
  if (shape.most_ranks_per_server > 1) {
    const Profiles::Found found =
        profiles.curve(shape.inside_link, shape.inside, shape.inside_bounce, collective::CurveKind::all_reduce);
    if (found.profile != nullptr) ids.push_back(found.profile->id);
  }
  if (shape.servers > 1) {
    ids.push_back(profiles.network(shape.between).id);
    ids.emplace_back("between");
  }
  ids.emplace_back("launch");
  return ids;
}

Result<Cost> message_cost(Bytes size, const GroupShape& pair, const Profiles& profiles) {
  return collective_cost({Operation::send_recv, size}, pair, profiles);
}

}  // namespace weft::engine::closed
