// The all-reduce kernels that serving engines run in place of the library for messages inside an NVLink domain.
//
// n ranks, S bytes, B the goodput of a rank's links per direction:
//
//   one-shot   every rank fetches all of S from each other rank          t = a + r (n-1) + (n-1) S / (e B)
//   two-shot   every rank sums its n-th, then fetches the others' sums   t = a + r (n-1) + 2 (n-1)/n S / (e B)
//   multimem   two-shot through NVSwitch multicast: a rank answers the switches' reads of all of S and writes its n-th
//              once for all                                              t = a + r (n-1) + (n+1)/n S / (e B)
//
// A one-shot through multicast would be worse for more than the smallest messages, as every rank's reads of S are
// answered by all: n S leave each GPU. None of the engines runs it.
// Kernels that load from peers keep one load a thread and peer in flight: a peer then gives no more than a rate of its
// own (`peer_gbyte_per_s`), which one peer alone shows where links are fast.
//
// Which kernel runs at which size is the engine's rule, by link and number of ranks (data/calibration/
// serving-engines.toml, from the engines' sources). Constants are of data/calibration/serving-kernels.toml, for
// captured graphs. Not here: AMD's kernels, kernels fused with a norm, quantised ones.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/calibration.h"
#include "weft/catalog/parts.h"
#include "weft/collective/operation.h"
#include "weft/units/units.h"

namespace weft::collective {

enum class Kernel {
  peer_one_shot,  // vLLM's custom all-reduce, SGLang's before 0.5.14: loads from peers
  peer_two_shot,
  symmetric_two_shot,  // PyTorch's symmetric memory, as vLLM uses it: the message is copied in and out
  multimem,
  push_one_shot,  // SGLang's since 0.5.14: stores to peers
  push_two_shot,
  flagged_one_shot,  // TensorRT-LLM's: data that is its own flag, no barrier
  flagged_two_shot
};
inline constexpr std::size_t kKernels = 8;
[[nodiscard]] std::string_view name_of(Kernel kernel);  // "peer_one_shot"
[[nodiscard]] std::optional<Kernel> kernel_from(std::string_view text);
[[nodiscard]] Algorithm algorithm_of(Kernel kernel);
[[nodiscard]] constexpr bool is_kernel(Algorithm algorithm) {
  return algorithm == Algorithm::one_shot || algorithm == Algorithm::two_shot || algorithm == Algorithm::multimem;
}
// Of S, what crosses a rank's links in the busier direction.
[[nodiscard]] double crossing_share(Algorithm algorithm, int ranks);

struct KernelLine {
  double launch_us = 0;
  double rank_us = 0;
  double share = 0;
  double peer_gbyte_per_s = 0;  // 0: the links are the limit
  [[nodiscard]] bool known() const { return share > 0; }
};

enum class EngineFamily { vllm, sglang, trtllm };
[[nodiscard]] std::string_view name_of(EngineFamily family);

// "vllm-0.24.0", "trtllm-1.3.0rc20" (what follows the numbers is left aside); "sglang": no version, the newest.
struct ServingEngine {
  EngineFamily family = EngineFamily::vllm;
  std::array<int, 3> version{};
  [[nodiscard]] bool version_known() const { return version != std::array<int, 3>{}; }
  auto operator<=>(const ServingEngine&) const = default;
};
[[nodiscard]] std::optional<ServingEngine> engine_from(std::string_view text);

class KernelProfile {
 public:
  std::string id;     // of the lines' set, "serving-kernels"
  std::string rules;  // of the rules' set, "vllm-before-0.18"
  ServingEngine engine;
  double latency_scale = 1;
  double rate_scale = 1;

  struct Found {
    const KernelLine* line = nullptr;
    std::string_view link;  // the technology or class that the line is of; lives as long as the profile
  };
  // The line of a kernel over a link: of its technology, or else of its class. `line` is nullptr when none is known.
  [[nodiscard]] Found line(Kernel kernel, std::string_view link, catalog::LinkClass link_class) const;
  // What the engine runs; none: it leaves the message to the library.
  [[nodiscard]] std::optional<Kernel> choice(std::string_view link, catalog::LinkClass link_class, int ranks,
                                             Bytes bytes) const;
  // Kernels of this algorithm that the engine has, whatever the size.
  [[nodiscard]] std::vector<Kernel> kernels_of(Algorithm algorithm) const;
  // Links with a line of some kernel of this algorithm: "nvlink3, nvlink4".
  [[nodiscard]] std::string links_with(Algorithm algorithm) const;

  Result<void> read_lines(const catalog::CalibrationSet& set);
  Result<void> read_rules(const catalog::CalibrationSet& set);

 private:
  struct Lines {
    std::string link;
    std::array<KernelLine, kKernels> by_kernel{};
  };
  struct Rule {
    std::string link;  // technology or class
    int ranks = 0;
    Kernel kernel = Kernel::peer_one_shot;
    Bytes largest;
  };
  std::vector<Lines> lines_;
  std::vector<Rule> rules_;  // smaller limits first
};

inline constexpr ServingEngine kDefaultEngine{EngineFamily::vllm, {}};

// The rules of the engine's version and all lines.
Result<KernelProfile> load_kernels(const catalog::Calibration& calibration,
                                   const ServingEngine& engine = kDefaultEngine);

}  // namespace weft::collective
