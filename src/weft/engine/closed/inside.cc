#include "weft/engine/closed/inside.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::engine::closed {
namespace {

using collective::Algorithm;
using collective::Call;
using collective::Curve;
using collective::CurveKind;
using collective::InsideProfile;
using collective::Line;
using collective::Operation;
using collective::Profiles;
using collective::Protocol;
using collective::Stage;
using fabric::GroupShape;

constexpr int kNvlsFewestRanks = 5;       // at four and fewer a ring is as fast, and NCCL's choice
constexpr double kRingSimpleFrom = 8192;  // bytes: where a forced ring's step begins to grow
constexpr double kRingSimpleTo = 262144;  // and where it stops
constexpr double kOfASharedBus = 0.9;     // what several flows reach together of a bus that they share
constexpr double kOnePassStep = 1.15;     // a step of all-gather or reduce-scatter against one of all-reduce

CurveKind kind_of(Operation operation) {
  switch (operation) {
    case Operation::all_reduce:
      return CurveKind::all_reduce;
    case Operation::all_gather:
      return CurveKind::all_gather;
    case Operation::reduce_scatter:
      return CurveKind::reduce_scatter;
    case Operation::broadcast:
      return CurveKind::broadcast;
    case Operation::reduce:
      return CurveKind::reduce;
    case Operation::send_recv:
      return CurveKind::send_recv;
    default:
      return CurveKind::all_to_all;  // gather and scatter: everyone to one, one to everyone
  }
}

bool two_passes(CurveKind kind) { return kind == CurveKind::all_reduce || kind == CurveKind::all_reduce_nvls; }

// Messages from rank to rank (all-to-all, gather, send/recv) heed no forced algorithm, as in the libraries.
bool is_ring_operation(CurveKind kind) { return kind != CurveKind::all_to_all && kind != CurveKind::send_recv; }

// In a domain whose switches reduce, LL and LL128 are still a ring's: NVLS is Simple alone.
Algorithm algorithm_of(CurveKind kind, Stage stage) {
  switch (kind) {
    case CurveKind::all_reduce_nvls:
      return collective::protocol_of(stage) == Protocol::simple ? Algorithm::nvls : Algorithm::ring;
    case CurveKind::all_to_all:
    case CurveKind::send_recv:
      return Algorithm::direct;
    default:
      return Algorithm::ring;
  }
}

// The rate of a line, bytes per microsecond of busbw.
double rate_of(const Line& line, Stage stage, const Curve& curve, const InsideProfile& profile, const GroupShape& shape,
               bool one_way) {
  // Through host memory the staging of each GPU is the limit, unless the way there is shared by more than it can take.
  const double shared = bytes_per_us(shape.inside_rate) * profile.rate_scale;
  const double link = shape.inside_bounce ? bytes_per_us(shape.inside_alone) * profile.rate_scale : shared;
  const double taper = std::max(0.05, 1 - curve.taper / std::max(2, shape.most_ranks_per_server));
  if (line.gbyte_per_s > 0) {
    const double most = shared * collective::protocol_share(collective::protocol_of(stage));
    return std::min(line.gbyte_per_s * 1e3 * profile.rate_scale, most);
  }
  const double rate = line.share * link * taper;
  return shape.inside_bounce && !one_way ? std::min(rate, kOfASharedBus * shared) : rate;
}

struct Question {
  const Call& call;
  const GroupShape& shape;
  double bytes;
  double factor;  // of busbw
};

Estimate on_line(const Question& question, const Profiles::Found& found, CurveKind asked, Stage stage) {
  const Curve& curve = *found.curve;
  const InsideProfile& profile = *found.profile;
  const Line& line = *curve.lines[static_cast<std::size_t>(stage)];
  const bool hands_on = asked == CurveKind::broadcast || asked == CurveKind::reduce;
  const double rate = rate_of(line, stage, curve, profile, question.shape, hands_on && question.shape.ranks == 2);
  // A curve that stands in for another operation has its steps once or twice.
  const double steps = two_passes(asked) == two_passes(found.kind) ? 1 : two_passes(asked) ? 2 : 0.5;
  Estimate estimate;
  estimate.launch_us = line.launch_us * profile.latency_scale;
  estimate.latency_us = line.rank_us * (question.shape.ranks - 1) * steps * profile.latency_scale;
  estimate.transfer_us = question.factor * question.bytes / rate;
  if (hands_on && question.shape.ranks > 2)
    estimate.fill_us =
        (question.shape.ranks - 2) * std::min(curve.fill_share * question.bytes, curve.fill_bytes) / rate;
  estimate.algorithm = algorithm_of(asked, stage);
  estimate.stage = stage;
  estimate.set = &profile.id;
  estimate.form = collective::name_of(found.kind);
  return estimate;
}

void offer_curve(std::optional<Estimate>& best, const Question& question, const Profiles& profiles, CurveKind kind) {
  const GroupShape& shape = question.shape;
  const Profiles::Found found = profiles.curve(shape.inside_link, shape.inside, shape.inside_bounce, kind);
  if (found.curve == nullptr) return;
  for (std::size_t i = 0; i < collective::kStages; ++i) {
    const Stage stage = static_cast<Stage>(i);
    const std::optional<double> share = share_under(question.call, stage);
    if (!found.curve->lines[i] || !share) continue;
    Estimate estimate = on_line(question, found, kind, stage);
    if (is_ring_operation(kind) && !allows(question.call, estimate.algorithm)) continue;
    if (estimate.algorithm == Algorithm::nvls && !simple_allowed(question.call)) continue;
    estimate.transfer_us /= *share;
    offer(best, estimate);
  }
}

double growth_at(double bytes, double growth) {
  const double span = std::log2(kRingSimpleTo / kRingSimpleFrom);
  return 1 + growth * std::clamp(std::log2(std::max(bytes, 1.0) / kRingSimpleFrom) / span, 0.0, 1.0);
}

// A ring forced to Simple: the curve's last line for bytes, its own steps for latency.
std::optional<Estimate> ring_simple(const Question& question, const Profiles& profiles, CurveKind kind) {
  const GroupShape& shape = question.shape;
  const Profiles::Found found = profiles.curve(shape.inside_link, shape.inside, shape.inside_bounce, kind);
  if (found.curve == nullptr) return std::nullopt;
  const Stage last = found.curve->lines[static_cast<std::size_t>(Stage::simple)] ? Stage::simple : Stage::simple_few;
  if (!found.curve->lines[static_cast<std::size_t>(last)]) return std::nullopt;
  Estimate estimate = on_line(question, found, kind, last);
  const collective::RingSimple& ring = found.profile->ring_simple;
  const bool hands_on = kind == CurveKind::broadcast || kind == CurveKind::reduce;
  // One after another, broadcasts overlap along the ring: the root starts the next while the last rank still receives.
  const int steps = two_passes(kind) ? 2 * (shape.ranks - 1) : hands_on ? 1 : shape.ranks - 1;
  const bool gathers = kind == CurveKind::all_gather || kind == CurveKind::reduce_scatter;
  estimate.launch_us = ring.base_us * found.profile->latency_scale;
  estimate.latency_us = ring.step_us * (gathers ? kOnePassStep : 1) * steps * growth_at(question.bytes, ring.growth) *
                        found.profile->latency_scale;
  estimate.forced_ring = true;
  return estimate;
}

// The curve of a domain whose switches reduce holds LL and LL128 lines too, as a ring runs there; a ring or a tree that
// moves data by Simple, by force or by the library's choice, and a protocol that is forced have the ring's curve.
bool by_switches(const Call& call) {
  if (call.algorithm && *call.algorithm != Algorithm::nvls) return false;
  if (!call.algorithm && !simple_allowed(call)) return false;
  return !call.chosen || call.chosen->algorithm == Algorithm::nvls || call.chosen->protocol != Protocol::simple;
}

}  // namespace

bool switches_reduce(const GroupShape& shape) { return shape.nvls && shape.most_ranks_per_server >= kNvlsFewestRanks; }

std::optional<Estimate> inside_estimate(const Call& call, const GroupShape& shape, const Profiles& profiles) {
  const CurveKind kind = kind_of(call.operation);
  const Question question{call, shape, static_cast<double>(call.bytes.count()),
                          collective::bus_factor(call.operation, shape.ranks)};
  if (is_ring_operation(kind) && call.algorithm == Algorithm::ring && call.protocol == Protocol::simple)
    return ring_simple(question, profiles, kind);
  std::optional<Estimate> best;
  const bool nvls = kind == CurveKind::all_reduce && shape.nvls && shape.ranks >= kNvlsFewestRanks;
  offer_curve(best, question, profiles, nvls && by_switches(call) ? CurveKind::all_reduce_nvls : kind);
  return best;
}

double inside_ceiling(const GroupShape& shape, const Profiles& profiles, Inside inside) {
  if (shape.most_ranks_per_server < 2) return std::numeric_limits<double>::infinity();
  double most = 0;
  const bool reduces = inside == Inside::switches && switches_reduce(shape);
  for (const CurveKind kind : {CurveKind::all_reduce, CurveKind::all_reduce_nvls}) {
    if (kind == CurveKind::all_reduce_nvls && !reduces) continue;
    const Profiles::Found found = profiles.curve(shape.inside_link, shape.inside, shape.inside_bounce, kind);
    if (found.curve == nullptr) continue;
    for (const Stage stage : {Stage::simple_few, Stage::simple, Stage::simple_far}) {
      const std::optional<Line>& line = found.curve->lines[static_cast<std::size_t>(stage)];
      if (line) most = std::max(most, rate_of(*line, stage, *found.curve, *found.profile, shape, false));
    }
  }
  if (most == 0) most = bytes_per_us(shape.inside_rate);
  // A ring through g GPUs has g - 1 hops inside the server, spread over all of their links.
  const double g = shape.most_ranks_per_server;
  return inside == Inside::ring ? most * g / (g - 1) : most;
}

}  // namespace weft::engine::closed
