#include "weft/collective/channels.h"

#include <gtest/gtest.h>

#include <set>

#include "weft/fabric/cluster.h"
#include "weft/fabric/server.h"

namespace weft::collective {
namespace {

using fabric::Conditions;
using fabric::Fabric;

const ChannelRules& rules() {
  static const ChannelRules loaded = load_channel_rules(catalog::Calibration::builtin().value()).value();
  return loaded;
}

const catalog::Catalog& parts() {
  static const catalog::Catalog loaded = catalog::Catalog::builtin().value();
  return loaded;
}

Fabric cluster(const std::string& server, int count = 1, int gpus = 0) {
  fabric::ClusterSpec spec;
  spec.groups.push_back({server, count, gpus, "", {}});
  return std::move(fabric::build_cluster(parts(), spec).value().fabric);
}

Channels channels_of(const Fabric& fabric, const Conditions& conditions = {}) {
  return find_channels(fabric, fabric.gpus(), conditions, rules());
}

void expect_ring(const Channels& channels, int count, double rate, Reach intra) {
  const ChannelGraph& ring = graph_of(channels.graphs, GraphPattern::ring);
  EXPECT_EQ(ring.channels, count);
  EXPECT_NEAR(ring.bw_intra, rate, 1e-9);
  EXPECT_EQ(ring.intra, intra) << name_of(ring.intra);
  for (const RingChannel& each : channels.rings)
    EXPECT_EQ(std::set(each.gpus.begin(), each.gpus.end()).size(), each.gpus.size());
}

// As NCCL's own logs count them: 12 channels on a DGX-1 and a DGX-2, 24 on eight A100 or H100, 32 on B200; a library
// runs each of these twice.
TEST(Channels, AreAsManyAsLibrariesPrintInOneServer) {
  expect_ring(channels_of(cluster("dgx1-v100")), 6, 20, Reach::nvl);
  expect_ring(channels_of(cluster("dgx2-v100")), 6, 20, Reach::nvl);
  expect_ring(channels_of(cluster("hgx-a100-8")), 12, 20, Reach::nvl);
  expect_ring(channels_of(cluster("hgx-h100-8")), 12, 30, Reach::nvl);
  expect_ring(channels_of(cluster("hgx-b200-8")), 16, 45, Reach::nvl);
  expect_ring(channels_of(cluster("gb200-nvl72")), 16, 45, Reach::nvl);
}

// A full mesh of eight GPUs is seven rings, each of which uses every link once.
TEST(Channels, MeshesAreRingsThatShareNoLink) {
  const Channels mesh = channels_of(cluster("mi300x-8"));
  expect_ring(mesh, 14, 20, Reach::nvl);
  std::set<std::pair<std::uint32_t, std::uint32_t>> used;
  for (const RingChannel& ring : mesh.rings) {
    for (std::size_t i = 0; i < ring.gpus.size(); ++i)
      EXPECT_TRUE(used.emplace(ring.gpus[i].value(), ring.gpus[(i + 1) % ring.gpus.size()].value()).second);
  }
  EXPECT_GE(graph_of(channels_of(cluster("mi250x-4")).graphs, GraphPattern::ring).channels, 6);
}

TEST(Channels, PcieServersHaveFewOverFartherWays) {
  // Through host memory and the root complexes; two GPUs with a bridge over that.
  expect_ring(channels_of(cluster("pcie-rtx4090", 1, 8)), 2, 12, Reach::sys);
  expect_ring(channels_of(cluster("pcie-rtx2080ti-bridged", 1, 2)), 2, 20, Reach::nvl);
  const Fabric two = cluster("pcie-rtx4090", 1, 2);
  EXPECT_GE(graph_of(channels_of(two).graphs, GraphPattern::ring).intra, Reach::phb);
}

TEST(Channels, RailsComeInAndLeaveByTheirOwnNic) {
  for (const int servers : {2, 4, 32, 512}) {
    const Channels found = channels_of(cluster("hgx-h100-8", servers));
    expect_ring(found, 8, 45, Reach::nvl);
    std::set<std::uint32_t> nics;
    for (const RingChannel& ring : found.rings) nics.insert(ring.nic.value());
    EXPECT_EQ(nics.size(), 8U);
    EXPECT_EQ(graph_of(found.graphs, GraphPattern::ring).inter, Reach::pxn);
  }
  expect_ring(channels_of(cluster("dgx-spark", 2)), 1, 24, Reach::loc);
  expect_ring(channels_of(cluster("gh200-quad", 4)), 4, 24, Reach::nvl);
  expect_ring(channels_of(cluster("gb200-nvl72", 2)), 16, 45.1, Reach::nvl);
}

TEST(Channels, InSwitchReductionTakesASliceOfEveryGpu) {
  const Channels one = channels_of(cluster("hgx-h100-8"));
  EXPECT_EQ(graph_of(one.graphs, GraphPattern::nvls).channels, 8);
  EXPECT_NEAR(graph_of(one.graphs, GraphPattern::nvls).bw_intra, 40, 1e-9);
  EXPECT_EQ(one.nvls_blocks, 16);
  EXPECT_EQ(graph_of(one.graphs, GraphPattern::nvls_tree).channels, 0);
  EXPECT_GT(graph_of(channels_of(cluster("hgx-h100-8", 2)).graphs, GraphPattern::nvls_tree).channels, 0);
  EXPECT_EQ(graph_of(channels_of(cluster("hgx-a100-8")).graphs, GraphPattern::nvls).channels, 0);
}

TEST(Channels, ASubsetHasWhatItsOwnLinksGive) {
  const Fabric mesh = cluster("dgx1-v100");
  // GPUs 0 and 3 of the hybrid mesh share two links, 0 and 1 one; 0 and 5 none.
  const auto total = [&](std::vector<fabric::DeviceId> gpus) {
    const Channels found = find_channels(mesh, gpus, {}, rules());
    const ChannelGraph& ring = graph_of(found.graphs, GraphPattern::ring);
    return ring.intra <= Reach::nvl ? ring.channels * ring.bw_intra : 0;
  };
  EXPECT_NEAR(total({mesh.gpu(0, 0), mesh.gpu(0, 3)}), 40, 1e-9);
  EXPECT_NEAR(total({mesh.gpu(0, 0), mesh.gpu(0, 1)}), 20, 1e-9);
  EXPECT_EQ(total({mesh.gpu(0, 0), mesh.gpu(0, 5)}), 0);
  expect_ring(channels_of(cluster("hgx-h100-4")), 12, 30, Reach::nvl);
}

// Another name and half of the links: half of the rate.
TEST(Channels, FollowTheLinksAndNotTheName) {
  catalog::ServerPart part = *parts().server("hgx-h100-8");
  part.id = "some-other-server";
  part.switch_links = {3, 2, 2, 2};
  fabric::FabricBuilder builder;
  ASSERT_TRUE(fabric::add_server(builder, parts(), part));
  const Fabric half = std::move(builder).finish();
  const auto total = [](const Channels& found) {
    const ChannelGraph& ring = graph_of(found.graphs, GraphPattern::ring);
    return ring.channels * ring.bw_intra;
  };
  EXPECT_NEAR(total(channels_of(half)) / total(channels_of(cluster("hgx-h100-8"))), 0.5, 0.01);
}

TEST(Channels, ConditionsTakeLinksAway) {
  const Fabric fabric = cluster("hgx-h100-8");
  Conditions conditions;
  conditions.add(fabric::parse_condition(fabric, "links 9 server0.gpu3").value());
  const ChannelGraph ring = graph_of(channels_of(fabric, conditions).graphs, GraphPattern::ring);
  EXPECT_NEAR(ring.channels * ring.bw_intra, 180, 1e-9);
  const Fabric two = cluster("hgx-h100-8", 2);
  Conditions down;
  down.add(fabric::parse_condition(two, "down server1.nic3").value());
  EXPECT_LT(channels_of(two, down).rings.size(), 8U);
}

TEST(Channels, NothingIsFoundWhereNothingConnects) {
  EXPECT_EQ(graph_of(channels_of(cluster("pcie-l40s", 2, 4)).graphs, GraphPattern::ring).channels, 0);
  const Fabric one = cluster("hgx-h100-8");
  const std::array alone = {one.gpu(0, 0)};
  EXPECT_EQ(graph_of(find_channels(one, alone, {}, rules()).graphs, GraphPattern::ring).channels, 0);
}

}  // namespace
}  // namespace weft::collective
