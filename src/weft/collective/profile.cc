#include "weft/collective/profile.h"

#include <algorithm>
#include <array>
#include <span>

#include "weft/collective/numbers.h"

namespace weft::collective {
namespace {

using catalog::CalibrationSet;
using catalog::LinkClass;

bool lists(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Sets that describe links inside servers say so by the table of a forced ring.
bool describes_inside(const CalibrationSet& set) { return set.has("ring_simple.base_us"); }
bool describes_network(const CalibrationSet& set) { return set.has("hop_growth_from"); }

Result<LaunchCosts> read_launch(const CalibrationSet& set, LibraryFamily family) {
  Numbers number(set);
  LaunchCosts costs{number(std::string(name_of(family)) + "_us"), number(std::string(name_of(family)) + "_all_to_all"),
                    number("graph_saves_us"), number.or_else("scale.latency", 1)};
  if (!number.complete()) return fail(number.missing());
  return costs;
}

bool holds_for(const InsideProfile& profile, const Library& library) {
  if (!profile.before) return true;
  return library.version_known() && library.family == profile.before->family && library < *profile.before;
}

Result<void> read_inside_and_networks(const catalog::Calibration& calibration, Profiles& profiles) {
  for (const CalibrationSet& set : calibration.sets()) {
    if (describes_inside(set)) {
      Result<InsideProfile> inside = read_inside_profile(set);
      if (!inside) return fail(std::move(inside.error()));
      if (holds_for(*inside, profiles.library)) profiles.inside.push_back(std::move(*inside));
    } else if (describes_network(set)) {
      Result<NetworkProfile> network = read_network_profile(set);
      if (!network) return fail(std::move(network.error()));
      profiles.networks.push_back(std::move(*network));
    }
  }
  std::stable_sort(profiles.inside.begin(), profiles.inside.end(), [](const InsideProfile& a, const InsideProfile& b) {
    return a.before.has_value() && !b.before.has_value();
  });
  if (profiles.inside.empty() || profiles.networks.empty()) {
    return fail(input_error("WEFT-COL-0004", "the calibration describes no links inside or between servers"));
  }
  return {};
}

// What stands in for an operation that a technology was not measured with, nearest first.
std::span<const CurveKind> stand_ins(CurveKind kind) {
  using enum CurveKind;
  static constexpr std::array kGather = {all_gather, reduce_scatter, all_reduce, all_to_all};
  static constexpr std::array kScatter = {reduce_scatter, all_gather, all_reduce, all_to_all};
  static constexpr std::array kReduceAll = {all_reduce, reduce_scatter, all_gather};
  static constexpr std::array kNvls = {all_reduce_nvls};
  static constexpr std::array kAll = {all_to_all, all_gather, all_reduce};
  static constexpr std::array kBroadcast = {broadcast, reduce, all_gather, all_reduce};
  static constexpr std::array kReduce = {reduce, broadcast, reduce_scatter, all_gather, all_reduce};
  static constexpr std::array kSend = {send_recv, all_to_all, all_gather, all_reduce};
  switch (kind) {
    case all_reduce:
      return kReduceAll;
    case all_reduce_nvls:
      return kNvls;
    case all_gather:
      return kGather;
    case reduce_scatter:
      return kScatter;
    case all_to_all:
      return kAll;
    case broadcast:
      return kBroadcast;
    case reduce:
      return kReduce;
    default:
      return kSend;
  }
}

Result<void> read_tuner(const catalog::Calibration& calibration, Profiles& profiles) {
  if (profiles.library.family != LibraryFamily::nccl) return {};
  Result<Tuner> tuner = Tuner::of(calibration, profiles.library);
  if (!tuner) return fail(std::move(tuner.error()));
  Result<ChannelRules> rules = load_channel_rules(calibration);
  if (!rules) return fail(std::move(rules.error()));
  profiles.tuner = std::move(*tuner);
  profiles.channel_rules = std::move(*rules);
  return {};
}

}  // namespace

double LaunchCosts::host_us(Operation operation, LaunchMode mode, int gpus) const {
  if (mode != LaunchMode::single_process) return 0;
  return per_gpu_us * scale * gpus * (operation == Operation::all_to_all ? all_to_all_factor : 1);
}

Profiles::Found Profiles::curve(std::string_view link, LinkClass link_class, bool through_host, CurveKind kind) const {
  const std::string_view bus = through_host ? "pcie-host" : "pcie";
  const bool fabric = catalog::is_gpu_fabric(link_class) && !through_host;
  const bool listed =
      std::any_of(inside.begin(), inside.end(), [&](const InsideProfile& each) { return lists(each.links, link); });
  const std::string_view name = !fabric ? bus : listed ? link : catalog::name_of(link_class);
  for (const CurveKind each : stand_ins(kind)) {
    for (const InsideProfile& profile : inside) {
      if (!lists(profile.links, name)) continue;
      if (const Curve* curve = profile.curve(each)) return {curve, &profile, each};
    }
  }
  return {};
}

const NetworkProfile& Profiles::network(LinkClass link_class) const {
  const std::string_view name = catalog::name_of(link_class);
  const auto found = std::find_if(networks.begin(), networks.end(),
                                  [&](const NetworkProfile& each) { return lists(each.links, name); });
  return found == networks.end() ? networks.front() : *found;
}

Result<void> refresh(Profiles& profiles, const CalibrationSet& set) {
  const auto replace = [&](auto& list, auto read) -> Result<void> {
    const auto same = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.id == set.id; });
    if (same == list.end()) return {};
    auto value = read(set);
    if (!value) return fail(std::move(value.error()));
    *same = std::move(*value);
    return {};
  };
  const auto put = [](auto& target, auto value) -> Result<void> {
    if (!value) return fail(std::move(value.error()));
    target = std::move(*value);
    return {};
  };
  if (describes_inside(set)) return replace(profiles.inside, read_inside_profile);
  if (describes_network(set)) return replace(profiles.networks, read_network_profile);
  if (set.id == "between") return put(profiles.between, read_between_profile(set));
  if (set.id == "launch") return put(profiles.launch, read_launch(set, profiles.library.family));
  if (set.id == profiles.kernels.id) return profiles.kernels.read_lines(set);
  return {};
}

Result<Profiles> load_profiles(const catalog::Calibration& calibration, const Library& library,
                               const ServingEngine& engine) {
  Profiles profiles;
  profiles.library = library;
  const auto read = [&](std::string_view id, auto reader, auto& target) -> Result<void> {
    Result<const CalibrationSet*> set = calibration.set(id);
    if (!set) return fail(std::move(set.error()));
    auto value = reader(**set);
    if (!value) return fail(std::move(value.error()));
    target = std::move(*value);
    return {};
  };
  Result<void> done = read_inside_and_networks(calibration, profiles);
  if (done) done = read("between", read_between_profile, profiles.between);
  if (done) {
    done = read(
        "launch", [&](const CalibrationSet& set) { return read_launch(set, library.family); }, profiles.launch);
  }
  if (done) done = read_tuner(calibration, profiles);
  if (!done) return fail(std::move(done.error()));
  Result<KernelProfile> kernels = load_kernels(calibration, engine);
  if (!kernels) return fail(std::move(kernels.error()));
  profiles.kernels = std::move(*kernels);
  return profiles;
}

}  // namespace weft::collective
