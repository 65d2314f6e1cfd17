#include "weft/collective/tuner.h"

#include <limits>

#include "weft/collective/numbers.h"

namespace weft::collective {
namespace {

constexpr std::string_view kPrefix = "nccl-tuner-";
constexpr std::array<std::string_view, 4> kGenerations = {"volta", "ampere", "hopper", "blackwell"};

std::string dotted(std::string_view a, std::string_view b) { return std::string(a) + "." + std::string(b); }

// "table.0", "table.1" and on.
std::vector<double> list(Numbers& numbers, const std::string& table) {
  std::vector<double> values;
  for (int i = 0; numbers.has(table + "." + std::to_string(i)); ++i)
    values.push_back(numbers(table + "." + std::to_string(i)));
  return values;
}

Tuner::ByProtocol by_protocol(Numbers& numbers, const std::string& table) {
  Tuner::ByProtocol values{};
  if (!numbers.has(dotted(table, "simple"))) return values;
  for (std::size_t p = 0; p < kProtocols; ++p) values[p] = numbers(dotted(table, name_of(static_cast<Protocol>(p))));
  return values;
}

Tuner::ByGeneration by_generation(Numbers& numbers, const std::string& table) {
  Tuner::ByGeneration values{};
  for (std::size_t i = 0; i < kGenerations.size(); ++i) {
    const std::string row = dotted(table, kGenerations[i]);
    values[i] = {numbers(row + ".one"), numbers(row + ".two"), numbers(row + ".more")};
  }
  return values;
}

void read_latencies(Tuner& tuner, Numbers& numbers) {
  constexpr std::array<std::string_view, 3> kHops = {"nvlink", "pci", "net"};
  for (std::size_t a = 0; a < kTunedAlgorithms.size(); ++a) {
    const std::string_view name = name_of(kTunedAlgorithms[a]);
    tuner.knows[a] = numbers.has(dotted(dotted("base", name), "simple"));
    tuner.base[a] = by_protocol(numbers, dotted("base", name));
    for (std::size_t h = 0; h < kHops.size(); ++h)
      tuner.hop[h][a] = by_protocol(numbers, dotted(dotted("hop", kHops[h]), name));
  }
}

void read_caps(Tuner& tuner, Numbers& numbers) {
  tuner.ll_cap = by_generation(numbers, "cap.ll");
  tuner.ring_ll128_cap = by_generation(numbers, "cap.ring_ll128");
  tuner.tree_ll128_cap = by_generation(numbers, "cap.tree_ll128");
  tuner.tree_cap = by_generation(numbers, "cap.tree");
  if (numbers.has("cap.nvls_tree.hopper.two")) tuner.nvls_tree_cap = by_generation(numbers, "cap.nvls_tree");
  for (std::size_t i = 0; i < kGenerations.size(); ++i)
    tuner.bus_cap[i] = numbers.or_else(dotted("cap.bus", kGenerations[i]), std::numeric_limits<double>::infinity());
}

void read_rules(Tuner& tuner, Numbers& n) {
  tuner.ring = {n("ring.ll_share"),
                n("ring.ll_share_gather_one_server"),
                n("ring.ll128_share"),
                n("ring.ll128_share_one_gpu"),
                n("ring.inter_steps_more"),
                n("ring.ll_intra_factor"),
                n("ring.post_us"),
                n("ring.post_us_amd"),
                n("ring.post_simple_factor"),
                n("ring.plateau_by_ranks"),
                n("ring.plateau_before_ampere"),
                n("ring.plateau")};
  tuner.tree = {n("tree.share"), n("tree.ll_share"), n("tree.ll128_share"), n("tree.ll128_share_one_server"),
                n("tree.plain_share")};
  tuner.collnet = {n("collnet.arity_us"), n("collnet.hopper_share"), n("collnet.heeds_nics"), n("collnet.gathers")};
  for (const double capability : list(n, "ll128.capability"))
    tuner.ll128.capabilities.push_back(static_cast<int>(capability));
  tuner.ll128.over_neighbours = n("ll128.over_neighbours") > 0;
  if (n.has("nvls.rule")) {
    tuner.nvls.rule = n("nvls.rule");
    tuner.nvls.share = n("nvls.share");
    tuner.nvls.tree_share = n("nvls.tree_share");
    tuner.nvls.gathers = n("nvls.gathers");
    tuner.nvls.gather_share = n("nvls.gather_share");
    tuner.nvls.tree_corrected = n("nvls.tree_corrected");
    for (std::size_t i = 2; i < kGenerations.size(); ++i)
      tuner.nvls.efficiency[i] = n.or_else("nvls.efficiency_" + std::string(kGenerations[i]), 1);
  }
  tuner.only_80_is_ampere = n("rule.only_80_is_ampere") > 0;
  tuner.one_gpu_exposes_the_network = n("rule.one_gpu_exposes_the_network") > 0;
  for (std::size_t p = 0; p < kProtocols; ++p)
    tuner.tree_correction[p] = list(n, dotted("tree_correction", name_of(static_cast<Protocol>(p))));
}

// The set of the newest version up to the library's; the oldest for one that is older than all.
const catalog::CalibrationSet* set_for(const catalog::Calibration& calibration, const Library& library) {
  const Library wanted = library.version_known() ? library : kDefaultLibrary;
  const catalog::CalibrationSet* best = nullptr;
  const catalog::CalibrationSet* oldest = nullptr;
  Library best_version;
  Library oldest_version;
  for (const catalog::CalibrationSet& set : calibration.sets()) {
    if (!set.id.starts_with(kPrefix)) continue;
    const std::optional<Library> version = library_from("nccl-" + set.id.substr(kPrefix.size()));
    if (!version) continue;
    const auto key = [](const Library& of) { return std::pair(of.major, of.minor); };
    if (oldest == nullptr || key(*version) < key(oldest_version)) {
      oldest = &set;
      oldest_version = *version;
    }
    if (key(*version) > key(wanted) || (best != nullptr && key(*version) < key(best_version))) continue;
    best = &set;
    best_version = *version;
  }
  return best != nullptr ? best : oldest;
}

}  // namespace

Result<Tuner> Tuner::of(const catalog::Calibration& calibration, const Library& library) {
  const catalog::CalibrationSet* set = set_for(calibration, library);
  if (set == nullptr) return fail(input_error("WEFT-COL-0024", "the calibration has no tuner (nccl-tuner-2.27)"));
  Tuner tuner;
  tuner.id_ = set->id;
  Numbers numbers(*set);
  read_latencies(tuner, numbers);
  read_caps(tuner, numbers);
  read_rules(tuner, numbers);
  if (!numbers.complete()) return fail(numbers.missing());
  return tuner;
}

}  // namespace weft::collective
