#include "weft/plan/compare.h"

#include <algorithm>
#include <array>

#include "weft/collective/profile.h"
#include "weft/engine/closed/closed.h"
#include "weft/fabric/cluster.h"
#include "weft/fabric/group.h"
#include "weft/llm/step_time.h"
#include "weft/llm/traffic.h"
#include "weft/plan/kernel_constants.h"

namespace weft::plan {
namespace {

// What planners quote for one all-reduce. Folklore, not measurement: `weft compare` without --rule-of-thumb computes.
struct Quoted {
  std::string_view interconnect;
  int low_us;
  int high_us;
};
constexpr std::array<Quoted, 6> kQuoted = {{{"nvlink4", 3, 3},
                                            {"nvlink4-2hop", 5, 5},
                                            {"ib-ndr", 15, 15},
                                            {"roce-200g", 30, 30},
                                            {"tcp", 100, 100},
                                            {"pcie5", 5, 10}}};

// A server whose GPUs show an interconnect, or a network link to put between H100 servers.
struct Inside {
  std::string_view server;
  std::string_view note;
};
constexpr std::array<Inside, 6> kInside = {{{"hgx-h100-8", ""},
                                            {"hgx-b200-8", ""},
                                            {"hgx-a100-8", ""},
                                            {"mi300x-8", "full mesh"},
                                            {"pcie-h100", "peer-to-peer"},
                                            {"pcie-l40s", ""}}};
constexpr std::array<std::string_view, 7> kNetworks = {"ib-ndr", "roce-v2-400g", "ib-hdr", "roce-v2-200g",
                                                       "iwarp",  "tcp-400g",     "tcp"};

struct Pricing {
  const catalog::Catalog& catalog;
  collective::Profiles profiles;
  const CompareRequest& request;
  Bytes message;
  std::int64_t count = 0;
  Duration compute;
};

Result<CompareRow> price(const Pricing& pricing, const fabric::Fabric& fabric,
                         const std::vector<fabric::DeviceId>& group, std::string interconnect, std::string layout) {
  const collective::Group shape = collective::group_of(fabric, group, {}, pricing.profiles);
  Result<engine::closed::Cost> cost = engine::closed::collective_cost(
      {collective::Operation::all_reduce, pricing.message}, shape, pricing.profiles, true);
  if (!cost) return fail(std::move(cost.error()));
  CompareRow row;
  row.interconnect = std::move(interconnect);
  row.layout = std::move(layout);
  row.bytes = pricing.message;
  row.all_reduces = pricing.count;
  row.all_reduce = cost->total;
  row.total = cost->total * pricing.count;
  row.share_of_token = row.total / (row.total + pricing.compute);
  row.verdict = judge_share(row.share_of_token);
  row.algorithm = collective::name_of(cost->algorithm);
  if (shape.inside_bounce) row.note = "through host memory";
  return row;
}

Result<fabric::Cluster> cluster_of(const Pricing& pricing, std::string server, int count, std::string_view link) {
  fabric::ClusterSpec spec;
  spec.groups.push_back({std::move(server), count, 0, "", {}});
  spec.network_given = true;
  if (!link.empty()) {
    spec.network.kind = fabric::NetworkKind::leaf_spine;
    spec.network.link = link;
    spec.network.tiers = 1;
    spec.network.radix = 8 * count + 1;
  }
  return fabric::build_cluster(pricing.catalog, spec);
}

Result<void> add_inside(const Pricing& pricing, const Inside& inside, std::vector<CompareRow>& rows) {
  Result<catalog::ServerPart> part = pricing.catalog.server(inside.server);
  if (!part) return fail(std::move(part.error()));
  const int tp = pricing.request.tp;
  if (!part->parametric && tp > part->gpus) return {};
  Result<fabric::Cluster> cluster = cluster_of(
      pricing, part->parametric ? std::string(inside.server) + ":" + std::to_string(tp) : std::string(inside.server), 1,
      "");
  if (!cluster) return fail(std::move(cluster.error()));
  const auto gpus = cluster->fabric.gpus().first(static_cast<std::size_t>(tp));
  const std::vector<fabric::DeviceId> group(gpus.begin(), gpus.end());
  const std::string link = fabric::shape_of(cluster->fabric, group).inside_link;
  Result<CompareRow> row = price(pricing, cluster->fabric, group, link, "1x" + std::to_string(tp));
  if (!row) return fail(std::move(row.error()));
  if (row->note.empty()) row->note = inside.note;
  row->note = std::string(inside.server) + (row->note.empty() ? "" : ", " + row->note);
  rows.push_back(std::move(*row));
  return {};
}

// `servers` H100 servers with tp / servers GPUs of each.
Result<void> add_network(const Pricing& pricing, std::string_view link, int servers, std::vector<CompareRow>& rows) {
  const int each = pricing.request.tp / servers;
  Result<fabric::Cluster> cluster = cluster_of(pricing, "hgx-h100-8", servers, link);
  if (!cluster) return fail(std::move(cluster.error()));
  std::vector<fabric::DeviceId> group;
  for (int s = 0; s < servers; ++s) {
    for (int g = 0; g < each; ++g)
      group.push_back(cluster->fabric.gpu(static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(g)));
  }
  Result<CompareRow> row =
      price(pricing, cluster->fabric, group, std::string(link), std::to_string(servers) + "x" + std::to_string(each));
  if (!row) return fail(std::move(row.error()));
  rows.push_back(std::move(*row));
  return {};
}

}  // namespace

Result<Comparison> compare_interconnects(const catalog::Catalog& catalog, const catalog::Calibration& calibration,
                                         const CompareRequest& request) {
  llm::Parallelism parallelism;
  parallelism.tp = request.tp;
  if (Result<void> possible = llm::check_parallelism(request.model, parallelism); !possible)
    return fail(std::move(possible.error()));
  if (request.tp < 2)
    return fail(usage_error("WEFT-PLAN-0010", "a group of one GPU sends nothing").with_expected("--tp 2 or more"));
  Result<catalog::GpuPart> gpu = catalog.gpu(request.gpu);
  if (!gpu) return fail(std::move(gpu.error()));
  const Result<llm::KernelTimes> kernels = kernel_times(calibration, *gpu, request.model);
  if (!kernels) return fail(Error(kernels.error()));
  Result<collective::Profiles> profiles = collective::load_profiles(calibration);
  if (!profiles) return fail(std::move(profiles.error()));

  Pricing pricing{catalog,
                  std::move(*profiles),
                  request,
                  llm::activation_message(request.model, request.batch),
                  llm::layer_all_reduces(request.model, parallelism),
                  {}};
  const llm::Anatomy anatomy(request.model);
  const auto batch = static_cast<double>(request.batch);
  const llm::Batch step = llm::decode_batch(batch, static_cast<double>(request.context));
  pricing.compute = llm::StepModel(anatomy, *kernels, parallelism).pass(step, true).latency();
  Comparison comparison;
  comparison.compute = pricing.compute;
  const std::string library = collective::to_text(pricing.profiles.library);
  comparison.calibration = {library, "between", "networks", pricing.profiles.kernels.id, "roofline", "serving-step"};
  comparison.assumed = {"every row computes on " + request.gpu + ": only the interconnect differs",
                        "small all-reduces inside a server by one-shot and two-shot kernels, others by " + library,
                        "network rows are H100 servers with a NIC for each GPU and GPUDirect RDMA, one switch between"};
  for (const Inside& inside : kInside) {
    if (Result<void> done = add_inside(pricing, inside, comparison.rows); !done) return fail(std::move(done.error()));
  }
  for (const std::string_view link : kNetworks) {
    std::vector<int> servers;
    if (request.tp % 2 == 0 && request.tp / 2 <= 8 && request.tp > 2) servers.push_back(2);
    servers.push_back(request.tp);
    for (const int count : servers) {
      if (Result<void> done = add_network(pricing, link, count, comparison.rows); !done)
        return fail(std::move(done.error()));
    }
  }
  return comparison;
}

Comparison rule_of_thumb(const catalog::ModelShape& model) {
  Comparison comparison;
  comparison.assumed = {
      "one all-reduce a layer (a model has two), latency alone, as quoted: a rule of thumb, not a prediction"};
  for (const Quoted& quoted : kQuoted) {
    CompareRow row;
    row.interconnect = quoted.interconnect;
    row.layout = "any";
    row.bytes = llm::activation_message(model, 1);
    row.all_reduces = model.layers;
    row.all_reduce = Duration::microseconds(quoted.low_us);
    row.total = row.all_reduce * row.all_reduces;
    Duration judged = row.total;
    if (quoted.high_us != quoted.low_us) {
      row.all_reduce_high = Duration::microseconds(quoted.high_us);
      row.total_high = *row.all_reduce_high * row.all_reduces;
      judged = *row.total_high;
    }
    const Duration first = comparison.rows.empty() ? row.total : comparison.rows.front().total;
    row.share_of_token = judged / first;
    row.verdict = judge_ratio(row.share_of_token);
    comparison.rows.push_back(std::move(row));
  }
  return comparison;
}

}  // namespace weft::plan
