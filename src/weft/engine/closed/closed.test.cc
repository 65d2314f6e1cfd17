#include "weft/engine/closed/closed.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "weft/collective/schedule_cost.h"
#include "weft/engine/closed/estimate.h"
#include "weft/fabric/cluster.h"

namespace weft::engine::closed {
namespace {

using collective::Operation;
using fabric::GroupShape;

const catalog::Catalog& parts() {
  static const catalog::Catalog catalog = *catalog::Catalog::builtin();
  return catalog;
}
const collective::Profiles& profiles() {
  static const collective::Profiles loaded = *collective::load_profiles(*catalog::Calibration::builtin());
  return loaded;
}

fabric::Fabric build(const std::string& server, int count = 1) {
  fabric::ClusterSpec spec;
  spec.groups.push_back({server, count, 0, "", {}});
  return std::move(fabric::build_cluster(parts(), spec)->fabric);
}

GroupShape all_of(const std::string& server, int gpus) {
  const fabric::Fabric fabric = build(server);
  return fabric::shape_of(fabric, fabric.gpus().first(static_cast<std::size_t>(gpus)));
}

double time_us(const GroupShape& shape, std::int64_t bytes, bool kernels = false,
               Operation operation = Operation::all_reduce) {
  const Result<Cost> cost = collective_cost({operation, Bytes(bytes)}, shape, profiles(), kernels);
  if (!cost) ADD_FAILURE() << cost.error().to_string();
  return cost->total.us();
}

double busbw(const GroupShape& shape, std::int64_t bytes) {
  return static_cast<double>(bytes) / time_us(shape, bytes) / 1e3 *
         collective::bus_factor(Operation::all_reduce, shape.ranks);
}

constexpr std::int64_t kGi = std::int64_t{1} << 30;

// m servers of 8 GPUs on NVLink, with a network of no latency of its own: what NCCL's tuner sees.
GroupShape nvlink_servers(int servers) {
  GroupShape shape = all_of("hgx-h100-8", 8);
  shape.nvls = false;
  shape.servers = servers;
  shape.ranks = 8 * servers;
  shape.between = catalog::LinkClass::infiniband;
  shape.between_link = "ib-ndr";
  shape.nic_rate_per_rank = Rate::gbit_per_s(400);
  shape.nic_rate_per_server = Rate::gbit_per_s(3200);
  return shape;
}

double ring_busbw(const GroupShape& shape, std::int64_t bytes) {
  const Result<Cost> cost =
      collective_cost({Operation::all_reduce, Bytes(bytes), collective::Algorithm::ring}, shape, profiles());
  if (!cost) ADD_FAILURE() << cost.error().to_string();
  return static_cast<double>(bytes) / cost->total.us() / 1e3 *
         collective::bus_factor(Operation::all_reduce, shape.ranks);
}

// Published medians: 15.5 us on 8 x H100 (NVIDIA aiconfigurator database), 30 / 42 / 63 us over InfiniBand on 2, 4 and
// 32 servers of 8 (nccl-tests logs), a step for every doubling.
TEST(Closed, SmallMessagesTakeAsLongAsMeasured) {
  EXPECT_NEAR(time_us(nvlink_servers(1), 8), 15.5, 0.1 * 15.5);
  EXPECT_NEAR(time_us(nvlink_servers(2), 8), 30, 0.15 * 30);
  EXPECT_NEAR(time_us(nvlink_servers(4), 8), 42, 0.15 * 42);
  EXPECT_NEAR(time_us(nvlink_servers(32), 8), 63, 0.15 * 63);
  const double step = time_us(nvlink_servers(8), 8) - time_us(nvlink_servers(4), 8);
  EXPECT_NEAR(time_us(nvlink_servers(128), 8) - time_us(nvlink_servers(64), 8), step, 0.01);
}

// Published: a ring reaches 370 GB/s of busbw on 8 x H100 (what NCCL counts for 18 links: 370.8), 230-240 on 8 x A100;
// NVLS 475-480 on H100.
TEST(Closed, LargeMessagesReachThePublishedBusBandwidth) {
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  EXPECT_NEAR(busbw(h100, 8 * kGi), 477, 0.04 * 477);
  EXPECT_NEAR(ring_busbw(h100, 8 * kGi), 370.8, 0.02 * 370.8);
  const double a100 = ring_busbw(all_of("hgx-a100-8", 8), 8 * kGi);
  EXPECT_GT(a100, 0.97 * 230);
  EXPECT_LT(a100, 1.03 * 240);
}

// Published: 215 GB/s with NVLS on 8 x H800, which has 8 of 18 links; 360-377 GB/s one way between two H100.
TEST(Closed, HalfBoardsAndPairsFollowTheirLinks) {
  EXPECT_NEAR(busbw(all_of("hgx-h800-8", 8), 8 * kGi), 215, 0.04 * 215);
  EXPECT_NEAR(all_of("hgx-h100-8", 2).inside_rate.gbytes(), 368, 0.05 * 368);
}

GroupShape over_roce(int servers) {
  GroupShape shape = nvlink_servers(servers);
  shape.between = catalog::LinkClass::roce;
  shape.between_link = "roce-v2-400g";
  return shape;
}

// The half-size of a ring between servers grows with the ranks: 1.6 to 2.2 MB each (SimAI's measured table), and at
// 1 GiB the table's share of the NICs is left.
TEST(Closed, ARingsHalfSizeGrowsWithItsRanks) {
  for (const int servers : {16, 32, 64, 128}) {
    const GroupShape shape = over_roce(servers);
    const double full = ring_busbw(shape, std::int64_t{1} << 44);
    std::int64_t half = 1 << 20;
    while (ring_busbw(shape, half) < full / 2) half += half / 64;
    const double each = static_cast<double>(half) / shape.ranks;
    EXPECT_GT(each, 0.75 * 1.6e6) << servers;
    EXPECT_LT(each, 1.25 * 2.2e6) << servers;
  }
  const std::array<std::pair<int, double>, 7> shares = {
      {{2, .92}, {4, .93}, {8, .90}, {16, .76}, {32, .74}, {64, .563}, {128, .315}}};
  for (const auto& [servers, share] : shares)
    EXPECT_NEAR(ring_busbw(over_roce(servers), kGi) / (8 * 48.5), share, 0.25 * share) << servers;
}

// A process that drives half of a server's GPUs launches half as long.
TEST(Closed, TheHostTakesItsTimeForEachGpuThatAProcessDrives) {
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  collective::Call call{Operation::all_reduce, Bytes(8), {}, {}, collective::LaunchMode::single_process};
  const Duration all = collective_cost(call, h100, profiles())->host;
  EXPECT_GT(all.us(), 20);
  call.gpus_per_process = 4;
  EXPECT_NEAR(collective_cost(call, h100, profiles())->host.us(), all.us() / 2, 1e-3);
  call.gpus_per_process = 100;
  EXPECT_EQ(collective_cost(call, h100, profiles())->host, all);
}

// Four GPUs and fewer do not use NVLS.
TEST(Closed, NvlsNeedsMoreThanFourGpus) { EXPECT_LT(busbw(all_of("hgx-h100-8", 4), 8 * kGi), 371); }

// Medians of vLLM 0.24's kernels on 8 x H100 (NVIDIA aiconfigurator database).
TEST(Closed, ServingKernelsAreAsFastAsMeasured) {
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  EXPECT_NEAR(time_us(h100, 512, true), 4.7, 0.1 * 4.7);
  EXPECT_NEAR(time_us(h100, 256 << 10, true), 10.8, 0.1 * 10.8);
  EXPECT_NEAR(time_us(h100, 2 << 20, true), 19.4, 0.1 * 19.4);
  EXPECT_LT(time_us(h100, 512, true), time_us(h100, 512, false));
}

Result<Cost> forced(const GroupShape& shape, std::int64_t bytes, collective::Algorithm algorithm,
                    const collective::Profiles& with = profiles()) {
  return collective_cost({Operation::all_reduce, Bytes(bytes), algorithm}, shape, with);
}

// t = a + r (n-1) + V / (e B) with V what crosses a rank's links: one-shot 7 S, two-shot 1.75 S, multimem 1.125 S.
TEST(Kernels, FollowTheirForms) {
  using enum collective::Algorithm;
  const GroupShape shape = all_of("hgx-h100-8", 8);
  // This version has one two-shot kernel, so that it is the best of its kind at any size.
  const collective::Profiles old = *collective::load_profiles(
      *catalog::Calibration::builtin(), collective::kDefaultLibrary, *collective::engine_from("vllm-0.14"));
  for (const auto& [algorithm, share] : {std::pair{one_shot, 7.0}, {two_shot, 1.75}, {multimem, 1.125}}) {
    const collective::Profiles& with = algorithm == two_shot ? old : profiles();
    const Cost small = *forced(shape, 1 << 20, algorithm, with);
    const Cost large = *forced(shape, 4 << 20, algorithm, with);
    EXPECT_EQ(small.algorithm, algorithm);
    EXPECT_EQ(small.terms.launch, large.terms.launch);
    EXPECT_NEAR(large.terms.transfer.us(), 4 * small.terms.transfer.us(), 1e-3);
    ASSERT_TRUE(large.line.starts_with("serving-kernels.nvlink4.")) << large.line;
    const auto kernel = *collective::kernel_from(large.line.substr(large.line.rfind('.') + 1));
    const collective::KernelLine& line = *profiles().kernels.line(kernel, "nvlink4", shape.inside).line;
    EXPECT_NEAR(large.terms.launch.us(), line.launch_us, 1e-3);
    EXPECT_NEAR(large.terms.latency.us(), 7 * line.rank_us, 1e-3);
    EXPECT_NEAR(large.terms.transfer.us(), share * (4 << 20) / (line.share * bytes_per_us(shape.inside_rate)), 0.01);
    // Half of the links take twice as long.
    GroupShape half = shape;
    half.inside_rate = Rate(shape.inside_rate.count() / 2);
    EXPECT_NEAR(forced(half, 4 << 20, algorithm, with)->terms.transfer.us(), 2 * large.terms.transfer.us(), 0.01);
    EXPECT_EQ(set_of(large), "serving-kernels");
  }
}

// One peer of a fast link gives what the loads in flight fetch; three together fill more of the links.
TEST(Kernels, OnePeerAloneIsSlow) {
  const GroupShape two = all_of("hgx-b200-8", 2);
  const auto one_shot = collective::Algorithm::one_shot;
  const double rate = (2 << 20) / forced(two, 2 << 20, one_shot)->terms.transfer.us() / 1e3;
  EXPECT_NEAR(rate, 157, 8);  // GB/s: 1 MiB take 6.5 us longer than nothing (aiconfigurator, B200, vLLM)
  const GroupShape four = all_of("hgx-b200-8", 4);
  EXPECT_GT(3 * (2 << 20) / forced(four, 2 << 20, one_shot)->terms.transfer.us() / 1e3, 2 * rate);
}

TEST(Kernels, AreTheEnginesChoiceBySizeAndRanks) {
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  const auto line = [](const GroupShape& shape, std::int64_t bytes, const collective::Profiles& with) {
    const Result<Cost> cost = collective_cost({Operation::all_reduce, Bytes(bytes)}, shape, with, true);
    return cost ? cost->line : cost.error().to_string();
  };
  EXPECT_EQ(line(h100, 128 << 10, profiles()), "serving-kernels.nvlink4.peer_one_shot");
  EXPECT_EQ(line(h100, 256 << 10, profiles()), "serving-kernels.nvlink4.multimem");
  EXPECT_EQ(line(h100, kGi, profiles()).substr(0, 23), "nvlink4.all_reduce_nvls");
  const collective::Profiles old = *collective::load_profiles(
      *catalog::Calibration::builtin(), collective::kDefaultLibrary, *collective::engine_from("vllm-0.14"));
  EXPECT_EQ(line(h100, 256 << 10, old), "serving-kernels.nvlink4.peer_two_shot");
  EXPECT_EQ(line(h100, 8 << 20, old).substr(0, 7), "nvlink4");
  // Without multicast, through the host, or between servers the library is left.
  GroupShape plain = h100;
  plain.nvls = false;
  EXPECT_EQ(line(plain, 256 << 10, profiles()).substr(0, 19), "nvlink4.all_reduce.");
  GroupShape bounce = plain;
  bounce.inside_bounce = true;
  EXPECT_EQ(line(bounce, 1024, profiles()).substr(0, 9), "pcie-host");
  EXPECT_EQ(line(nvlink_servers(2), 1024, profiles()).substr(0, 11), "infiniband.");
}

TEST(Kernels, SayWhyTheyCannotBeForced) {
  using enum collective::Algorithm;
  const auto why = [](const GroupShape& shape, collective::Algorithm algorithm) {
    const Result<Cost> cost = forced(shape, 1024, algorithm);
    EXPECT_FALSE(cost);
    EXPECT_EQ(cost.error().kind, ErrorKind::unassessable);
    EXPECT_EQ(cost.error().id, "WEFT-ENG-0003");
    std::string text = cost.error().message;
    text.erase(0, text.find(": ") + 2);
    return text + (cost.error().expected.empty() ? "" : "; " + cost.error().expected);
  };
  EXPECT_EQ(why(nvlink_servers(2), one_shot), "one_shot kernels stay inside one server");
  EXPECT_EQ(why(all_of("hgx-a100-8", 8), multimem),
            "multimem kernels need NVSwitches that multicast and reduce between these GPUs");
  GroupShape amd = all_of("hgx-h100-8", 8);
  amd.inside = catalog::LinkClass::xgmi;
  amd.inside_link = "xgmi-mi300";
  EXPECT_EQ(
      why(amd, one_shot),
      "one_shot kernels of vllm have no measured line for xgmi-mi300; a group over nvlink3, nvlink4, nvlink5, pcie");
  amd.inside_bounce = true;
  EXPECT_EQ(why(amd, two_shot), "two_shot kernels need peer-to-peer access between the GPUs");
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  EXPECT_EQ(collective_cost({Operation::all_gather, Bytes(8), one_shot}, h100, profiles()).error().message,
            "the closed-form engine cannot say: one_shot kernels do all-reduce, not all_gather");
  EXPECT_EQ(collective_cost({Operation::all_reduce, Bytes(8), one_shot, collective::Protocol::ll}, h100, profiles())
                .error()
                .message,
            "the closed-form engine cannot say: one_shot kernels have no protocols of the library");
  const collective::Profiles trtllm = *collective::load_profiles(
      *catalog::Calibration::builtin(), collective::kDefaultLibrary, *collective::engine_from("trtllm"));
  EXPECT_EQ(forced(h100, 8, multimem, trtllm).error().message,
            "the closed-form engine cannot say: multimem kernels are none of trtllm's");
}

TEST(Kernels, HeedAUsersFactors) {
  catalog::Calibration slow = *catalog::Calibration::builtin();
  slow.find("serving-kernels")->values["scale.latency"] = 2;
  slow.find("serving-kernels")->values["scale.rate"] = 0.5;
  collective::Profiles changed = profiles();
  ASSERT_TRUE(collective::refresh(changed, *slow.find("serving-kernels")));
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  for (const collective::Profiles& with : {changed, *collective::load_profiles(slow)}) {
    const Cost cost = *forced(h100, 1 << 20, collective::Algorithm::multimem, with);
    EXPECT_NEAR(cost.total.us(), 2 * forced(h100, 1 << 20, collective::Algorithm::multimem)->total.us(), 1e-3);
  }
}

// The transfer term of a large ring is the bytes that its schedule sends, over the rate of the line.
TEST(Closed, RingTransferIsTheSchedulesBytes) {
  const GroupShape shape = all_of("hgx-h100-4", 4);
  const Cost cost = *collective_cost({Operation::all_reduce, Bytes(8 * kGi)}, shape, profiles());
  const collective::ScheduleCost sent =
      collective::cost_of(*collective::make_schedule(Operation::all_reduce, collective::Algorithm::ring, {4}));
  const auto found = profiles().curve(shape.inside_link, shape.inside, false, collective::CurveKind::all_reduce);
  const collective::Line& line = *found.curve->lines[static_cast<std::size_t>(collective::Stage::simple)];
  ASSERT_EQ(cost.line, "nvlink4.all_reduce.simple");
  const double rate = line.share * shape.inside_rate.gbytes() * 1e3 * (1 - found.curve->taper / 4);
  EXPECT_NEAR(cost.terms.transfer.us(), sent.sent_share * static_cast<double>(8 * kGi) / rate, 1.0);
}

// Another name and half of the links: the same curve, half of the rate.
TEST(Closed, HalfTheLinksHalveTheRate) {
  const GroupShape whole = all_of("hgx-h100-8", 8);
  GroupShape half = whole;
  half.inside_rate = whole.inside_rate / 2;
  half.inside_alone = half.inside_rate;
  EXPECT_NEAR(busbw(whole, 16 * kGi) / busbw(half, 16 * kGi), 2.0, 0.05);
  EXPECT_NEAR(ring_busbw(whole, 16 * kGi) / ring_busbw(half, 16 * kGi), 2.0, 0.05);
  EXPECT_NEAR(time_us(half, 8), time_us(whole, 8), 0.01);
}

// One process that drives eight GPUs launches them one after another; a graph launches nothing; large messages do not
// care.
TEST(Closed, LaunchModeIsATermOfItsOwn) {
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  const auto cost = [&](collective::LaunchMode mode, std::int64_t bytes) {
    return *collective_cost({Operation::all_reduce, Bytes(bytes), {}, {}, mode}, h100, profiles());
  };
  using enum collective::LaunchMode;
  EXPECT_EQ(cost(single_process, 8).total, cost(single_process, 8).host);
  EXPECT_GT(cost(single_process, 8).total, cost(process_per_gpu, 8).total);
  EXPECT_EQ(cost(process_per_gpu, 8).host, Duration());
  EXPECT_LT(cost(graph, 8).total, cost(process_per_gpu, 8).total);
  EXPECT_EQ(cost(single_process, kGi).total, cost(process_per_gpu, kGi).total);
}

TEST(Closed, WhatIsForcedIsDone) {
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  const auto cost = [&](std::optional<collective::Algorithm> algorithm, std::optional<collective::Protocol> protocol) {
    return *collective_cost({Operation::all_reduce, Bytes(1 << 20), algorithm, protocol}, h100, profiles());
  };
  const Cost ring = cost(collective::Algorithm::ring, collective::Protocol::simple);
  EXPECT_EQ(ring.algorithm, collective::Algorithm::ring);
  EXPECT_EQ(ring.line, "nvlink4.all_reduce.ring_simple");
  EXPECT_GT(cost({}, collective::Protocol::ll).total, cost({}, {}).total);
  // Where a library would have left LL128 long ago, a forced one still has all channels, less its flags.
  const Cost far = *collective_cost(
      {Operation::all_reduce, Bytes(8 * kGi), collective::Algorithm::ring, collective::Protocol::ll128}, h100,
      profiles());
  EXPECT_NEAR(static_cast<double>(8 * kGi) * 1.75 / far.total.us() / 1e3, 370.8 * 120 / 128, 0.03 * 370);
}

// With two servers a tree of NCCL sends each byte once, up to what the servers let through inside; RCCL rings on.
TEST(Closed, TwoServersReachMoreThanTheirNics) {
  const fabric::Fabric fabric = build("hgx-a100-8", 2);
  const GroupShape shape = fabric::shape_of(fabric, fabric.gpus());
  EXPECT_GT(busbw(shape, 8 * kGi), 1.05 * shape.nic_rate_per_server.gbytes());
  const collective::Profiles rccl =
      *collective::load_profiles(*catalog::Calibration::builtin(), {collective::LibraryFamily::rccl, 0, 0, 0});
  const Cost ring = *collective_cost({Operation::all_reduce, Bytes(8 * kGi)}, shape, rccl);
  EXPECT_EQ(ring.algorithm, collective::Algorithm::ring);
  EXPECT_LT(static_cast<double>(8 * kGi) * 15 / 8 / ring.total.us() / 1e3, shape.nic_rate_per_server.gbytes());
}

TEST(Closed, EveryOperationHasAForm) {
  for (const int servers : {1, 2, 5}) {
    for (int i = 0; i <= static_cast<int>(Operation::send_recv); ++i) {
      const auto operation = static_cast<Operation>(i);
      const Result<Cost> small = collective_cost({operation, Bytes(1024)}, nvlink_servers(servers), profiles());
      const Result<Cost> large = collective_cost({operation, Bytes(kGi)}, nvlink_servers(servers), profiles());
      ASSERT_TRUE(small && large) << collective::name_of(operation);
      EXPECT_GT(large->total, small->total) << collective::name_of(operation);
    }
  }
}

TEST(Closed, TheTermsAddUp) {
  for (const std::int64_t bytes : {std::int64_t{8}, std::int64_t{1} << 20, kGi}) {
    const Cost cost = *collective_cost({Operation::all_reduce, Bytes(bytes)}, nvlink_servers(4), profiles());
    EXPECT_EQ(cost.terms.total(), cost.total);
  }
}

TEST(Closed, OversubscriptionAndMissingGpuDirectRdmaCost) {
  const GroupShape plain = nvlink_servers(4);
  GroupShape over = plain;
  over.oversubscription = 2;
  EXPECT_GT(time_us(over, kGi),
            1.8 * time_us(plain, kGi) * std::min(1.0, plain.nic_rate_per_server / plain.inside_rate));
  GroupShape bounce = plain;
  bounce.network_bounce = true;
  EXPECT_GT(time_us(bounce, kGi), time_us(plain, kGi));
  EXPECT_GT(time_us(bounce, 8), time_us(plain, 8));
}

// An algorithm that is forced is done or refused, never another one in its place.
TEST(Closed, WhatCannotBeForcedIsRefused) {
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  EXPECT_FALSE(collective_cost({Operation::all_reduce, Bytes(8), collective::Algorithm::tree}, h100, profiles()));
  EXPECT_FALSE(
      collective_cost({Operation::all_gather, Bytes(8), collective::Algorithm::tree}, nvlink_servers(2), profiles()));
  EXPECT_EQ(
      collective_cost({Operation::all_reduce, Bytes(8), collective::Algorithm::nvls}, h100, profiles())->algorithm,
      collective::Algorithm::nvls);
  EXPECT_EQ(collective_cost({Operation::all_reduce, Bytes(8)}, h100, profiles())->algorithm,
            collective::Algorithm::ring);
  EXPECT_TRUE(
      collective_cost({Operation::all_to_all, Bytes(8), collective::Algorithm::ring}, nvlink_servers(2), profiles()));
}

// In-switch reduction is priced only where it runs: not for a ring that the library chose, as NCCL 2.10 does on H100, and
// never with a low-latency protocol.
TEST(Closed, ARingOverSwitchesIsPricedAsARing) {
  collective::Call chosen{Operation::all_reduce, Bytes(kGi)};
  chosen.chosen = collective::Choice{collective::Algorithm::ring, collective::Protocol::simple};
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  const Cost ring = *collective_cost(chosen, h100, profiles());
  EXPECT_EQ(ring.algorithm, collective::Algorithm::ring);
  EXPECT_LT(collective_cost({Operation::all_reduce, Bytes(kGi)}, h100, profiles())->total, ring.total);
  const Result<Cost> ll = collective_cost(
      {Operation::all_reduce, Bytes(8), collective::Algorithm::nvls, collective::Protocol::ll}, h100, profiles());
  ASSERT_FALSE(ll);
  EXPECT_EQ(ll.error().hint, "in-switch reduction moves data by simple alone");
}

TEST(Closed, ATreeOverServersReducesInTheSwitchesOnlyAsNvlsTree) {
  const fabric::Fabric fabric = build("hgx-h100-8", 2);
  const GroupShape shape = fabric::shape_of(fabric, fabric.gpus());
  const auto cost = [&](collective::Algorithm algorithm) {
    return *collective_cost({Operation::all_reduce, Bytes(kGi), algorithm}, shape, profiles());
  };
  const Cost tree = cost(collective::Algorithm::tree);
  const Cost in_switch = cost(collective::Algorithm::nvls_tree);
  EXPECT_EQ(tree.algorithm, collective::Algorithm::tree);
  EXPECT_EQ(in_switch.algorithm, collective::Algorithm::nvls_tree);
  EXPECT_LT(in_switch.total, tree.total);
}

TEST(Closed, SaysWhatItCannotSay) {
  GroupShape apart = nvlink_servers(2);
  apart.connected = false;
  const Result<Cost> cost = collective_cost({Operation::all_reduce, Bytes(8)}, apart, profiles());
  ASSERT_FALSE(cost);
  EXPECT_EQ(cost.error().kind, ErrorKind::unassessable);
  EXPECT_EQ(cost.error().id, "WEFT-ENG-0001");
  const Result<Cost> nvls =
      collective_cost({Operation::all_reduce, Bytes(8), collective::Algorithm::nvls}, nvlink_servers(1), profiles());
  ASSERT_FALSE(nvls);
  EXPECT_EQ(nvls.error().to_string(),
            "error WEFT-ENG-0001: the closed-form engine cannot say: no form for all_reduce by nvls over this group\n");
}

Workload two_groups(const fabric::Fabric& fabric, std::size_t second_begins) {
  Workload workload;
  workload.profiles = &profiles();
  for (const std::size_t begin : {std::size_t{0}, second_begins}) {
    const auto gpus = fabric.gpus().subspan(begin, 4);
    workload.tasks.push_back({"group at " + std::to_string(begin),
                              CollectiveTask{Operation::all_reduce, Bytes(1 << 20), {gpus.begin(), gpus.end()}},
                              {}});
  }
  return workload;
}

TEST(Closed, RunsDisjointGroupsSideBySideAndRefusesContention) {
  const fabric::Fabric fabric = build("hgx-h100-8");
  const Result<Timeline> side_by_side = run(fabric, {}, two_groups(fabric, 4), {});
  ASSERT_TRUE(side_by_side);
  EXPECT_EQ(side_by_side->makespan, side_by_side->tasks[0].end.since_start());
  const Result<Timeline> contended = run(fabric, {}, two_groups(fabric, 2), {});
  ASSERT_FALSE(contended);
  EXPECT_EQ(contended.error().to_string(),
            "error WEFT-ENG-0001: the closed-form engine cannot say: group at 0 and group at 2 share links at the same "
            "time\n");
}

TEST(Closed, TasksWaitForWhatTheyDependOn) {
  const fabric::Fabric fabric = build("hgx-h100-8");
  Workload workload = two_groups(fabric, 2);
  workload.tasks[1].after = {0};
  workload.tasks.push_back({"compute", ComputeTask{Duration::microseconds(100)}, {1}});
  const Result<Timeline> timeline = run(fabric, {}, workload, {});
  ASSERT_TRUE(timeline);
  EXPECT_EQ(timeline->tasks[1].start, timeline->tasks[0].end);
  EXPECT_EQ(timeline->makespan, timeline->tasks[1].end.since_start() + Duration::microseconds(100));
  workload.tasks[0].after = {2};
  EXPECT_EQ(run(fabric, {}, workload, {}).error().id, "WEFT-ENG-0002");
}

TEST(Closed, AMessageCostsItsHopAndItsBytes) {
  const fabric::Fabric fabric = build("hgx-h100-8", 2);
  const std::vector<fabric::DeviceId> pair = {fabric.gpus()[0], fabric.gpus()[8]};
  const GroupShape shape = fabric::shape_of(fabric, pair);
  const Cost cost = *message_cost(Bytes(kGi), shape, profiles());
  const double rate = shape.nic_rate_per_rank.gbytes() * profiles().network(catalog::LinkClass::infiniband).share;
  EXPECT_NEAR(cost.terms.transfer.us(), static_cast<double>(kGi) / (rate * 1e3), 1.0);
}

}  // namespace
}  // namespace weft::engine::closed
