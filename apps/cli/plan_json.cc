#include <nlohmann/json.hpp>

#include "plan_print.h"
#include "weft/catalog/model_rules.h"
#include "weft/llm/parameters.h"
#include "weft/plan/launch.h"

namespace weft::cli {
namespace {

using plan::Candidate;

nlohmann::ordered_json workload_json(const plan::PlanRequest& request) {
  const plan::ServingWorkload& workload = request.workload;
  const bool filled = workload.fill_memory || (!request.load_given && request.slo.given());
  nlohmann::ordered_json json = {{"for", "serve"},
                                 {"prompt_tokens", workload.prompt},
                                 {"output_tokens", workload.output},
                                 {"concurrency", nullptr},
                                 {"rate_per_s", nullptr},
                                 {"chunk_tokens", workload.chunk},
                                 {"expert_skew", workload.expert_skew},
                                 {"weights", catalog::name_of(request.model.weights)},
                                 {"kv_cache", catalog::name_of(request.model.kv_cache)},
                                 {"slo", {{"ttft_us", nullptr}, {"tpot_us", nullptr}}}};
  if (workload.rate) json["rate_per_s"] = *workload.rate;
  if (!workload.rate && !filled) json["concurrency"] = workload.concurrency;
  if (request.slo.ttft) json["slo"]["ttft_us"] = request.slo.ttft->us();
  if (request.slo.tpot) json["slo"]["tpot_us"] = request.slo.tpot->us();
  json["objective"] = request.objective == plan::Objective::latency ? "latency" : "throughput";
  return json;
}

nlohmann::ordered_json axis_json(const plan::AxisCost& axis) {
  return {{"axis", name_of(axis.axis)},   {"link", axis.link},
          {"scope", name_of(axis.scope)}, {"collective", axis.collective},
          {"algorithm", axis.algorithm},  {"count_per_step", axis.count_per_step},
          {"bytes", axis.bytes.count()},  {"also", axis.also},
          {"time_us", axis.time.us()},    {"share", axis.share}};
}

nlohmann::ordered_json candidate_json(std::size_t rank, const Candidate& candidate) {
  const llm::Parallelism& parallelism = candidate.spread.parallelism;
  nlohmann::ordered_json json = {{"rank", rank},
                                 {"tp", parallelism.tp},
                                 {"pp", parallelism.pp},
                                 {"dp", candidate.spread.dp()},
                                 {"ep", parallelism.ep},
                                 {"cp", parallelism.cp},
                                 {"attention_dp", parallelism.attention_dp},
                                 {"sequence_parallel", parallelism.sequence_parallel},
                                 {"fits", candidate.fits},
                                 {"memory_bytes_per_gpu", candidate.memory.total().count()},
                                 {"memory_limit_bytes", candidate.memory.limit.count()},
                                 {"memory",
                                  {{"weights_bytes", candidate.memory.weights.count()},
                                   {"kv_cache_bytes", candidate.memory.kv_cache.count()},
                                   {"workspace_bytes", candidate.memory.workspace.count()}}},
                                 {"ttft_us", candidate.ttft.us()},
                                 {"tpot_us", candidate.tpot.us()},
                                 {"compute_us", candidate.compute.us()},
                                 {"communication_us", candidate.communication.us()},
                                 {"decode_step_us", candidate.step().us()},
                                 {"prefill_share", candidate.state.prefill_share},
                                 {"capacity_sequences", candidate.capacity},
                                 {"sequences_per_copy", candidate.sequences},
                                 {"within_slo", candidate.within_slo},
                                 {"keeps_up", candidate.keeps_up},
                                 {"tokens_per_s_per_gpu", candidate.tokens_per_s_per_gpu}};
  json["axes"] = nlohmann::ordered_json::array();
  for (const plan::AxisCost& axis : candidate.axes) json["axes"].push_back(axis_json(axis));
  json["verdict"] = plan::name_of(candidate.verdict);
  json["reasons"] = candidate.reasons;
  return json;
}

nlohmann::ordered_json optional_number(std::uint32_t value) {
  return value == fabric::Fabric::kNoDomain ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(value);
}

nlohmann::ordered_json launch_json(const PlanView& view) {
  const plan::Launch launch = plan::launch_lines(view.request, view.plan.candidates.front(), view.plan);
  nlohmann::ordered_json json = {{"vllm", launch.vllm}, {"sglang", launch.sglang}, {"trtllm", launch.trtllm}};
  json["notes"] = launch.notes;
  json["nccl_env"] = nlohmann::ordered_json::object();
  for (const plan::EnvironmentSetting& setting : launch.nccl_env) json["nccl_env"][setting.name] = setting.value;
  json["rank_map"] = nlohmann::ordered_json::array();
  for (const plan::RankPlace& place : view.plan.rank_map) {
    json["rank_map"].push_back({{"rank", place.rank},
                                {"server", place.server},
                                {"gpu", place.gpu},
                                {"nvlink_domain", optional_number(place.nvlink_domain)},
                                {"leaf", optional_number(place.leaf)},
                                {"rack", place.rack}});
  }
  return json;
}

}  // namespace

nlohmann::ordered_json plan_json(const PlanView& view) {
  const catalog::ModelShape& model = view.request.model;
  nlohmann::ordered_json document = {{"schema", "weft/plan/1"}};
  document["cluster"] = {{"name", view.cluster.cluster.name},
                         {"format", view.cluster.format},
                         {"gpus", view.plan.gpus},
                         {"servers", view.plan.servers},
                         {"gpu", view.plan.gpu}};
  document["model"] = {{"name", model.id},
                       {"parameters", llm::count_parameters(model).total()},
                       {"layers", model.layers},
                       {"hidden", model.hidden}};
  document["workload"] = workload_json(view.request);
  document["calibration"] = view.plan.calibration;
  document["assumed"] = view.model.assumed;
  for (const std::string& assumed : view.plan.assumed) document["assumed"].push_back(assumed);
  document["evaluated"] = view.plan.evaluated;
  document["candidates"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < view.plan.candidates.size(); ++i)
    document["candidates"].push_back(candidate_json(i + 1, view.plan.candidates[i]));
  document["checklist"] = nlohmann::ordered_json::array();
  for (const rules::ChecklistItem& item : view.plan.checklist) {
    document["checklist"].push_back({{"id", item.id},
                                     {"state", name_of(item.state)},
                                     {"why", item.why},
                                     {"cost_us", item.cost.us()},
                                     {"cost_fraction", item.cost_fraction}});
  }
  document["verdict_thresholds"] = {{"recommended", plan::kRecommendedShare},
                                    {"usable", plan::kUsableShare},
                                    {"discouraged", plan::kDiscouragedShare}};
  if (view.plan.candidates.front().fits) document["launch"] = launch_json(view);
  return document;
}

}  // namespace weft::cli
