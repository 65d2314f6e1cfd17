#include "weft/engine/closed/kernels.h"

#include <algorithm>

namespace weft::engine::closed {
namespace {

using collective::Algorithm;
using collective::Call;
using collective::Kernel;
using collective::KernelProfile;
using collective::Operation;
using collective::Profiles;
using fabric::GroupShape;

// Microseconds that the bytes take: over the links, or from the one peer that gives the least.
double transfer_us(const collective::KernelLine& line, Algorithm algorithm, const KernelProfile& kernels,
                   const GroupShape& shape, double bytes) {
  const double crossing = collective::crossing_share(algorithm, shape.ranks) * bytes;
  const double over_links = crossing / (bytes_per_us(shape.inside_rate) * line.share);
  const double from_a_peer =
      line.peer_gbyte_per_s > 0 ? crossing / (shape.ranks - 1) / (line.peer_gbyte_per_s * 1e3) : 0;
  return std::max(over_links, from_a_peer) / kernels.rate_scale;
}

// None: not over these links.
std::optional<Estimate> on_line(Kernel kernel, const Call& call, const GroupShape& shape, const Profiles& profiles) {
  const KernelProfile& kernels = profiles.kernels;
  const Algorithm algorithm = collective::algorithm_of(kernel);
  if (algorithm == Algorithm::multimem && !shape.nvls) return std::nullopt;
  const KernelProfile::Found found = kernels.line(kernel, shape.inside_link, shape.inside);
  if (found.line == nullptr) return std::nullopt;
  Estimate estimate;
  estimate.algorithm = algorithm;
  estimate.set = &kernels.id;
  estimate.form = found.link;
  estimate.kernel = collective::name_of(kernel);
  estimate.launch_us = found.line->launch_us * kernels.latency_scale;
  estimate.latency_us = found.line->rank_us * (shape.ranks - 1) * kernels.latency_scale;
  estimate.transfer_us = transfer_us(*found.line, algorithm, kernels, shape, static_cast<double>(call.bytes.count()));
  return estimate;
}

// Kernels read and write their peers' memory: one domain, no detour through the host.
bool peers_reach(const GroupShape& shape) { return shape.servers == 1 && !shape.inside_bounce; }

Error cannot(const Call& call, std::string_view why) {
  return unassessable_error("WEFT-ENG-0003",
                            "the closed-form engine cannot say: " + std::string(collective::name_of(*call.algorithm)) +
                                " kernels " + std::string(why));
}

Error no_line(const Call& call, const GroupShape& shape, const KernelProfile& kernels) {
  const std::string engine(collective::name_of(kernels.engine.family));
  const std::string links = kernels.links_with(*call.algorithm);
  if (links.empty()) return cannot(call, "are none of " + engine + "'s");
  return cannot(call, "of " + engine + " have no measured line for " + shape.inside_link)
      .with_expected("a group over " + links);
}

}  // namespace

std::optional<Estimate> engine_choice(const Call& call, const GroupShape& shape, const Profiles& profiles) {
  if (call.operation != Operation::all_reduce || !peers_reach(shape)) return std::nullopt;
  const std::optional<Kernel> kernel =
      profiles.kernels.choice(shape.inside_link, shape.inside, shape.ranks, call.bytes);
  return kernel ? on_line(*kernel, call, shape, profiles) : std::nullopt;
}

Result<Estimate> forced_kernel(const Call& call, const GroupShape& shape, const Profiles& profiles) {
  if (call.operation != Operation::all_reduce)
    return fail(cannot(call, "do all-reduce, not " + std::string(collective::name_of(call.operation))));
  if (call.protocol) return fail(cannot(call, "have no protocols of the library"));
  if (shape.servers > 1) return fail(cannot(call, "stay inside one server"));
  if (shape.inside_bounce) return fail(cannot(call, "need peer-to-peer access between the GPUs"));
  if (call.algorithm == Algorithm::multimem && !shape.nvls)
    return fail(cannot(call, "need NVSwitches that multicast and reduce between these GPUs"));
  std::optional<Estimate> best;
  for (const Kernel kernel : profiles.kernels.kernels_of(*call.algorithm)) {
    if (const std::optional<Estimate> estimate = on_line(kernel, call, shape, profiles)) offer(best, *estimate);
  }
  if (!best) return fail(no_line(call, shape, profiles.kernels));
  return *best;
}

}  // namespace weft::engine::closed
