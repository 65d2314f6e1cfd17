#include "weft/intake/server_guess.h"

#include <algorithm>
#include <array>
#include <vector>

namespace weft::intake {
namespace {

// All of `words` (separated by blanks) stand in the name, and none of `without`.
struct Rule {
  std::string_view words;
  std::string_view without;
  std::string_view server;
};
// The first that fits. SXM parts of H100 and later print their memory instead of "SXM".
constexpr auto kRules = std::to_array<Rule>({
    {"gb300", "", "gb300-nvl72"},
    {"gb200", "", "gb200-nvl72"},
    {"gb10", "", "dgx-spark"},
    {"gh200", "", "gh200-quad"},
    {"b300", "", "hgx-b300-8"},
    {"b200", "", "hgx-b200-8"},
    {"h200", "nvl", "hgx-h200-8"},
    {"h100 pcie", "", "pcie-h100"},
    {"h100", "nvl", "hgx-h100-8"},
    {"h800", "pcie", "hgx-h800-8"},
    {"h20", "", "hgx-h20-8"},
    {"a100 pcie", "", "pcie-a100"},
    {"a100 sxm4", "", "hgx-a100-8"},
    {"v100 sxm3", "", "dgx2-v100"},
    {"v100 sxm2", "", "dgx1-v100"},
    {"v100 pcie", "", "pcie-v100"},
    {"l4", "", "pcie-l4"},
    {"l40s", "", "pcie-l40s"},
    {"a6000", "", "pcie-a6000"},
    {"rtx 2080 ti", "", "pcie-rtx2080ti"},
    {"rtx 4090", "laptop", "pcie-rtx4090"},
    {"rtx 5090", "laptop", "pcie-rtx5090"},
    {"rtx 5880", "", "pcie-rtx5880ada"},
    {"rtx pro 5000", "laptop", "pcie-rtxpro5000"},
    {"rtx pro 6000", "laptop", "pcie-rtxpro6000"},
    {"gtx 1080", "ti", "pcie-gtx1080"},
    {"7900 xtx", "", "pcie-rx7900xtx"},
    {"mi250x", "", "mi250x-4"},
    {"mi300x", "", "mi300x-8"},
    {"mi325x", "", "mi325x-8"},
    {"mi350x", "", "mi350x-8"},
    {"mi355x", "", "mi355x-8"},
    {"metax c500", "", "metax-c500-8"},
});

// Runs of letters and digits in lower case: "NVIDIA A100-SXM4-80GB" -> nvidia a100 sxm4 80gb.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text.substr(0, 200)) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      words.back() += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  return words;
}

}  // namespace

std::string guess_server(std::string_view gpu_name) {
  const std::vector<std::string> name = words_of(gpu_name);
  const auto has = [&](const std::string& word) {
    return !word.empty() && std::find(name.begin(), name.end(), word) != name.end();
  };
  for (const Rule& rule : kRules) {
    const std::vector<std::string> wanted = words_of(rule.words);
    if (std::all_of(wanted.begin(), wanted.end(), has) && !has(std::string(rule.without)))
      return std::string(rule.server);
  }
  return "";
}

}  // namespace weft::intake
