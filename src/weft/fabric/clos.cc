#include "weft/fabric/clos.h"

#include <algorithm>
#include <cmath>

#include "weft/units/text.h"

namespace weft::fabric {
namespace {

// How many switches of each tier, and how they are joined. Pods exist only with three tiers.
struct ClosSizes {
  int down = 0;  // NIC ports used on a leaf
  int up = 0;    // uplink ports of a leaf
  int leaves = 0;
  int pods = 1;
  int leaves_per_pod = 0;
  int spines_per_pod = 0;
  int cores = 0;
  int spine_up = 0;  // uplink ports of a spine (three tiers)
};

int ceil_div(int a, int b) { return (a + b - 1) / b; }

// `ends` cables from one switch spread over `targets` switches as evenly as they go.
void spread(FabricBuilder& builder, DeviceId from, const std::vector<DeviceId>& targets, int ends, int first,
            std::uint16_t link) {
  const int count = static_cast<int>(targets.size());
  for (int i = 0; i < count; ++i) {
    const int cables = ends / count + (((i - first) % count + count) % count < ends % count ? 1 : 0);
    if (cables > 0)
      builder.add_cable(from, targets[static_cast<std::size_t>(i)], link, static_cast<std::uint16_t>(cables));
  }
}

std::vector<DeviceId> add_switches(FabricBuilder& builder, DeviceKind kind, std::uint16_t model, int count) {
  std::vector<DeviceId> switches;
  for (int i = 0; i < count; ++i) switches.push_back(builder.add_switch(kind, model));
  return switches;
}

int down_ports(int radix, double oversubscription) {
  return std::clamp(static_cast<int>(std::floor(radix * oversubscription / (1 + oversubscription) + 1e-9)), 1,
                    radix - 1);
}

Error too_small(int radix, std::size_t nics, std::int64_t reach) {
  return input_error("WEFT-FAB-0022", "three tiers of " + std::to_string(radix) + "-port switches reach " +
                                          std::to_string(reach) + " NICs, " +
                                          std::to_string(static_cast<std::int64_t>(nics) - reach) + " too few")
      .with_hint("use switches with more ports, or a larger oversubscription");
}

// Two tiers while one spine can see every leaf; pods and cores beyond.
Result<ClosSizes> sizes_of(const NetworkSpec& spec, const NetworkPlan& plan, int leaves, int down) {
  ClosSizes sizes;
  sizes.down = down;
  sizes.leaves = leaves;
  if (leaves == 1 && spec.tiers <= 1) return sizes;
  const int wanted = std::max(1, static_cast<int>(std::ceil(down / spec.oversubscription - 1e-9)));
  sizes.up = std::min(wanted, plan.radix - down);
  const bool two_tiers = spec.tiers == 2 || (spec.tiers == 0 && leaves <= plan.radix);
  if (two_tiers) {
    if (leaves > plan.radix) return fail(too_small(plan.radix, plan.nics.size(), std::int64_t{plan.radix} * down));
    sizes.leaves_per_pod = leaves;
    sizes.spines_per_pod = std::min(sizes.up, std::max(1, ceil_div(leaves * sizes.up, plan.radix)));
    return sizes;
  }
  const int half = std::max(1, plan.radix / 2);
  sizes.leaves_per_pod = half;
  sizes.pods = ceil_div(leaves, half);
  sizes.spines_per_pod = sizes.up;
  sizes.spine_up = half;
  if (sizes.pods > plan.radix)
    return fail(too_small(plan.radix, plan.nics.size(), std::int64_t{plan.radix} * half * down));
  sizes.cores = sizes.spines_per_pod * ceil_div(sizes.pods * sizes.spine_up, plan.radix);
  return sizes;
}

void add_tiers(FabricBuilder& builder, const NetworkPlan& plan, const ClosSizes& sizes,
               const std::vector<DeviceId>& leaves) {
  if (sizes.up == 0) return;
  const std::uint16_t model = builder.model(plan.model);
  const std::uint16_t link = builder.technology(plan.link);
  std::vector<std::vector<DeviceId>> spines;
  for (int pod = 0; pod < sizes.pods; ++pod) {
    spines.push_back(add_switches(builder, DeviceKind::spine, model, sizes.spines_per_pod));
  }
  for (std::size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    const std::size_t pod = leaf / static_cast<std::size_t>(sizes.leaves_per_pod);
    spread(builder, leaves[leaf], spines[pod], sizes.up, static_cast<int>(leaf), link);
  }
  if (sizes.cores == 0) return;
  const std::vector<DeviceId> cores = add_switches(builder, DeviceKind::core, model, sizes.cores);
  // Spine s of every pod meets the same cores: the planes of a folded Clos.
  const int planes = sizes.spines_per_pod;
  const int cores_of_plane = sizes.cores / planes;
  for (int pod = 0; pod < sizes.pods; ++pod) {
    for (int s = 0; s < planes; ++s) {
      const auto begin = cores.begin() + static_cast<std::ptrdiff_t>(s) * cores_of_plane;
      const std::vector<DeviceId> plane(begin, begin + cores_of_plane);
      spread(builder, spines[static_cast<std::size_t>(pod)][static_cast<std::size_t>(s)], plane, sizes.spine_up, pod,
             link);
    }
  }
}

// Which leaf each NIC goes to: (group of servers) x (rail), or the group alone.
int leaf_index(const Device& nic, int servers_per_group, int rails) {
  const int group = static_cast<int>(nic.server) / servers_per_group;
  return rails == 0 ? group : group * rails + static_cast<int>(nic.index) % rails;
}

}  // namespace

Result<void> add_clos(FabricBuilder& builder, const NetworkSpec& spec, const NetworkPlan& plan,
                      std::vector<std::string>& assumed) {
  if (plan.radix < 2) return fail(input_error("WEFT-FAB-0023", "a switch needs at least 2 ports"));
  if (!(spec.oversubscription >= 1 && spec.oversubscription <= 64)) {
    return fail(
        input_error("WEFT-FAB-0024", "oversubscription " + significant(spec.oversubscription) + " is out of range")
            .with_expected("1 (none) to 64"));
  }
  int most_nics = 0;
  for (const DeviceId nic : plan.nics) most_nics = std::max(most_nics, static_cast<int>(builder.device(nic).index) + 1);
  const int per_server_on_leaf = spec.kind == NetworkKind::rail ? 1 : most_nics;
  const int rails = spec.kind == NetworkKind::rail ? most_nics : 0;

  // One tier when everything fits under each leaf; otherwise ports are kept for uplinks.
  const bool fits_one_leaf =
      static_cast<int>(plan.servers) * per_server_on_leaf <= plan.radix && spec.kind == NetworkKind::leaf_spine;
  int ports = fits_one_leaf && spec.tiers <= 1 ? plan.radix : down_ports(plan.radix, spec.oversubscription);
  if (spec.servers_per_leaf > 0) ports = spec.servers_per_leaf * per_server_on_leaf;
  const int servers_per_group = std::max(1, ports / per_server_on_leaf);
  if (servers_per_group * per_server_on_leaf >= plan.radix + (fits_one_leaf ? 1 : 0)) {
    return fail(input_error("WEFT-FAB-0025", std::to_string(servers_per_group * per_server_on_leaf) +
                                                 " NICs on a leaf of " + std::to_string(plan.radix) +
                                                 " ports leave none for uplinks")
                    .with_hint("fewer servers_per_leaf, or a switch with more ports"));
  }
  const int groups = ceil_div(static_cast<int>(plan.servers), servers_per_group);
  const int leaves_wanted = groups * std::max(1, rails);
  const int servers_in_group = std::min(servers_per_group, static_cast<int>(plan.servers));
  Result<ClosSizes> sizes = sizes_of(spec, plan, leaves_wanted, servers_in_group * per_server_on_leaf);
  if (!sizes) return fail(std::move(sizes.error()));

  const std::uint16_t link = builder.technology(plan.link);
  const std::vector<DeviceId> leaves =
      add_switches(builder, DeviceKind::leaf, builder.model(plan.model), sizes->leaves);
  for (const DeviceId nic : plan.nics) {
    const int leaf = leaf_index(builder.device(nic), servers_per_group, rails);
    builder.add_cable(nic, leaves[static_cast<std::size_t>(leaf)], link);
  }
  if (spec.uplinks > 0) sizes->up = std::min(spec.uplinks * std::max(1, sizes->spines_per_pod), plan.radix - 1);
  add_tiers(builder, plan, *sizes, leaves);
  if (sizes->cores > 0 && spec.tiers == 0) {
    assumed.push_back("the network has three tiers: " + std::to_string(sizes->leaves) + " leaves do not fit under " +
                      std::to_string(plan.radix) + "-port spines");
  }
  return {};
}

Result<void> add_fat_tree(FabricBuilder& builder, const NetworkSpec& spec, const NetworkPlan& plan) {
  const int k = spec.k;
  const int half = k / 2;
  const std::int64_t hosts = std::int64_t{half} * half * k;
  if (static_cast<std::int64_t>(plan.nics.size()) > hosts) {
    return fail(input_error("WEFT-FAB-0026", "a fat tree of k = " + std::to_string(k) + " has " +
                                                 std::to_string(hosts) + " host ports; the servers have " +
                                                 std::to_string(plan.nics.size()) + " NICs"));
  }
  const std::uint16_t link = builder.technology(plan.link);
  const std::uint16_t model = builder.model(plan.model);
  const std::vector<DeviceId> edges = add_switches(builder, DeviceKind::leaf, model, k * half);
  const std::vector<DeviceId> aggregates = add_switches(builder, DeviceKind::spine, model, k * half);
  const std::vector<DeviceId> cores = add_switches(builder, DeviceKind::core, model, half * half);
  for (std::size_t i = 0; i < plan.nics.size(); ++i)
    builder.add_cable(plan.nics[i], edges[i / static_cast<std::size_t>(half)], link);
  const auto width = static_cast<std::size_t>(half);
  for (std::size_t pod = 0; pod < 2 * width; ++pod) {
    for (std::size_t e = 0; e < width; ++e) {
      for (std::size_t a = 0; a < width; ++a)
        builder.add_cable(edges[pod * width + e], aggregates[pod * width + a], link);
    }
    for (std::size_t a = 0; a < width; ++a) {
      for (std::size_t c = 0; c < width; ++c)
        builder.add_cable(aggregates[pod * width + a], cores[a * width + c], link);
    }
  }
  return {};
}

}  // namespace weft::fabric
