#include "weft/engine/closed/closed.h"

#include <gtest/gtest.h>

#include <cmath>

#include "weft/collective/schedule.h"
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

// Latencies of NCCL 2.27.7's own model (src/graph/tuning.cc): the least over LL, LL128, Simple, ring and tree is LL.
TEST(Closed, SmallMessagesTakeTheLatencyOfNcclsModel) {
  EXPECT_NEAR(time_us(nvlink_servers(1), 8), 15.0, 0.01);  // ring, LL: 6.6 + 14 x 0.6
  EXPECT_NEAR(time_us(nvlink_servers(2), 8), 25.2, 0.01);  // tree, LL
  EXPECT_NEAR(time_us(nvlink_servers(4), 8), 35.2, 0.01);
  EXPECT_NEAR(time_us(nvlink_servers(8), 8), 45.2, 0.01);
  EXPECT_NEAR(time_us(nvlink_servers(32), 8), 65.2, 0.01);
  EXPECT_NEAR(time_us(nvlink_servers(128), 8), 85.2, 0.01);
}

// A ring over servers: 7 + 7 hops inside at 1 us, one between at 2.7 (NCCL's rule; its table gives twice that for
// all-reduce).
TEST(Closed, RingsOverServersPayTheNetworksOverheadInside) {
  EXPECT_NEAR(time_us(nvlink_servers(2), 8, false, Operation::all_gather), 6.6 + 14 * 1.0 + 2.7, 0.01);
}

// Published: busbw 370 for a ring and 475-480 with NVLS on 8 x H100; 230-240 on 8 x A100.
TEST(Closed, LargeMessagesReachThePublishedBusBandwidth) {
  GroupShape h100 = all_of("hgx-h100-8", 8);
  EXPECT_NEAR(busbw(h100, 8 * kGi), 477, 0.04 * 477);
  h100.nvls = false;
  EXPECT_NEAR(busbw(h100, 8 * kGi), 370, 0.02 * 370);
  EXPECT_NEAR(busbw(all_of("hgx-a100-8", 8), 8 * kGi), 235, 0.03 * 235);
}

// Four GPUs and fewer do not use NVLS.
TEST(Closed, NvlsNeedsMoreThanFourGpus) { EXPECT_LT(busbw(all_of("hgx-h100-8", 4), 8 * kGi), 371); }

// Medians of vLLM's kernels on 8 x H100 (NVIDIA aiconfigurator database).
TEST(Closed, ServingKernelsAreAsFastAsMeasured) {
  const GroupShape h100 = all_of("hgx-h100-8", 8);
  EXPECT_NEAR(time_us(h100, 512, true), 4.7, 0.15 * 4.7);
  EXPECT_NEAR(time_us(h100, 256 << 10, true), 10.8, 0.15 * 10.8);
  EXPECT_NEAR(time_us(h100, 2 << 20, true), 19.4, 0.15 * 19.4);
  EXPECT_LT(time_us(h100, 512, true), time_us(h100, 512, false));
}

// The transfer term of a large ring is the bytes that its schedule sends, over the slowest link.
TEST(Closed, RingTransferIsTheSchedulesBytes) {
  GroupShape shape = all_of("hgx-h100-8", 8);
  shape.nvls = false;
  const Cost cost = *collective_cost({Operation::all_reduce, Bytes(kGi)}, shape, profiles());
  const collective::ScheduleCost sent =
      collective::cost_of(*collective::make_schedule(Operation::all_reduce, collective::Algorithm::ring, 8));
  EXPECT_NEAR(cost.terms.transfer.us(), sent.sent_share * static_cast<double>(kGi) / (shape.inside_rate.gbytes() * 1e3),
              1.0);
}

TEST(Closed, HalfTheLinksDoubleTheTransfer) {
  const GroupShape whole = all_of("hgx-h100-8", 8);
  GroupShape half = whole;
  half.inside_rate = whole.inside_rate / 2;
  half.inside_link = "another name";
  const Cost a = *collective_cost({Operation::all_reduce, Bytes(kGi)}, whole, profiles());
  const Cost b = *collective_cost({Operation::all_reduce, Bytes(kGi)}, half, profiles());
  EXPECT_NEAR(b.terms.transfer / a.terms.transfer, 2.0, 1e-6);
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

TEST(Closed, SaysWhatItCannotSay) {
  GroupShape apart = nvlink_servers(2);
  apart.connected = false;
  const Result<Cost> cost = collective_cost({Operation::all_reduce, Bytes(8)}, apart, profiles());
  ASSERT_FALSE(cost);
  EXPECT_EQ(cost.error().kind, ErrorKind::unassessable);
  EXPECT_EQ(cost.error().id, "WEFT-ENG-0001");
  EXPECT_FALSE(collective_cost({Operation::gather, Bytes(8)}, nvlink_servers(1), profiles()));
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
