#include "weft/plan/plan.h"

#include <algorithm>
#include <set>

#include "weft/plan/checklist_facts.h"
#include "weft/plan/evaluate.h"
#include "weft/plan/kernel_constants.h"
#include "weft/plan/search.h"

namespace weft::plan {
namespace {

constexpr std::size_t kMostCandidates = 300;
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

Result<void> check_fixed(const PlanRequest& request, int gpus) {
  const FixedAxes& fixed = request.fixed;
  const auto at_least_one = [](int n) { return std::max(1, n); };
  llm::Parallelism parallelism;
  parallelism.tp = at_least_one(fixed.tp);
  parallelism.pp = at_least_one(fixed.pp);
  parallelism.cp = at_least_one(fixed.cp);
  parallelism.attention_dp = at_least_one(fixed.attention_dp);
  // With the group it is spread over still open, ep is looked at by itself.
  const bool group_is_open = fixed.tp == 0 || fixed.attention_dp == 0;
  if (group_is_open && fixed.ep > parallelism.expert_gpus()) parallelism.attention_dp = fixed.ep;
  if (fixed.ep > 0) parallelism.ep = fixed.ep;
  if (Result<void> possible = llm::check_parallelism(request.model, parallelism); !possible && fixed.tp + fixed.ep > 0)
    return possible;
  parallelism.attention_dp = at_least_one(fixed.attention_dp);
  const std::int64_t copies = std::max(at_least_one(fixed.dp), parallelism.attention_dp);
  const std::int64_t product = std::int64_t{parallelism.tp} * parallelism.pp * parallelism.cp * copies;
  if (gpus % product == 0) return {};
  return fail(usage_error("WEFT-PLAN-0004", "the fixed axes need a multiple of " + std::to_string(product) +
                                                " GPUs; the cluster has " + std::to_string(gpus)));
}

std::vector<RankPlace> rank_map_of(const fabric::Fabric& fabric, Placements& placements) {
  std::vector<RankPlace> map;
  for (const fabric::DeviceId gpu : placements.order().first(std::min(placements.order().size(), kMostRankPlaces))) {
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
  Result<llm::KernelTimes> kernels = kernel_times(calibration, *gpu, request.model);
  if (!kernels) return fail(std::move(kernels.error()));
  Result<collective::Profiles> profiles = collective::load_profiles(calibration);
  if (!profiles) return fail(std::move(profiles.error()));
  const int gpus = static_cast<int>(fabric.gpus().size());
  if (Result<void> possible = check_fixed(request, gpus); !possible) return fail(std::move(possible.error()));

  const Setting setting{request, *gpu, llm::Anatomy(request.model), *kernels, std::move(*profiles)};
  Placements placements(fabric, cluster.conditions, setting.profiles);
  Plan plan;
  plan.gpu = *gpu_id;
  plan.gpus = fabric.gpus().size();
  plan.servers = fabric.servers().size();
  plan.assumed = cluster.assumed;
  plan.calibration =
      engine::closed::sets_for(fabric::shape_of(fabric, fabric.gpus(), cluster.conditions), setting.profiles);
  plan.calibration.insert(plan.calibration.end(), {setting.profiles.kernels.id, "roofline", "serving-step"});
  Evaluator evaluator(setting, placements);
  Ranking ranking = rank(setting, evaluator, all_spreads(request, gpus), kMostCandidates);
  plan.evaluated = ranking.evaluated;
  plan.candidates = std::move(ranking.candidates);
  if (plan.candidates.empty()) {
    return fail(input_error("WEFT-PLAN-0005", "no spread over all " + std::to_string(gpus) + " GPUs suits this model")
                    .with_hint("tensor parallelism must divide the " + std::to_string(request.model.heads) +
                               " attention heads"));
  }
  plan.rank_map = rank_map_of(fabric, placements);
  plan.checklist = rules::run_checklist(checklist_facts(catalog, setting, evaluator, placements, plan.candidates),
                                        cluster.conditions);
  return plan;
}

}  // namespace weft::plan
