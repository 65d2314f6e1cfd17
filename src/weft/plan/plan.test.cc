#include "weft/plan/plan.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weft/plan/compare.h"
#include "weft/plan/launch.h"

namespace weft::plan {
namespace {

const catalog::Catalog& parts() {
  static const catalog::Catalog catalog = *catalog::Catalog::builtin();
  return catalog;
}
const catalog::Calibration& constants() {
  static const catalog::Calibration calibration = *catalog::Calibration::builtin();
  return calibration;
}

fabric::Cluster cluster(const std::string& server, int count = 1, const std::string& link = "") {
  fabric::ClusterSpec spec;
  spec.groups.push_back({server, count, 0, "", {}});
  if (!link.empty()) {
    spec.network_given = true;
    spec.network.kind = fabric::NetworkKind::leaf_spine;
    spec.network.link = link;
  }
  Result<fabric::Cluster> built = fabric::build_cluster(parts(), spec);
  if (!built) ADD_FAILURE() << built.error().to_string();
  return std::move(*built);
}

PlanRequest request(const std::string& model, Objective objective = Objective::throughput) {
  PlanRequest made;
  made.model = *parts().model(model);
  made.objective = objective;
  return made;
}

Plan plan(const fabric::Cluster& on, const PlanRequest& asked) {
  Result<Plan> made = make_plan(parts(), constants(), on, asked);
  if (!made) ADD_FAILURE() << made.error().to_string();
  return std::move(*made);
}

const rules::ChecklistItem& rule(const Plan& made, const std::string& id) {
  for (const rules::ChecklistItem& item : made.checklist) {
    if (item.id == id) return item;
  }
  ADD_FAILURE() << id;
  return made.checklist.front();
}

TEST(Plan, TriesEveryPlacementThatUsesAllGpus) {
  const Plan made = plan(cluster("hgx-h100-8"), request("llama-3.1-70b"));
  EXPECT_EQ(made.candidates.size(), 16U);  // tp x pp x dp of 8: 10; and of 4, with each prompt in two parts: 6
  EXPECT_EQ(made.evaluated, 16U);
  for (const Candidate& candidate : made.candidates) EXPECT_EQ(candidate.spread.gpus(), 8);
  EXPECT_EQ(made.rank_map.size(), 8U);
  EXPECT_EQ(made.checklist.size(), 6U);
}

TEST(Plan, ALargeModelOnOneServerIsFastestWithTpEight) {
  const Plan made = plan(cluster("hgx-h100-8"), request("llama-3.1-70b", Objective::latency));
  EXPECT_EQ(made.candidates.front().spread.parallelism.tp, 8);
  EXPECT_EQ(made.candidates.front().axes.front().count_per_step, 160);
  EXPECT_EQ(made.candidates.front().axes.front().link, "nvlink4");
  EXPECT_EQ(made.candidates.front().axes.front().scope, fabric::Scope::nvlink_domain);
}

TEST(Plan, RanksWhatFitsBeforeWhatDoesNotAndSaysHowMuchIsMissing) {
  const Plan made = plan(cluster("hgx-h100-8"), request("llama-3.1-405b"));
  bool seen_infeasible = false;
  for (const Candidate& candidate : made.candidates) {
    EXPECT_EQ(candidate.verdict == Verdict::infeasible, !candidate.fits);
    if (!candidate.fits) {
      seen_infeasible = true;
      EXPECT_GT(candidate.memory.total(), candidate.memory.limit);
      EXPECT_NE(candidate.reasons.back().find("too much"), std::string::npos);
    } else {
      EXPECT_FALSE(seen_infeasible);
    }
  }
  EXPECT_TRUE(seen_infeasible);
}

// One decode step by hand: 70B bf16 weights over eight GPUs, the cache, and 160 all-reduces.
TEST(Plan, AStepIsWhatItsPartsSay) {
  const Plan made = plan(cluster("hgx-h100-8"), request("llama-3.1-70b", Objective::latency));
  const Candidate& best = made.candidates.front();
  const double decoding = best.state.decoding;
  EXPECT_GT(decoding, 25);
  EXPECT_LT(decoding, 32);  // the others wait for their first token
  const double weights_us = 70.55e9 * 2 / 8 / (3.35e12 * 0.77) * 1e6;
  const double cache_us = decoding * (2048 + 128) * 80.0 * 2 * 128 * 2 * 8 / 8 / (3.35e12 * 0.8) * 1e6;
  const double small_us = 500 + 80 * 11 * 2.0;  // the engine's own, and the small kernels of each layer
  EXPECT_NEAR(best.compute.us(), weights_us + cache_us + small_us, 0.06 * best.compute.us());
  EXPECT_EQ(best.axes.front().bytes, Bytes(static_cast<std::int64_t>(std::ceil(decoding)) * 8192 * 2));
  EXPECT_NEAR(best.axes.front().share, best.axes.front().time / best.step(), 1e-9);
  EXPECT_GT(best.tpot, best.step());  // prompts are worked on beside
}

TEST(Plan, ExpertsAndAttentionCopiesShareTheGpus) {
  PlanRequest asked = request("deepseek-v3");
  asked.workload.concurrency = 256;
  const Plan made = plan(cluster("hgx-h100-8", 4), asked);
  EXPECT_GT(made.candidates.front().spread.parallelism.attention_dp, 1);
  EXPECT_GT(made.candidates.front().spread.parallelism.ep, 1);
  bool over_network = false;
  for (const AxisCost& axis : made.candidates.front().axes)
    over_network = over_network || (axis.axis == llm::Axis::ep && axis.link == "ib-ndr" && axis.time > Duration(0));
  EXPECT_TRUE(over_network);
  asked.fixed = {.tp = 1, .pp = 1, .dp = 32, .ep = 32, .cp = 1, .attention_dp = 32};
  const Plan one = plan(cluster("hgx-h100-8", 4), asked);
  ASSERT_EQ(one.candidates.size(), 1U);
  EXPECT_EQ(one.candidates.front().spread.parallelism.ep, 32);
}

TEST(Plan, ContextParallelismIsForLongPrompts) {
  PlanRequest asked = request("llama-3.1-70b");
  asked.workload = {.prompt = 131072,
                    .output = 256,
                    .concurrency = 1,
                    .rate = {},
                    .fill_memory = false,
                    .chunk = 0,
                    .expert_skew = 1};
  asked.fixed.tp = 4;
  asked.fixed.pp = 1;
  const Plan made = plan(cluster("hgx-h100-8"), asked);
  Duration alone;
  Duration halved;
  for (const Candidate& candidate : made.candidates)
    (candidate.spread.parallelism.cp == 2 ? halved : alone) = candidate.ttft;
  EXPECT_LT(halved.us(), 0.6 * alone.us());
  EXPECT_GT(halved.us(), 0.45 * alone.us());
}

TEST(Plan, ARateIsMetOrSaidToBeTooMuch) {
  PlanRequest asked = request("llama-3.1-70b");
  asked.workload.rate = 2.0;
  const Plan calm = plan(cluster("hgx-h100-8"), asked);
  EXPECT_TRUE(calm.candidates.front().keeps_up);
  EXPECT_NEAR(calm.candidates.front().tokens_per_s_per_gpu, 2.0 * 256 / 8, 1e-9);
  EXPECT_NEAR(calm.candidates.front().state.requests_per_s * calm.candidates.front().spread.dp(), 2.0, 0.02);
  asked.workload.rate = 500.0;
  const Plan flooded = plan(cluster("hgx-h100-8"), asked);
  EXPECT_FALSE(flooded.candidates.front().keeps_up && flooded.candidates.front().fits);
}

TEST(Plan, AnSloComesBeforeThroughputAndIsFilledUp) {
  PlanRequest asked = request("llama-3.1-70b");
  asked.slo.tpot = Duration::from_us(20'000);
  asked.load_given = false;
  const Plan made = plan(cluster("hgx-h100-8"), asked);
  const Candidate& best = made.candidates.front();
  EXPECT_TRUE(best.within_slo);
  EXPECT_LE(best.tpot.us(), 20'000);
  EXPECT_GT(best.tpot.us(), 18'000);  // no room for a few more
  for (const Candidate& candidate : made.candidates) {
    if (candidate.fits && candidate.within_slo) {
      EXPECT_LE(candidate.tokens_per_s_per_gpu, best.tokens_per_s_per_gpu);
    }
  }
}

TEST(Plan, TpThatDoesNotDivideTheHeadsIsExplained) {
  PlanRequest asked = request("llama-3.1-70b");
  asked.fixed.tp = 3;
  const Result<Plan> made = make_plan(parts(), constants(), cluster("hgx-h100-8"), asked);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().id, "WEFT-LLM-0001");
  EXPECT_EQ(made.error().kind, ErrorKind::usage);
  asked.fixed.tp = 16;
  EXPECT_EQ(make_plan(parts(), constants(), cluster("hgx-h100-8"), asked).error().id, "WEFT-PLAN-0004");
}

TEST(Plan, AClusterWithoutGpusIsRefused) {
  const fabric::Cluster hosts = *fabric::build_cluster(parts(), *fabric::parse_short_form("fat-tree:k=4,rate=400Gb/s"));
  EXPECT_EQ(make_plan(parts(), constants(), hosts, request("llama-3.1-8b")).error().id, "WEFT-PLAN-0001");
}

TEST(Plan, MixedUnknownAndUnsuitableGpusAreRefused) {
  fabric::ClusterSpec mixed;
  mixed.groups.push_back({"hgx-h100-8", 1, 0, "", {}});
  mixed.groups.push_back({"hgx-a100-8", 1, 0, "", {}});
  EXPECT_EQ(make_plan(parts(), constants(), *fabric::build_cluster(parts(), mixed), request("llama-3.1-8b")).error().id,
            "WEFT-PLAN-0002");
  fabric::FabricBuilder builder;
  builder.open_server({});
  builder.add_server_device(fabric::DeviceKind::gpu, builder.model({}));
  fabric::Cluster unknown;
  unknown.fabric = std::move(builder).finish();
  EXPECT_EQ(make_plan(parts(), constants(), unknown, request("llama-3.1-8b")).error().id, "WEFT-PLAN-0003");
  PlanRequest more_stages_than_layers = request("llama-3.1-8b");
  more_stages_than_layers.fixed.dp = more_stages_than_layers.fixed.cp = 1;
  more_stages_than_layers.model.heads = more_stages_than_layers.model.kv_heads = 1;
  more_stages_than_layers.model.layers = 4;
  EXPECT_EQ(make_plan(parts(), constants(), cluster("hgx-h100-8"), more_stages_than_layers).error().id,
            "WEFT-PLAN-0005");
}

TEST(Plan, AcrossServersTensorParallelismCostsMoreThanInside) {
  const Plan made = plan(cluster("hgx-h100-8", 2), request("llama-3.1-70b"));
  EXPECT_EQ(made.candidates.front().spread.parallelism.tp, 8);
  EXPECT_EQ(made.candidates.front().spread.dp(), 2);
  EXPECT_EQ(rule(made, "tp-within-nvlink").state, rules::State::ok);
  EXPECT_GT(rule(made, "tp-within-nvlink").cost, Duration(0));
  EXPECT_EQ(rule(made, "ib-across-no-tp").state, rules::State::ok);
  EXPECT_EQ(rule(made, "congestion-watched").state, rules::State::unknown);
  for (const Candidate& candidate : made.candidates) {
    if (candidate.spread.parallelism.tp != 16) continue;
    EXPECT_EQ(candidate.axes.front().link, "ib-ndr");
    EXPECT_GT(candidate.axes.front().share, made.candidates.front().axes.front().share);
  }
}

TEST(Plan, TheChecklistSeesWhatIsBroken) {
  PlanRequest asked = request("llama-3.1-70b");
  asked.fixed.tp = 16;
  const Plan over_roce = plan(cluster("hgx-h100-8", 2, "roce-v2-400g"), asked);
  EXPECT_EQ(rule(over_roce, "tp-within-nvlink").state, rules::State::broken);
  EXPECT_EQ(rule(over_roce, "roce-dp-pp-only").state, rules::State::broken);
  EXPECT_GT(rule(over_roce, "roce-dp-pp-only").cost_fraction, 0.1);
  EXPECT_EQ(rule(over_roce, "lossless-pfc-ecn").state, rules::State::unknown);
  EXPECT_GT(rule(over_roce, "lossless-pfc-ecn").cost, Duration(0));

  fabric::Cluster with_fault = cluster("hgx-h100-8", 2, "roce-v2-400g");
  with_fault.conditions.add(*fabric::parse_condition(with_fault.fabric, "ecn-off leaf0"));
  EXPECT_EQ(rule(plan(with_fault, asked), "lossless-pfc-ecn").state, rules::State::broken);

  const Plan pcie = plan(cluster("pcie-l40s:4"), request("llama-3.1-8b", Objective::latency));
  EXPECT_EQ(rule(pcie, "tp-within-nvlink").state,
            pcie.candidates.front().spread.parallelism.tp > 1 ? rules::State::broken : rules::State::ok);
}

TEST(Plan, TheChecklistKnowsThatExpertsCrossServers) {
  PlanRequest asked = request("deepseek-v3");
  asked.fixed.ep = 32;
  const Plan infiniband = plan(cluster("hgx-h100-8", 4), asked);
  EXPECT_NE(rule(infiniband, "ib-across-no-tp").why.find("expert parallelism crosses"), std::string::npos);
  const Plan roce = plan(cluster("hgx-h100-8", 4, "roce-v2-400g"), asked);
  EXPECT_NE(rule(roce, "roce-dp-pp-only").why.find("all-to-alls of the experts"), std::string::npos);
  EXPECT_EQ(rule(roce, "lossless-pfc-ecn").state, rules::State::unknown);
  EXPECT_GT(rule(roce, "lossless-pfc-ecn").cost.count(), 0);
}

TEST(Plan, AFaultMakesTheGroupsSlowestGpuDecide) {
  PlanRequest asked = request("llama-3.1-70b");
  asked.fixed.tp = 8;
  fabric::Cluster faulty = cluster("hgx-h100-8", 2);
  const Duration before = plan(faulty, asked).candidates.front().communication;
  faulty.conditions.add(*fabric::parse_condition(faulty.fabric, "links 6 server1.gpu3"));
  EXPECT_GT(plan(faulty, asked).candidates.front().communication, before);
}

TEST(Plan, KvHeadsBeyondTpAreHeldTwice) {
  PlanRequest asked = request("llama-3.1-70b");  // 8 KV heads
  asked.fixed.tp = 16;
  const Plan made = plan(cluster("hgx-h100-8", 2), asked);
  bool said = false;
  for (const std::string& reason : made.candidates.front().reasons)
    said = said || reason.find("each is held 2 times") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(Verdict, FollowsTheThresholds) {
  EXPECT_EQ(judge_share(0.15), Verdict::recommended);
  EXPECT_EQ(judge_share(0.1501), Verdict::usable);
  EXPECT_EQ(judge_share(0.35), Verdict::usable);
  EXPECT_EQ(judge_share(0.65), Verdict::discouraged);
  EXPECT_EQ(judge_share(0.66), Verdict::unusable);
  EXPECT_EQ(judge_ratio(1.25), Verdict::recommended);
  EXPECT_EQ(judge_ratio(2), Verdict::usable);
  EXPECT_EQ(judge_ratio(10), Verdict::discouraged);
  EXPECT_EQ(judge_ratio(10.01), Verdict::unusable);
}

TEST(Compare, TheRuleOfThumbIsExact) {
  const Comparison thumb = rule_of_thumb(*parts().model("llama-3.1-70b"));
  const std::vector<std::string> names = {"nvlink4", "nvlink4-2hop", "ib-ndr", "roce-200g", "tcp", "pcie5"};
  const std::vector<double> totals = {240, 400, 1200, 2400, 8000, 400};
  const std::vector<Verdict> verdicts = {Verdict::recommended, Verdict::usable,   Verdict::discouraged,
                                         Verdict::discouraged, Verdict::unusable, Verdict::discouraged};
  ASSERT_EQ(thumb.rows.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(thumb.rows[i].interconnect, names[i]);
    EXPECT_DOUBLE_EQ(thumb.rows[i].total.us(), totals[i]);
    EXPECT_EQ(thumb.rows[i].verdict, verdicts[i]) << names[i];
  }
  EXPECT_DOUBLE_EQ(thumb.rows.back().total_high->us(), 800);
}

TEST(Compare, LatencyGrowsFromNvlinkToTcp) {
  CompareRequest asked;
  asked.model = *parts().model("llama-3.1-70b");
  const Result<Comparison> comparison = compare_interconnects(parts(), constants(), asked);
  ASSERT_TRUE(comparison) << comparison.error().to_string();
  const auto row = [&](const std::string& link, const std::string& layout) {
    for (const CompareRow& each : comparison->rows) {
      if (each.interconnect == link && each.layout == layout) return each;
    }
    ADD_FAILURE() << link << " " << layout;
    return CompareRow{};
  };
  EXPECT_EQ(row("nvlink4", "1x8").all_reduces, 160);
  EXPECT_EQ(row("nvlink4", "1x8").bytes, Bytes(8192 * 2));
  EXPECT_GE(row("nvlink4", "1x8").all_reduce.us(), 3);  // what the field measures inside an NVSwitch domain
  EXPECT_LE(row("nvlink4", "1x8").all_reduce.us(), 25);
  EXPECT_LT(row("nvlink4", "1x8").total, row("ib-ndr", "2x4").total);
  EXPECT_LT(row("ib-ndr", "2x4").total, row("ib-ndr", "8x1").total);
  EXPECT_LT(row("ib-ndr", "8x1").total, row("roce-v2-400g", "8x1").total);  // the same rate
  EXPECT_LT(row("roce-v2-400g", "8x1").total, row("tcp", "8x1").total);
  EXPECT_GE(row("tcp", "8x1").all_reduce.us(), 100);
  asked.tp = 3;
  EXPECT_EQ(compare_interconnects(parts(), constants(), asked).error().id, "WEFT-LLM-0001");
  asked.tp = 1;
  EXPECT_EQ(compare_interconnects(parts(), constants(), asked).error().id, "WEFT-PLAN-0010");
}

TEST(Launch, QuotesNamesForAShell) {
  EXPECT_EQ(shell_quoted("meta-llama/Llama-3.1-70B"), "meta-llama/Llama-3.1-70B");
  EXPECT_EQ(shell_quoted("a b; rm -rf /"), "'a b; rm -rf /'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\"'\"'s'");
  EXPECT_EQ(shell_quoted("--flag"), "'--flag'");
  EXPECT_EQ(shell_quoted(""), "''");
}

TEST(Launch, GivesEachEngineItsOwnWords) {
  const PlanRequest asked = request("llama-3.1-70b");
  const Plan made = plan(cluster("hgx-h100-8", 2), asked);
  const Launch launch = launch_lines(asked, made.candidates.front(), made);
  EXPECT_EQ(launch.vllm,
            "vllm serve meta-llama/Llama-3.1-70B --tensor-parallel-size 8 --data-parallel-size 2 "
            "--data-parallel-size-local 1 "
            "--data-parallel-address $HEAD --data-parallel-rpc-port 13345 --max-model-len 2304 --max-num-seqs 16 "
            "--max-num-batched-tokens 8192 --gpu-memory-utilization 0.9");
  EXPECT_NE(launch.sglang.find("--tp-size 8"), std::string::npos);
  EXPECT_NE(launch.trtllm.find("--tp_size 8"), std::string::npos);
  EXPECT_TRUE(launch.nccl_env.empty());
}

Launch experts_over_four_servers(int tp, int attention_dp, int ep) {
  PlanRequest asked = request("deepseek-v3");
  asked.workload.concurrency = 256;
  asked.fixed = {.tp = tp, .ep = ep, .attention_dp = attention_dp};
  const Plan made = plan(cluster("hgx-h100-8", 4), asked);
  return launch_lines(asked, made.candidates.front(), made);
}

// Every GPU of the spread is in the line, in each engine's own count.
TEST(Launch, CountsTheGpusOfAttentionCopiesAsEachEngineDoes) {
  const Launch pairs = experts_over_four_servers(2, 16, 32);
  EXPECT_NE(pairs.vllm.find("--tensor-parallel-size 2 --data-parallel-size 16 --data-parallel-size-local 4"),
            std::string::npos);
  EXPECT_NE(pairs.vllm.find("--enable-expert-parallel"), std::string::npos);
  EXPECT_NE(pairs.vllm.find("--max-num-seqs 16 "), std::string::npos);
  EXPECT_NE(pairs.sglang.find("--tp-size 32 --dp-size 16 --enable-dp-attention --ep-size 32 --nnodes 4"),
            std::string::npos);
  EXPECT_TRUE(pairs.trtllm.starts_with("# trtllm: no line for attention copies of 2 GPUs"));
  const Launch singles = experts_over_four_servers(1, 32, 32);
  EXPECT_NE(singles.trtllm.find(
                "-N4 --ntasks-per-node=8 trtllm-llmapi-launch trtllm-serve deepseek-ai/DeepSeek-V3 --tp_size 32"),
            std::string::npos);
  EXPECT_NE(singles.trtllm.find("--ep_size 32 --config serve.yaml"), std::string::npos);
}

TEST(Launch, SaysWhatAnEngineHasNoWordsFor) {
  EXPECT_TRUE(experts_over_four_servers(2, 16, 8).vllm.starts_with("# vllm: no line for ep 8"));
  PlanRequest asked = request("llama-3.1-70b");
  asked.fixed.cp = 2;
  const Plan made = plan(cluster("hgx-h100-8"), asked);
  const Launch launch = launch_lines(asked, made.candidates.front(), made);
  for (const std::string& line : {launch.vllm, launch.sglang, launch.trtllm}) EXPECT_TRUE(line.starts_with("# "));
}

TEST(Launch, ANarrowCacheIsAskedFor) {
  PlanRequest asked = request("llama-3.1-70b");
  asked.model.kv_cache = catalog::NumberFormat::fp8;
  const Plan made = plan(cluster("hgx-h100-8"), asked);
  const Launch launch = launch_lines(asked, made.candidates.front(), made);
  EXPECT_NE(launch.vllm.find("--kv-cache-dtype fp8"), std::string::npos);
  EXPECT_NE(launch.sglang.find("--kv-cache-dtype fp8_e4m3"), std::string::npos);
  ASSERT_EQ(launch.notes.size(), 1U);
  EXPECT_NE(launch.notes.front().find("dtype: fp8"), std::string::npos);
}

}  // namespace
}  // namespace weft::plan
