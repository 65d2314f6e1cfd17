#include "weft/fabric/network.h"

#include <gtest/gtest.h>

#include <map>

#include "weft/fabric/cluster.h"
#include "weft/fabric/diff.h"
#include "weft/fabric/group.h"
#include "weft/fabric/network_path.h"
#include "weft/fabric/path.h"

namespace weft::fabric {
namespace {

const catalog::Catalog& parts() {
  static const catalog::Catalog catalog = *catalog::Catalog::builtin();
  return catalog;
}

Fabric short_form(const std::string& text) {
  Result<ClusterSpec> spec = parse_short_form(text);
  if (!spec) ADD_FAILURE() << spec.error().to_string();
  Result<Cluster> cluster = build_cluster(parts(), *spec);
  if (!cluster) ADD_FAILURE() << cluster.error().to_string();
  return std::move(cluster->fabric);
}

ClusterSpec servers(const std::string& name, int count) {
  ClusterSpec spec;
  spec.groups.push_back({name, count, 0, "", {}});
  return spec;
}

std::string error_id(const ClusterSpec& spec) {
  const Result<Cluster> cluster = build_cluster(parts(), spec);
  return cluster ? "" : cluster.error().id;
}
std::string short_form_error(const std::string& text) {
  const Result<ClusterSpec> spec = parse_short_form(text);
  return spec ? "" : spec.error().id;
}

// Cables that end at a device, parallel ones counted.
int ports_used(const Fabric& fabric, DeviceId id) {
  int ports = 0;
  for (const LinkId link : fabric.links_from(id)) ports += fabric.link(link).count;
  return ports;
}

// Al-Fares et al. 2008: k^3/4 hosts, k^2/2 edge and as many aggregation switches, k^2/4 cores; (k/2)^2 shortest ways
// between pods.
TEST(Network, FatTreesHaveTheirCountsAndWays) {
  for (const int k : {4, 8, 16}) {
    const Fabric fabric = short_form("fat-tree:k=" + std::to_string(k) + ",rate=400Gb/s,latency=1us");
    EXPECT_EQ(fabric.nics().size(), static_cast<std::size_t>(k * k * k / 4));
    EXPECT_EQ(fabric.devices_of(DeviceKind::leaf).size(), static_cast<std::size_t>(k * k / 2));
    EXPECT_EQ(fabric.devices_of(DeviceKind::spine).size(), static_cast<std::size_t>(k * k / 2));
    EXPECT_EQ(fabric.devices_of(DeviceKind::core).size(), static_cast<std::size_t>(k * k / 4));
    for (const DeviceKind kind : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core}) {
      for (const DeviceId id : fabric.devices_of(kind)) EXPECT_EQ(ports_used(fabric, id), k);
    }
    const Path across = *find_path(fabric, fabric.nics().front(), fabric.nics().back());
    EXPECT_EQ(across.equal_paths, static_cast<std::uint64_t>(k * k / 4));
    EXPECT_EQ(across.hops.size(), 6U);
    EXPECT_EQ(across.latency(), Duration::microseconds(6));
  }
}

TEST(Network, NoSwitchHasMoreCablesThanPorts) {
  for (const NetworkKind kind : {NetworkKind::rail, NetworkKind::leaf_spine}) {
    for (const int count : {1, 2, 8, 31, 32, 33, 64, 100, 256, 500}) {
      for (const double over : {1.0, 2.0}) {
        ClusterSpec spec = servers("hgx-h100-8", count);
        spec.network_given = true;
        spec.network.kind = kind;
        spec.network.oversubscription = over;
        const Result<Cluster> cluster = build_cluster(parts(), spec);
        ASSERT_TRUE(cluster) << count << ": " << cluster.error().to_string();
        const Fabric& fabric = cluster->fabric;
        for (const DeviceKind tier : {DeviceKind::leaf, DeviceKind::spine, DeviceKind::core}) {
          for (const DeviceId id : fabric.devices_of(tier))
            ASSERT_LE(ports_used(fabric, id), 64) << count << " " << fabric.name(id);
        }
        for (const DeviceId nic : fabric.nics()) ASSERT_TRUE(fabric.leaf_of(nic).valid());
        ASSERT_TRUE(find_path(fabric, fabric.nics().front(), fabric.nics().back()));
      }
    }
  }
}

TEST(Network, RailsGoToTheirOwnLeaves) {
  const Fabric fabric = std::move(build_cluster(parts(), servers("hgx-h100-8", 40))->fabric);
  for (const DeviceId nic : fabric.nics()) {
    const std::uint32_t group = fabric.device(nic).server / 32;
    EXPECT_EQ(fabric.device(fabric.leaf_of(nic)).index, group * 8 + fabric.rail_of(nic));
  }
}

TEST(Network, OversubscriptionShowsInTheGroupsShape) {
  for (const double over : {1.0, 2.0, 4.0}) {
    ClusterSpec spec = servers("hgx-h100-8", 64);
    spec.network_given = true;
    spec.network.kind = NetworkKind::leaf_spine;
    spec.network.oversubscription = over;
    const Cluster cluster = *build_cluster(parts(), spec);
    EXPECT_NEAR(shape_of(cluster.fabric, cluster.fabric.gpus()).oversubscription, over, 0.15 * over);
  }
}

TEST(Network, EveryPairOfDragonflyGroupsHasOneGlobalLink) {
  const Fabric fabric = short_form("dragonfly:a=4,p=2,h=2,rate=200Gb/s");
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> between;
  for (std::size_t i = 0; i < fabric.link_count(); i += 2) {
    const Link& link = fabric.link(LinkId(i));
    if (!is_network_switch(fabric.device(link.from).kind) || !is_network_switch(fabric.device(link.to).kind)) continue;
    const std::uint32_t a = fabric.device(link.from).index / 4;
    const std::uint32_t b = fabric.device(link.to).index / 4;
    if (a != b) ++between[{std::min(a, b), std::max(a, b)}];
  }
  EXPECT_EQ(between.size(), 9U * 8 / 2);
  for (const auto& [pair, count] : between) EXPECT_EQ(count, 1);
  for (const DeviceId router : fabric.devices_of(DeviceKind::leaf)) EXPECT_LE(ports_used(fabric, router), 2 + 3 + 2);
}

TEST(Network, TorusNodesHaveTwoNeighboursADimension) {
  const Fabric fabric = short_form("torus:dims=4x4x4,rate=200Gb/s");
  for (const DeviceId router : fabric.devices_of(DeviceKind::leaf)) EXPECT_EQ(ports_used(fabric, router), 6 + 1);
  // Farthest: two hops in each dimension.
  const Path far = *find_path(fabric, fabric.nics()[0], fabric.nics()[2 + 4 * 2 + 16 * 2]);
  EXPECT_EQ(far.hops.size(), 6U + 2);
}

ClusterSpec dual_homed() {
  ClusterSpec spec = servers("hgx-h100-8", 3);
  spec.groups.front().options.nics = 2;
  spec.network_given = true;
  spec.network.kind = NetworkKind::custom;
  spec.network.link = "ib-ndr";
  spec.network.switches = {{"ib0", "qm9700", false}, {"ib1", "qm9700", false}, {"ib2", "qm9700", false}};
  spec.network.cables = {{"server0.nic0", "ib0", 1}, {"server0.nic1", "ib1", 1}, {"server1.nic0", "ib1", 1},
                         {"server1.nic1", "ib2", 1}, {"server2.nic0", "ib2", 1}, {"server2.nic1", "ib0", 1}};
  spec.network.management = true;
  return spec;
}

TEST(Network, DualHomedServersReachEachOtherOverTheSwitchTheyShare) {
  const Cluster cluster = *build_cluster(parts(), dual_homed());
  const Fabric& fabric = cluster.fabric;
  for (std::uint32_t a = 0; a < 3; ++a) {
    for (std::uint32_t b = 0; b < 3; ++b) {
      if (a == b) continue;
      const Result<Path> path = find_path(fabric, fabric.gpu(a, 0), fabric.gpu(b, 0));
      ASSERT_TRUE(path) << path.error().to_string();
      int switches = 0;
      for (const Hop& hop : path->hops)
        switches += fabric.device(fabric.link(hop.link).to).kind == DeviceKind::leaf ? 1 : 0;
      EXPECT_EQ(switches, 1);
    }
  }
  EXPECT_EQ(fabric.devices_of(DeviceKind::management).size(), 1U);
  Conditions conditions;
  conditions.add(*parse_condition(fabric, "down ib1"));
  const Result<Path> cut = find_path(fabric, fabric.gpu(0, 0), fabric.gpu(1, 0), conditions);
  ASSERT_FALSE(cut);
  EXPECT_EQ(
      cut.error().to_string(),
      "error WEFT-FAB-0010: nothing connects server0.gpu0 and server1.gpu0\n  hint: with this condition: down ib1\n");
}

TEST(Network, SaysWhatIsWrongWithACluster) {
  ClusterSpec none = servers("hgx-h100-8", 0);
  EXPECT_EQ(error_id(none), "WEFT-FAB-0030");
  ClusterSpec no_nic = servers("pcie-l40s:4", 2);
  no_nic.network_given = true;
  no_nic.network.kind = NetworkKind::rail;
  EXPECT_EQ(error_id(no_nic), "WEFT-FAB-0021");
  ClusterSpec unknown_rate = servers("host", 4);
  unknown_rate.network_given = true;
  unknown_rate.network.kind = NetworkKind::leaf_spine;
  EXPECT_EQ(error_id(unknown_rate), "WEFT-FAB-0020");
  ClusterSpec nameless = servers("pcie-l40s:4", 1);
  nameless.groups.front().options.nics = 2;
  EXPECT_EQ(error_id(nameless), "WEFT-FAB-0031");

  ClusterSpec clos = servers("hgx-h100-8", 4);
  clos.network_given = true;
  clos.network.kind = NetworkKind::leaf_spine;
  ClusterSpec one_port = clos;
  one_port.network.radix = 1;
  EXPECT_EQ(error_id(one_port), "WEFT-FAB-0023");
  ClusterSpec fraction = clos;
  fraction.network.oversubscription = 0.5;
  EXPECT_EQ(error_id(fraction), "WEFT-FAB-0024");
  ClusterSpec crowded = clos;
  crowded.network.radix = 16;
  crowded.network.servers_per_leaf = 2;
  EXPECT_EQ(error_id(crowded), "WEFT-FAB-0025");
  ClusterSpec small = servers("hgx-h100-8", 600);
  small.network_given = true;
  small.network.kind = NetworkKind::rail;
  small.network.radix = 4;
  EXPECT_EQ(error_id(small), "WEFT-FAB-0022");

  ClusterSpec twice = dual_homed();
  twice.network.switches[1].name = "ib0";
  EXPECT_EQ(error_id(twice), "WEFT-FAB-0028");
  ClusterSpec loose = dual_homed();
  loose.network.cables[0].to = "ib7";
  EXPECT_EQ(error_id(loose), "WEFT-FAB-0029");
  ClusterSpec fat = *parse_short_form("fat-tree:k=4,link=ib-ndr,server=hgx-h100-8,hosts=16");
  EXPECT_EQ(error_id(fat), "WEFT-FAB-0026");
  ClusterSpec groups = *parse_short_form("dragonfly:a=2,p=1,h=1,g=3,rate=200Gb/s");
  groups.network.groups = 9;
  EXPECT_EQ(error_id(groups), "WEFT-FAB-0027");
}

TEST(ShortForm, SaysWhatIsWrong) {
  EXPECT_EQ(short_form_error("mesh:k=4"), "WEFT-FAB-0040");
  EXPECT_EQ(short_form_error("fat-tree:k=5,rate=400Gb/s"), "WEFT-FAB-0041");
  EXPECT_EQ(short_form_error("fat-tree:rate=400Gb/s"), "WEFT-FAB-0042");
  EXPECT_EQ(short_form_error("fat-tree:k=4"), "WEFT-FAB-0042");
  EXPECT_EQ(short_form_error("fat-tree:k=4,rat=400Gb/s"), "WEFT-FAB-0043");
  EXPECT_EQ(short_form_error("fat-tree:k=4,rate=400Gb/s,hosts=17"), "WEFT-FAB-0044");
  EXPECT_EQ(short_form_error("torus:dims=4x-1,rate=400Gb/s"), "WEFT-FAB-0041");
  EXPECT_EQ(parse_short_form("fat-tree:k=4,rate=400Gb/s,latency=1").error().where.column, 35);
}

TEST(Condition, TailsAreRead) {
  const Cluster cluster = *build_cluster(parts(), servers("hgx-h100-8", 1));
  EXPECT_EQ(parse_condition(cluster.fabric, "down server0.nic0 until 5ms").error().id, "WEFT-FAB-0004");
  EXPECT_EQ(parse_condition(cluster.fabric, "down server0.nic0 from").error().id, "WEFT-FAB-0004");
}

TEST(Diff, SeesWhatChangedAndOnlyThat) {
  const Cluster first = *build_cluster(parts(), servers("hgx-h100-8", 2));
  const Cluster same = *build_cluster(parts(), servers("hgx-h100-8", 2));
  EXPECT_TRUE(diff(first.fabric, same.fabric).empty());
  const Cluster other = *build_cluster(parts(), servers("hgx-h200-8", 2));
  const std::vector<Difference> differences = diff(first.fabric, other.fabric);
  EXPECT_EQ(differences.size(), 16U);  // the GPUs are another part
  for (const Difference& difference : differences) EXPECT_EQ(difference.kind, Difference::Kind::changed);
}

}  // namespace
}  // namespace weft::fabric
