#include "weft/collective/curve.h"

#include "weft/collective/numbers.h"

namespace weft::collective {
namespace {

constexpr std::array<std::string_view, kStages> kStageNames = {"ll", "ll128", "simple_few", "simple", "simple_far"};
constexpr std::array<std::string_view, kCurveKinds> kKindNames = {
    "all_reduce", "all_reduce_nvls", "all_gather", "reduce_scatter", "all_to_all", "broadcast", "reduce", "send_recv"};

std::optional<Curve> read_curve(Numbers& number, const std::string& name) {
  Curve curve;
  bool any = false;
  for (std::size_t i = 0; i < kStages; ++i) {
    const std::string key = name + "." + std::string(kStageNames[i]) + ".";
    if (!number.has(key + "launch_us")) continue;
    any = true;
    Line line;
    line.launch_us = number(key + "launch_us");
    line.rank_us = number(key + "rank_us");
    line.gbyte_per_s = number.or_else(key + "gbyte_per_s", 0);
    if (line.gbyte_per_s == 0) line.share = number(key + "share");
    curve.lines[i] = line;
  }
  if (!any) return std::nullopt;
  curve.taper = number.or_else(name + ".taper", 0);
  curve.fill_share = number.or_else(name + ".fill_share", 0);
  curve.fill_bytes = number.or_else(name + ".fill_bytes", 0);
  return curve;
}

}  // namespace

std::string_view name_of(Stage stage) { return kStageNames[static_cast<std::size_t>(stage)]; }
std::string_view name_of(CurveKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

Protocol protocol_of(Stage stage) {
  if (stage == Stage::ll) return Protocol::ll;
  return stage == Stage::ll128 ? Protocol::ll128 : Protocol::simple;
}

double protocol_share(Protocol protocol) {
  if (protocol == Protocol::ll) return 4.0 / 8;
  return protocol == Protocol::ll128 ? 120.0 / 128 : 1.0;
}

const Curve* InsideProfile::curve(CurveKind kind) const {
  const std::optional<Curve>& found = curves[static_cast<std::size_t>(kind)];
  return found ? &*found : nullptr;
}

Result<InsideProfile> read_inside_profile(const catalog::CalibrationSet& set) {
  InsideProfile profile;
  profile.id = set.id;
  profile.links = set.links;
  if (!set.library_before.empty()) {
    profile.before = library_from(set.library_before);
    if (!profile.before || !profile.before->version_known()) {
      return fail(input_error("WEFT-COL-0003",
                              "calibration set " + set.id + " has library_before = \"" + set.library_before + "\"")
                      .with_expected("a library and a version, such as nccl-2.20"));
    }
  }
  Numbers number(set);
  for (std::size_t i = 0; i < kCurveKinds; ++i) profile.curves[i] = read_curve(number, std::string(kKindNames[i]));
  profile.ring_simple = {number.or_else("ring_simple.base_us", 8), number.or_else("ring_simple.step_us", 3.5),
                         number.or_else("ring_simple.growth", 0.85)};
  profile.latency_scale = number.or_else("scale.latency", 1);
  profile.rate_scale = number.or_else("scale.rate", 1);
  if (!number.complete()) return fail(number.missing());
  return profile;
}

}  // namespace weft::collective
