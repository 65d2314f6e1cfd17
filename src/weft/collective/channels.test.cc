#include "weft/collective/channels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
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
  fabric::ServerGroup group{server, count, 0, "", {}};
  group.options.gpus = gpus;
  fabric::ClusterSpec spec;
  spec.groups.push_back(group);
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

const ChannelGraph& ring_of(const Channels& channels) { return graph_of(channels.graphs, GraphPattern::ring); }
double carried(const ChannelGraph& graph) { return graph.channels * graph.bw_intra; }

Conditions conditions_of(const Fabric& fabric, const std::vector<std::string>& texts) {
  Conditions conditions;
  for (const std::string& text : texts) conditions.add(fabric::parse_condition(fabric, text).value());
  return conditions;
}

Fabric clusters_of(const std::vector<fabric::ServerGroup>& groups) {
  fabric::ClusterSpec spec;
  spec.groups = groups;
  return std::move(fabric::build_cluster(parts(), spec).value().fabric);
}

// Without GPUDirect RDMA what a NIC brings goes up to host memory and down again: both share the slot of a switch, so
// half is left, and nothing passes over a neighbour's NIC.
TEST(Channels, WithoutGpuDirectNicsAreReachedThroughTheHost) {
  const Fabric fabric = cluster("hgx-h100-8", 2);
  const Channels direct = channels_of(fabric);
  const Channels host = channels_of(fabric, conditions_of(fabric, {"no-gdr fabric"}));
  EXPECT_LE(ring_of(direct).inter, Reach::pxn);
  EXPECT_GE(ring_of(host).inter, Reach::phb);
  EXPECT_LT(carried(ring_of(host)), 0.75 * carried(ring_of(direct)));
  EXPECT_GT(ring_of(host).channels, 0);
  // One server without is enough.
  const Channels one = channels_of(fabric, conditions_of(fabric, {"no-gdr server1"}));
  EXPECT_GE(ring_of(one).inter, Reach::phb);
  EXPECT_NEAR(carried(ring_of(one)), carried(ring_of(host)), 1e-9);
}

// Four cards behind one switch reach each other in it; without peer access they go up to the host and share its uplink.
TEST(Channels, WithoutPeerToPeerCardsReachEachOtherThroughTheHost) {
  const Fabric fabric = cluster("pcie-l40s", 1, 4);
  const Channels peers = channels_of(fabric);
  const Channels host = channels_of(fabric, conditions_of(fabric, {"no-p2p server0"}));
  EXPECT_EQ(ring_of(peers).intra, Reach::pix);
  EXPECT_EQ(ring_of(host).intra, Reach::phb) << name_of(ring_of(host).intra);
  EXPECT_NEAR(carried(ring_of(peers)), 24, 1e-9);
  EXPECT_NEAR(carried(ring_of(host)), 6, 1e-9);  // four ways of 24 GB/s over one x16 slot of the fourth generation
  // NVLink does not ask for peer access over PCIe.
  const Fabric nvlink = cluster("hgx-h100-8");
  expect_ring(channels_of(nvlink, conditions_of(nvlink, {"no-p2p server0"})), 12, 30, Reach::nvl);
}

// Root ports of one socket are a host bridge apart (PHB), those of two sockets a link between sockets (SYS).
TEST(Channels, OneSocketIsNearerThanTwo) {
  const Fabric fabric = cluster("pcie-a6000", 1, 4);
  const auto reach = [&](std::uint32_t a, std::uint32_t b) {
    return ring_of(find_channels(fabric, std::array{fabric.gpu(0, a), fabric.gpu(0, b)}, {}, rules())).intra;
  };
  EXPECT_EQ(reach(0, 1), Reach::phb) << name_of(reach(0, 1));
  EXPECT_EQ(reach(0, 2), Reach::sys);
}

TEST(Channels, BridgesJoinPairs) {
  expect_ring(channels_of(cluster("pcie-a100-bridged", 1, 2)), 12, 20, Reach::nvl);
  expect_ring(channels_of(cluster("pcie-h100-bridged", 1, 2)), 8, 30, Reach::nvl);
  // A ring through two pairs has to leave the bridges.
  EXPECT_EQ(ring_of(channels_of(cluster("pcie-a100-bridged", 1, 4))).intra, Reach::sys);
  const Fabric four = cluster("pcie-a100-bridged", 1, 4);
  const Channels apart = find_channels(four, std::array{four.gpu(0, 1), four.gpu(0, 2)}, {}, rules());
  EXPECT_GT(ring_of(apart).intra, Reach::nvl);
}

// All ranks take the fewest channels, the lowest rates and the farthest ways that any server found.
TEST(Channels, ServersThatDifferMeetAtTheLeastOfEach) {
  const Fabric mixed = clusters_of({{"hgx-h100-8", 1, 0, "", {}}, {"hgx-a100-8", 1, 0, "", {}}});
  const ChannelGraph h100 = ring_of(channels_of(cluster("hgx-h100-8", 2)));
  const ChannelGraph a100 = ring_of(channels_of(cluster("hgx-a100-8", 2)));
  const ChannelGraph both = ring_of(channels_of(mixed));
  EXPECT_EQ(both.channels, std::min(h100.channels, a100.channels));
  EXPECT_EQ(both.bw_inter, std::min(h100.bw_inter, a100.bw_inter));
  EXPECT_EQ(both.inter, std::max(h100.inter, a100.inter));
  EXPECT_EQ(channels_of(mixed).capability, 80);
  EXPECT_EQ(graph_of(channels_of(mixed).graphs, GraphPattern::nvls).channels, 0);

  // Five of 48 here, eight of 24 there: five of 24, although the eight carry less in all.
  const Conditions three = conditions_of(mixed, {"down server0.nic0", "down server0.nic1", "down server0.nic2"});
  EXPECT_EQ(ring_of(channels_of(mixed, three)).channels, 5);
  EXPECT_NEAR(ring_of(channels_of(mixed, three)).bw_inter, 24, 1e-9);

  // A NIC at half of its rate: 15 channels of 24 there, 8 of 45 on the others, so 8 of 24.
  const Fabric two = cluster("hgx-h100-8", 2);
  const ChannelGraph slow = ring_of(channels_of(two, conditions_of(two, {"rate 200Gb/s server1.nic3"})));
  EXPECT_EQ(slow.channels, 8);
  EXPECT_NEAR(slow.bw_inter, 24, 1e-9);

  // Two GPUs here and eight there, in either order.
  std::vector<fabric::DeviceId> uneven = {two.gpu(0, 0), two.gpu(0, 1)};
  for (std::uint32_t gpu = 0; gpu < 8; ++gpu) uneven.push_back(two.gpu(1, gpu));
  const Channels few = find_channels(two, uneven, {}, rules());
  std::rotate(uneven.begin(), uneven.begin() + 2, uneven.end());
  const Channels turned = find_channels(two, uneven, {}, rules());
  EXPECT_EQ(ring_of(few).channels, ring_of(turned).channels);
  EXPECT_EQ(ring_of(few).bw_inter, ring_of(turned).bw_inter);
  EXPECT_EQ(few.servers, 2);
  EXPECT_EQ(graph_of(few.graphs, GraphPattern::nvls).channels, 0);  // two GPUs gain nothing from it
}

// In-network reduction has at most a head a GPU, and never more than eight.
TEST(Channels, HeadsOfInNetworkReductionAreGpus) {
  const auto heads = [](const Fabric& fabric, std::uint32_t gpus_a_server) {
    std::vector<fabric::DeviceId> gpus;
    for (const fabric::DeviceId gpu : fabric.gpus()) {
      if (fabric.device(gpu).index < gpus_a_server) gpus.push_back(gpu);
    }
    return graph_of(find_channels(fabric, gpus, {}, rules()).graphs, GraphPattern::collnet_direct).channels;
  };
  const Fabric h100 = cluster("hgx-h100-8", 2);
  EXPECT_EQ(heads(h100, 8), 8);
  EXPECT_EQ(heads(h100, 2), 2);
  EXPECT_EQ(heads(cluster("dgx1-v100", 2), 8), 4);
  EXPECT_EQ(heads(cluster("gb200-nvl72", 2), 72), 8);
}

// Two GPUs share a switch with two NICs: a ring enters by the one and leaves by the other, and no GPU has to relay.
TEST(Channels, RingsLeaveNearTheNicTheyCameInBy) {
  const Channels found = channels_of(cluster("hgx-a100-8", 2));
  expect_ring(found, 8, 24, Reach::nvl);
  EXPECT_LE(ring_of(found).inter, Reach::pxb) << name_of(ring_of(found).inter);
  // Root ports of one socket rather than the link between sockets.
  EXPECT_EQ(ring_of(channels_of(cluster("hgx-h100-4", 2))).inter, Reach::phb);
}

// Every ring has every GPU once, over ways that exist, and no NIC and no GPU-to-GPU link carries more than it has.
TEST(Channels, NoLinkCarriesMoreThanItHas) {
  for (const char* name : {"dgx1-v100", "mi250x-4", "mi300x-8", "gh200-quad", "hgx-h100-4"}) {
    const Fabric fabric = cluster(name);
    const Channels found = channels_of(fabric);
    ASSERT_FALSE(found.rings.empty()) << name;
    const double rate = carried(ring_of(found)) / static_cast<double>(found.rings.size());
    std::map<std::pair<fabric::DeviceId, fabric::DeviceId>, double> used;
    for (const RingChannel& ring : found.rings) {
      EXPECT_EQ(std::set(ring.gpus.begin(), ring.gpus.end()).size(), fabric.gpus().size()) << name;
      for (std::size_t i = 0; i < ring.gpus.size(); ++i)
        used[{ring.gpus[i], ring.gpus[(i + 1) % ring.gpus.size()]}] += rate;
    }
    for (const auto& [pair, sum] : used) {
      double has = 0;
      for (const fabric::LinkId id : fabric.links_from(pair.first)) {
        const fabric::Technology& technology = fabric.technology(id);
        if (fabric.link(id).to != pair.second || !catalog::is_gpu_fabric(technology.link_class)) continue;
        has += rules().link_gbyte_per_s.find(technology.id)->second * fabric.link(id).count;
      }
      EXPECT_LE(sum, has * (1 + 1e-6)) << name;
    }
  }
}

TEST(Channels, SameInputsSameChannels) {
  for (const char* name : {"dgx1-v100", "mi250x-4", "hgx-a100-8", "pcie-a100-bridged"}) {
    const Channels first = channels_of(cluster(name));
    const Channels again = channels_of(cluster(name));
    ASSERT_EQ(first.rings.size(), again.rings.size()) << name;
    for (std::size_t i = 0; i < first.rings.size(); ++i) EXPECT_EQ(first.rings[i].gpus, again.rings[i].gpus) << name;
    EXPECT_EQ(first.cut_short, again.cut_short) << name;
  }
}

// A condition on one server leaves its copies alone, and what is found there is what would be found without.
TEST(Channels, AConditionElsewhereIsNoReasonToSearchAgain) {
  const Fabric fabric = cluster("hgx-h100-8", 64);
  const Channels one = channels_of(fabric, conditions_of(fabric, {"down server17.nic3"}));
  const Channels network = channels_of(fabric, conditions_of(fabric, {"down leaf0-spine0"}));
  EXPECT_EQ(ring_of(one).channels, 7);
  EXPECT_EQ(one.searched, 2);
  EXPECT_EQ(network.searched, 1);
  EXPECT_EQ(ring_of(network).channels, 8);
  EXPECT_EQ(channels_of(fabric).searched, 1);
  // A condition of the whole fabric holds in all of them alike.
  EXPECT_EQ(channels_of(fabric, conditions_of(fabric, {"no-gdr fabric"})).searched, 1);
}

// Links of all widths between sixteen GPUs: no even split exists, and the search ends all the same and says so.
TEST(Channels, AHopelessSearchEndsAndSaysSo) {
  catalog::ServerPart part = *parts().server("dgx1-v100");
  part.id = "tangle";
  part.gpus = 16;
  part.pcie.clear();
  part.nics = 0;
  part.mesh.clear();
  for (int a = 0; a < 16; ++a) {
    for (int b = a + 1; b < 16; ++b) part.mesh.push_back({a, b, 1 + (a * 7 + b * 5) % 3});
  }
  fabric::FabricBuilder builder;
  ASSERT_TRUE(fabric::add_server(builder, parts(), part));
  const Fabric tangle = std::move(builder).finish();
  const Channels found = channels_of(tangle);
  EXPECT_TRUE(found.cut_short);
  EXPECT_GT(ring_of(found).channels, 0);
}

TEST(Channels, NothingIsFoundWhereNothingConnects) {
  const Fabric dead = cluster("hgx-h100-8");
  const Channels none = channels_of(dead, conditions_of(dead, {"down server0.gpu3"}));
  for (const ChannelGraph& graph : none.graphs) EXPECT_EQ(graph.channels, 0);
  EXPECT_EQ(none.nvls_blocks, 0);
  EXPECT_EQ(graph_of(channels_of(cluster("pcie-l40s", 2, 4)).graphs, GraphPattern::ring).channels, 0);
  const Fabric one = cluster("hgx-h100-8");
  const std::array alone = {one.gpu(0, 0)};
  EXPECT_EQ(graph_of(find_channels(one, alone, {}, rules()).graphs, GraphPattern::ring).channels, 0);
}

}  // namespace
}  // namespace weft::collective
