#include "weft/collective/kernels.h"

#include <algorithm>
#include <charconv>

namespace weft::collective {
namespace {

using catalog::CalibrationSet;

constexpr std::array<std::string_view, kKernels> kNames = {"peer_one_shot",    "peer_two_shot",   "symmetric_two_shot",
                                                           "multimem",         "push_one_shot",   "push_two_shot",
                                                           "flagged_one_shot", "flagged_two_shot"};
constexpr std::array<std::string_view, 3> kFamilies = {"vllm", "sglang", "trtllm"};
constexpr std::string_view kLines = "serving-kernels";
constexpr std::string_view kRanks = "ranks-";
constexpr std::string_view kScale = "scale.";

// "nvlink4.ranks-8.multimem" -> its parts; empty ones where there are fewer.
std::array<std::string_view, 3> parts_of(std::string_view key) {
  std::array<std::string_view, 3> parts;
  for (std::string_view& part : parts) {
    const std::size_t dot = &part == &parts.back() ? std::string_view::npos : key.find('.');
    part = key.substr(0, dot);
    key.remove_prefix(dot == std::string_view::npos ? key.size() : dot + 1);
  }
  return parts;
}

Error strange_key(const CalibrationSet& set, std::string_view key, std::string expected) {
  return input_error("WEFT-COL-0025", "calibration set " + set.id + " holds \"" + std::string(key) + "\"")
      .with_expected(std::move(expected));
}

double* number_of(KernelLine& line, std::string_view name) {
  if (name == "launch_us") return &line.launch_us;
  if (name == "rank_us") return &line.rank_us;
  if (name == "share") return &line.share;
  if (name == "peer_gbyte_per_s") return &line.peer_gbyte_per_s;
  return nullptr;
}

// 0 when it is no number of ranks.
int ranks_from(std::string_view text) {
  int ranks = 0;
  if (!text.starts_with(kRanks)) return 0;
  text.remove_prefix(kRanks.size());
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ranks);
  return error == std::errc() && end == text.data() + text.size() && ranks > 1 ? ranks : 0;
}

bool takes_number(std::string_view& text, int& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace

std::string_view name_of(Kernel kernel) { return kNames[static_cast<std::size_t>(kernel)]; }

std::optional<Kernel> kernel_from(std::string_view text) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), text);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Kernel>(found - kNames.begin());
}

Algorithm algorithm_of(Kernel kernel) {
  if (kernel == Kernel::multimem) return Algorithm::multimem;
  return name_of(kernel).ends_with("one_shot") ? Algorithm::one_shot : Algorithm::two_shot;
}

double crossing_share(Algorithm algorithm, int ranks) {
  const double n = ranks;
  if (algorithm == Algorithm::one_shot) return n - 1;
  return algorithm == Algorithm::multimem ? (n + 1) / n : 2 * (n - 1) / n;
}

std::string_view name_of(EngineFamily family) { return kFamilies[static_cast<std::size_t>(family)]; }

std::optional<ServingEngine> engine_from(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  const auto* const family = std::find(kFamilies.begin(), kFamilies.end(), text.substr(0, dash));
  if (family == kFamilies.end()) return std::nullopt;
  ServingEngine engine{static_cast<EngineFamily>(family - kFamilies.begin()), {}};
  text.remove_prefix(dash);
  if (text.empty() || text == "-unknown") return engine;
  text.remove_prefix(1);
  for (int& number : engine.version) {
    if (!takes_number(text, number)) return std::nullopt;
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  return engine.version_known() ? std::optional(engine) : std::nullopt;
}

KernelProfile::Found KernelProfile::line(Kernel kernel, std::string_view link, catalog::LinkClass link_class) const {
  for (const std::string_view name : {link, catalog::name_of(link_class)}) {
    for (const Lines& each : lines_) {
      if (each.link != name) continue;
      const KernelLine& line = each.by_kernel[static_cast<std::size_t>(kernel)];
      if (line.known()) return {&line, each.link};
    }
  }
  return {};
}

std::optional<Kernel> KernelProfile::choice(std::string_view link, catalog::LinkClass link_class, int ranks,
                                            Bytes bytes) const {
  const auto speaks_of = [&](std::string_view name) {
    return std::any_of(rules_.begin(), rules_.end(), [&](const Rule& rule) { return rule.link == name; });
  };
  const std::string_view name = speaks_of(link) ? link : catalog::name_of(link_class);
  const auto found = std::find_if(rules_.begin(), rules_.end(), [&](const Rule& rule) {
    return rule.link == name && rule.ranks == ranks && bytes <= rule.largest;
  });
  return found == rules_.end() ? std::nullopt : std::optional(found->kernel);
}

std::vector<Kernel> KernelProfile::kernels_of(Algorithm algorithm) const {
  std::vector<Kernel> found;
  for (const Rule& rule : rules_) {
    if (algorithm_of(rule.kernel) == algorithm && std::find(found.begin(), found.end(), rule.kernel) == found.end())
      found.push_back(rule.kernel);
  }
  return found;
}

std::string KernelProfile::links_with(Algorithm algorithm) const {
  const std::vector<Kernel> kernels = kernels_of(algorithm);
  std::string links;
  for (const Lines& each : lines_) {
    const bool known = std::any_of(kernels.begin(), kernels.end(), [&](Kernel kernel) {
      return each.by_kernel[static_cast<std::size_t>(kernel)].known();
    });
    if (known) links += (links.empty() ? "" : ", ") + each.link;
  }
  return links;
}

Result<void> KernelProfile::read_lines(const CalibrationSet& set) {
  id = set.id;
  latency_scale = set.number_or("scale.latency", 1);
  rate_scale = set.number_or("scale.rate", 1);
  std::vector<Lines> read;
  for (const auto& [key, value] : set.values) {
    if (key.starts_with(kScale)) continue;
    const auto [link, name, number] = parts_of(key);
    const std::optional<Kernel> kernel = kernel_from(name);
    if (read.empty() || read.back().link != link) read.push_back({std::string(link), {}});
    KernelLine none;
    KernelLine& line = kernel ? read.back().by_kernel[static_cast<std::size_t>(*kernel)] : none;
    double* const place = kernel ? number_of(line, number) : nullptr;
    if (place == nullptr || !(value >= 0))
      return fail(strange_key(set, key, "a link, a kernel and one of its numbers, such as nvlink4.multimem.share"));
    *place = value;
  }
  lines_ = std::move(read);
  return {};
}

Result<void> KernelProfile::read_rules(const CalibrationSet& set) {
  rules = set.id;
  rules_.clear();
  for (const auto& [key, value] : set.values) {
    const auto [link, ranks_text, name] = parts_of(key);
    const std::optional<Kernel> kernel = kernel_from(name);
    const int ranks = ranks_from(ranks_text);
    if (!kernel || ranks == 0 || !(value >= 0 && value < 1e15))
      return fail(strange_key(set, key, "the largest message of a kernel, such as nvlink4.ranks-8.multimem"));
    rules_.push_back({std::string(link), ranks, *kernel, Bytes(static_cast<std::int64_t>(value))});
  }
  std::stable_sort(rules_.begin(), rules_.end(), [](const Rule& a, const Rule& b) { return a.largest < b.largest; });
  return {};
}

Result<KernelProfile> load_kernels(const catalog::Calibration& calibration, const ServingEngine& engine) {
  Result<const CalibrationSet*> lines = calibration.set(kLines);
  if (!lines) return fail(std::move(lines.error()));
  Result<const CalibrationSet*> rules = calibration.set(name_of(engine.family));
  if (!rules) return fail(std::move(rules.error()));
  // Of the sets for older versions, the one whose end comes first after this version.
  std::optional<ServingEngine> nearest;
  for (const CalibrationSet& set : calibration.sets()) {
    const std::optional<ServingEngine> before = engine_from(set.library_before);
    if (!before || before->family != engine.family || !engine.version_known() || engine >= *before) continue;
    if (nearest && *nearest <= *before) continue;
    nearest = before;
    rules = &set;
  }
  KernelProfile profile;
  profile.engine = engine;
  Result<void> done = profile.read_lines(**lines);
  if (done) done = profile.read_rules(**rules);
  if (!done) return fail(std::move(done.error()));
  return profile;
}

}  // namespace weft::collective
