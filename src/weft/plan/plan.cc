#include "weft/plan/plan.h"

#include <algorithm>
#include <set>

#include "weft/plan/checklist_facts.h"
#include "weft/plan/evaluate.h"
#include "weft/plan/roofline.h"

namespace weft::plan {
namespace {

constexpr std::size_t kMostRankPlaces = 4096;  // rank maps beyond this are for files, not for eyes

Result<std::string> gpu_of(const fabric::Fabric& fabric) {
  if (fabric.gpus().empty()) return fail(input_error("WEFT-PLAN-0001", "the cluster has no GPU"));
  std::set<std::string> parts;
  for (const fabric::DeviceId gpu : fabric.gpus()) parts.insert(fabric.model(gpu).part);
  if (parts.size() > 1) {
    std::string list;
    for (const std::string& part : parts) list += (list.empty() ? "" : ", ") + (part.empty() ? "unknown" : part);
    return fail(
        unassessable_error("WEFT-PLAN-0002", "the cluster mixes GPUs: " + list).with_hint("plan each kind by itself"));
  }
  if (parts.begin()->empty()) {
    return fail(input_error("WEFT-PLAN-0003", "the file does not say which GPU this is")
                    .with_expected("--gpu h100-sxm5 or another GPU of the catalog"));
  }
  return *parts.begin();
}

std::vector<int> divisors(int n) {
  std::vector<int> found;
  for (int d = 1; d <= n; ++d) {
    if (n % d == 0) found.push_back(d);
  }
  return found;
}

bool wanted(int fixed, int value) { return fixed == 0 || fixed == value; }

Result<void> check_fixed(const PlanRequest& request, int gpus) {
  const int tp = std::max(1, request.fixed_tp);
  const int pp = std::max(1, request.fixed_pp);
  llm::Parallelism parallelism;
  parallelism.tp = tp;
  parallelism.pp = pp;
  if (Result<void> possible = llm::check_parallelism(request.model, parallelism); !possible) return possible;
  const std::int64_t product = std::int64_t{tp} * pp * std::max(1, request.fixed_dp);
  if (gpus % product == 0) return {};
  return fail(usage_error("WEFT-PLAN-0004", "the fixed axes need a multiple of " + std::to_string(product) +
                                                " GPUs; the cluster has " + std::to_string(gpus)));
}

bool better(const Candidate& a, const Candidate& b, Objective objective) {
  if (a.fits != b.fits) return a.fits;
  if (!a.fits) return a.memory.total() < b.memory.total();
  if (objective == Objective::latency && a.tpot != b.tpot) return a.tpot < b.tpot;
  if (a.tokens_per_s_per_gpu != b.tokens_per_s_per_gpu) return a.tokens_per_s_per_gpu > b.tokens_per_s_per_gpu;
  return a.tpot < b.tpot;
}

std::vector<Candidate> search(const Setting& setting, Placements& placements, int gpus) {
  std::vector<Candidate> candidates;
  const PlanRequest& request = setting.request;
  for (const int tp : divisors(gpus)) {
    if (!wanted(request.fixed_tp, tp) || tp > request.model.heads) continue;
    for (const int pp : divisors(gpus / tp)) {
      const int dp = gpus / tp / pp;
      llm::Parallelism parallelism;
      parallelism.tp = tp;
      parallelism.pp = pp;
      if (!wanted(request.fixed_pp, pp) || !wanted(request.fixed_dp, dp) ||
          !llm::check_parallelism(request.model, parallelism))
        continue;
      candidates.push_back(evaluate(setting, placements, tp, pp, dp));
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [&](const Candidate& a, const Candidate& b) { return better(a, b, request.objective); });
  return candidates;
}

std::vector<RankPlace> rank_map_of(const fabric::Fabric& fabric, Placements& placements) {
  std::vector<RankPlace> map;
  for (const fabric::DeviceId gpu : fabric.gpus().first(std::min(fabric.gpus().size(), kMostRankPlaces))) {
    RankPlace place;
    place.rank = static_cast<int>(map.size());
    place.server = fabric.device(gpu).server;
    place.gpu = fabric.device(gpu).index;
    place.nvlink_domain = fabric.nvlink_domain(gpu);
    place.rack = fabric.rack_of(gpu);
    const fabric::DeviceId nic = placements.nic_of(gpu);
    const fabric::DeviceId leaf = nic.valid() ? fabric.leaf_of(nic) : fabric::DeviceId::none();
    place.leaf = leaf.valid() ? fabric.device(leaf).index : fabric::Fabric::kNoDomain;
    map.push_back(place);
  }
  return map;
}

}  // namespace

Result<Plan> make_plan(const catalog::Catalog& catalog, const catalog::Calibration& calibration,
                       const fabric::Cluster& cluster, const PlanRequest& request) {
  const fabric::Fabric& fabric = cluster.fabric;
  Result<std::string> gpu_id = gpu_of(fabric);
  if (!gpu_id) return fail(std::move(gpu_id.error()));
  Result<catalog::GpuPart> gpu = catalog.gpu(*gpu_id);
  if (!gpu) return fail(std::move(gpu.error()));
  Result<llm::RooflineEfficiency> efficiency = roofline_efficiency(calibration, *gpu, request.model.weights);
  if (!efficiency) return fail(std::move(efficiency.error()));
  Result<collective::Profiles> profiles = collective::load_profiles(calibration);
  if (!profiles) return fail(std::move(profiles.error()));
  const int gpus = static_cast<int>(fabric.gpus().size());
  if (Result<void> possible = check_fixed(request, gpus); !possible) return fail(std::move(possible.error()));

  const Setting setting{request, *gpu, *efficiency, std::move(*profiles)};
  Placements placements(fabric, cluster.conditions, setting.profiles);
  Plan plan;
  plan.gpu = *gpu_id;
  plan.gpus = fabric.gpus().size();
  plan.servers = fabric.servers().size();
  plan.assumed = cluster.assumed;
  plan.calibration =
      engine::closed::sets_for(fabric::shape_of(fabric, fabric.gpus(), cluster.conditions), setting.profiles);
  plan.calibration.insert(plan.calibration.end(), {setting.profiles.kernels.id, "roofline"});
  plan.candidates = search(setting, placements, gpus);
  if (plan.candidates.empty()) {
    return fail(input_error("WEFT-PLAN-0005", "no TP x PP x DP of " + std::to_string(gpus) + " GPUs suits this model")
                    .with_hint("tensor parallelism must divide the " + std::to_string(request.model.heads) +
                               " attention heads"));
  }
  plan.rank_map = rank_map_of(fabric, placements);
  plan.checklist =
      rules::run_checklist(checklist_facts(catalog, setting, placements, fabric, plan.candidates), cluster.conditions);
  return plan;
}

}  // namespace weft::plan
