#include "weft/fabric/server.h"

#include <gtest/gtest.h>

#include "weft/fabric/cluster.h"
#include "weft/fabric/group.h"
#include "weft/fabric/path.h"
#include "weft/fabric/sharing.h"
#include "weft/units/text.h"

namespace weft::fabric {
namespace {

const catalog::Catalog& parts() {
  static const catalog::Catalog catalog = *catalog::Catalog::builtin();
  return catalog;
}

Fabric build(const std::string& server, int count = 1, ServerOptions options = {}) {
  ClusterSpec spec;
  spec.groups.push_back({server, count, 0, "", std::move(options)});
  Result<Cluster> cluster = build_cluster(parts(), spec);
  if (!cluster) ADD_FAILURE() << cluster.error().to_string();
  return std::move(cluster->fabric);
}

Path path(const Fabric& fabric, const char* from, const char* to, const Conditions& conditions = {}) {
  Result<Path> found = find_path(fabric, fabric.find(from), fabric.find(to), conditions);
  if (!found) ADD_FAILURE() << found.error().to_string();
  return found ? *found : Path{};
}

TEST(Server, EveryServerOfTheCatalogBuildsAndIsConnected) {
  for (const std::string& id : parts().ids(catalog::Kind::server)) {
    const Fabric fabric = build(id);
    ASSERT_GT(fabric.gpus().size(), 0U) << id;
    for (const DeviceId gpu : fabric.gpus()) {
      if (gpu == fabric.gpus().front()) continue;
      const Result<Path> found = find_path(fabric, fabric.gpus().front(), gpu);
      ASSERT_TRUE(found) << id << ": " << found.error().to_string();
      EXPECT_GT(found->goodput().count(), 0) << id;
    }
    // A NIC of a rack-scale system serves the GPUs of its own tray.
    for (const DeviceId nic : fabric.nics()) {
      int reached_by = 0;
      for (const DeviceId gpu : fabric.gpus()) reached_by += closeness(fabric, gpu, nic) != PathType::none ? 1 : 0;
      EXPECT_EQ(reached_by, static_cast<int>(fabric.gpus().size()) / parts().server(id)->trays)
          << id << " " << fabric.name(nic);
    }
  }
}

// 18 links x 25 GB/s, through four switches at once.
TEST(Server, HgxH100PairsSee450GigabytesPerSecond) {
  const Fabric fabric = build("hgx-h100-8");
  EXPECT_EQ(fabric.devices_of(DeviceKind::nvswitch).size(), 4U);
  const Path pair = path(fabric, "server0.gpu0", "server0.gpu7");
  EXPECT_EQ(pair.line(), Rate::gbyte_per_s(450));
  EXPECT_EQ(pair.type, PathType::nvl);
  int links = 0;
  EXPECT_EQ(closeness(fabric, fabric.find("server0.gpu0"), fabric.find("server0.gpu7"), &links), PathType::nvl);
  EXPECT_EQ(links, 18);
  Rate all;
  for (const LinkId id : fabric.links_from(fabric.gpus()[0])) {
    if (catalog::is_gpu_fabric(fabric.technology(id).link_class)) all += fabric.line_rate(id);
  }
  EXPECT_EQ(all * 2 * 8, Rate::gbyte_per_s(7200));
}

TEST(Server, Dgx2PairsSeeFullBandwidthAcrossTheTwoBaseboards) {
  const Fabric fabric = build("dgx2-v100");
  EXPECT_EQ(fabric.devices_of(DeviceKind::nvswitch).size(), 12U);
  EXPECT_EQ(path(fabric, "server0.gpu0", "server0.gpu1").line(), Rate::gbyte_per_s(150));
  const Path across = path(fabric, "server0.gpu0", "server0.gpu15");
  EXPECT_EQ(across.line(), Rate::gbyte_per_s(150));
  EXPECT_EQ(across.hops.size(), 3U);
}

TEST(Server, TheHybridMeshRelaysThroughAGpu) {
  const Fabric fabric = build("dgx1-v100");
  int direct = 0;
  int relayed = 0;
  for (std::size_t i = 1; i < 8; ++i) {
    const Result<Path> found = find_path(fabric, fabric.gpus()[0], fabric.gpus()[i]);
    ASSERT_TRUE(found);
    direct += found->type == PathType::nvl ? 1 : 0;
    relayed += found->type == PathType::nvb ? 1 : 0;
  }
  EXPECT_EQ(direct, 4);
  EXPECT_EQ(relayed, 3);
}

TEST(Server, AnNvl72IsOneDomain) {
  const Fabric fabric = build("gb200-nvl72");
  EXPECT_EQ(fabric.gpus().size(), 72U);
  EXPECT_EQ(fabric.devices_of(DeviceKind::nvswitch).size(), 18U);
  for (const DeviceId gpu : fabric.gpus()) EXPECT_EQ(fabric.nvlink_domain(gpu), 0U);
  EXPECT_EQ(path(fabric, "server0.gpu0", "server0.gpu71").line(), Rate::gbyte_per_s(900));
}

TEST(Server, BifurcatedSlotsSplitTheirLanes) {
  FabricBuilder builder;
  catalog::ServerPart part = *parts().server("pcie-l40s:2");
  part.pcie = {{}};
  part.pcie[0].gpus = {0, 1};
  part.pcie[0].bifurcated = true;
  ASSERT_TRUE(add_server(builder, parts(), part));
  const Fabric fabric = std::move(builder).finish();
  for (const DeviceId gpu : fabric.gpus()) {
    const LinkId id = fabric.links_from(gpu)[0];
    EXPECT_EQ(fabric.technology(id).id, "pcie4-x8");
    EXPECT_EQ(fabric.line_rate(id) * 2, parts().link("pcie4-x16")->line);
  }
}

// Four GPUs on one root complex: two transfers at once share what it passes.
TEST(Server, ConcurrentPeerTransfersShareTheRootComplex) {
  FabricBuilder builder;
  catalog::ServerPart part = *parts().server("pcie-l40s:4");
  part.peer_to_peer = true;
  part.pcie.assign(4, {});
  for (int g = 0; g < 4; ++g) {
    part.pcie[static_cast<std::size_t>(g)].gpus = {g};
    part.pcie[static_cast<std::size_t>(g)].root = 0;
  }
  ASSERT_TRUE(add_server(builder, parts(), part));
  const Fabric fabric = std::move(builder).finish();
  const Path first = path(fabric, "server0.gpu0", "server0.gpu1");
  const Path second = path(fabric, "server0.gpu2", "server0.gpu3");
  EXPECT_EQ(first.type, PathType::phb);
  const Rate cap = fabric.model(fabric.find("server0.root0")).port_cap;
  ASSERT_GT(cap.count(), 0);
  EXPECT_EQ(first.goodput(), std::min(cap, parts().link("pcie4-x16")->goodput));
  const std::vector<Path> both = {first, second};
  for (const Rate rate : concurrent_rates(both)) EXPECT_NEAR(rate.gbytes(), std::min(cap, parts().link("pcie4-x16")->goodput).gbytes(), 1e-6);
}

TEST(Server, WithoutPeerToPeerTransfersBounceThroughHostMemory) {
  Fabric fabric = build("pcie-rtx4090:4");
  const Path pair = path(fabric, "server0.gpu0", "server0.gpu1");
  EXPECT_TRUE(pair.host_bounce);
  bool through_memory = false;
  for (const Hop& hop : pair.hops)
    through_memory = through_memory || fabric.device(fabric.link(hop.link).to).kind == DeviceKind::cpu;
  EXPECT_TRUE(through_memory);
}

TEST(Server, GpuDirectRdmaGoesStraightAndBouncesWithoutIt) {
  const Fabric fabric = build("hgx-h100-8", 2);
  const Path direct = path(fabric, "server0.gpu0", "server1.gpu0");
  EXPECT_FALSE(direct.host_bounce);
  for (const Hop& hop : direct.hops) EXPECT_NE(fabric.device(fabric.link(hop.link).to).kind, DeviceKind::cpu);
  Conditions conditions;
  conditions.add(*parse_condition(fabric, "no-gdr server1"));
  EXPECT_TRUE(path(fabric, "server0.gpu0", "server1.gpu0", conditions).host_bounce);
}

TEST(Server, ConditionsTakeLinksAway) {
  const Fabric fabric = build("hgx-h100-8", 2);
  Conditions conditions;
  conditions.add(*parse_condition(fabric, "links 12 server0.gpu0"));
  EXPECT_EQ(path(fabric, "server0.gpu0", "server0.gpu1", conditions).line(), Rate::gbyte_per_s(300));
  conditions.add(*parse_condition(fabric, "width 8 server0.nic0"));
  const LinkId pcie = [&] {
    for (const LinkId id : fabric.links_from(fabric.find("server0.nic0"))) {
      if (fabric.technology(id).link_class == LinkClass::pcie) return id;
    }
    return LinkId::none();
  }();
  EXPECT_EQ(conditions.state(fabric, pcie).line * 2, fabric.line_rate(pcie));
  conditions.add(*parse_condition(fabric, "down server0.nic0"));
  EXPECT_NE(nearest_nic(fabric, fabric.find("server0.gpu0"), conditions), fabric.find("server0.nic0"));
}

TEST(Condition, SaysWhatIsWrongWithAText) {
  const Fabric fabric = build("hgx-h100-8");
  EXPECT_EQ(parse_condition(fabric, "dwon server0.nic3").error().hint, "did you mean down?");
  EXPECT_EQ(parse_condition(fabric, "down server0.nic9").error().id, "WEFT-FAB-0002");
  EXPECT_EQ(parse_condition(fabric, "rate 200 server0.nic0").error().id, "WEFT-UNIT-0003");
  EXPECT_EQ(parse_condition(fabric, "loss 2 server0.nic0").error().id, "WEFT-FAB-0003");
  EXPECT_TRUE(parse_condition(fabric, "link down server0.nic3 from 5ms to 8ms"));
  EXPECT_EQ(parse_condition(fabric, "").error().id, "WEFT-FAB-0001");
}

TEST(Group, AServersEightGpusAreOneDomain) {
  const Fabric fabric = build("hgx-h100-8", 2);
  const GroupShape shape = shape_of(fabric, fabric.gpus().first(8));
  EXPECT_EQ(shape.scope, Scope::nvlink_domain);
  EXPECT_EQ(shape.ranks, 8);
  EXPECT_EQ(shape.servers, 1);
  EXPECT_TRUE(shape.nvls);
  EXPECT_TRUE(shape.all_to_all);
  EXPECT_NEAR(shape.inside_rate.gbytes(), 370.8, 0.1);
}

TEST(Group, TwoServersUseAllTheirNics) {
  const Fabric fabric = build("hgx-h100-8", 2);
  const GroupShape shape = shape_of(fabric, fabric.gpus());
  EXPECT_EQ(shape.servers, 2);
  EXPECT_EQ(shape.nics_per_server, 8);
  EXPECT_EQ(shape.between, LinkClass::infiniband);
  EXPECT_NEAR(shape.nic_rate_per_rank.gbits(), 400 * 0.9937, 2.0);
  EXPECT_EQ(shape.switch_hops, 1);
  EXPECT_EQ(shape.scope, Scope::rack);
}

}  // namespace
}  // namespace weft::fabric
