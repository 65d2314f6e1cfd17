#include "weft/intake/library_guess.h"

#include <array>
#include <optional>
#include <span>

namespace weft::intake {
namespace {

using collective::Library;
using collective::LibraryFamily;

struct Release {
  std::string_view month;
  int minor;
  int patch;
};
constexpr auto kNccl = std::to_array<Release>({
    {"2019-11", 5, 0},  {"2020-03", 6, 0},  {"2020-06", 7, 0},  {"2020-11", 8, 0},  {"2021-04", 9, 0},
    {"2021-07", 10, 0}, {"2021-09", 11, 0}, {"2022-03", 12, 0}, {"2022-07", 13, 0}, {"2022-08", 14, 0},
    {"2022-10", 15, 0}, {"2022-12", 16, 0}, {"2023-03", 17, 0}, {"2023-05", 18, 0}, {"2023-10", 19, 0},
    {"2024-03", 20, 0}, {"2024-04", 21, 0}, {"2024-06", 22, 0}, {"2024-09", 23, 0}, {"2025-01", 25, 0},
    {"2025-03", 26, 0}, {"2025-06", 27, 0}, {"2025-09", 28, 0}, {"2026-01", 29, 0}, {"2026-04", 30, 0},
});
// ROCm 5.7, 6.0, 6.1, 6.2, 6.3, 6.4, 7.0, 7.1.
constexpr auto kRccl = std::to_array<Release>({
    {"2023-09", 17, 1},
    {"2023-12", 18, 3},
    {"2024-04", 18, 6},
    {"2024-08", 20, 5},
    {"2024-12", 21, 5},
    {"2025-04", 22, 3},
    {"2025-09", 26, 6},
    {"2025-11", 27, 7},
});

struct Usual {
  std::string_view architecture;
  int minor;
  int patch;
};
constexpr auto kUsual = std::to_array<Usual>({{"pascal", 7, 0},
                                              {"volta", 10, 0},
                                              {"turing", 10, 0},
                                              {"ampere", 18, 0},
                                              {"ada", 21, 0},
                                              {"hopper", 21, 0},
                                              {"blackwell", 27, 0},
                                              {"blackwell-ultra", 28, 0},
                                              {"cdna2", 17, 1},
                                              {"rdna3", 18, 3},
                                              {"cdna3", 20, 5},
                                              {"cdna4", 27, 7}});

std::optional<LibraryFamily> family_of(const catalog::GpuPart& gpu) {
  if (gpu.vendor == "nvidia") return LibraryFamily::nccl;
  if (gpu.vendor == "amd") return LibraryFamily::rccl;
  return std::nullopt;
}

bool is_date(std::string_view date) {
  return date.size() >= 4 && date.substr(0, 4).find_first_not_of("0123456789") == std::string_view::npos;
}

const Release& newest_of(std::span<const Release> releases, std::string_view date) {
  const std::string until = date.size() >= 7 ? std::string(date.substr(0, 7)) : std::string(date.substr(0, 4)) + "-12";
  const Release* newest = &releases.front();
  for (const Release& release : releases) {
    if (release.month <= until) newest = &release;
  }
  return *newest;
}

}  // namespace

LibraryGuess guess_library(const catalog::GpuPart& gpu, std::string_view date) {
  const std::optional<LibraryFamily> family = family_of(gpu);
  if (!family) return {{LibraryFamily::mccl, 0, 0, 0}, "the GPU is " + gpu.vendor + "'s"};
  const std::span<const Release> releases =
      *family == LibraryFamily::nccl ? std::span<const Release>(kNccl) : std::span<const Release>(kRccl);
  if (is_date(date)) {
    const Release& release = newest_of(releases, date);
    return {{*family, 2, release.minor, release.patch}, "the newest of " + std::string(date.substr(0, 10))};
  }
  for (const Usual& usual : kUsual) {
    if (usual.architecture == gpu.architecture)
      return {{*family, 2, usual.minor, usual.patch}, "usual for " + gpu.architecture + " GPUs"};
  }
  return {{*family, 2, releases.back().minor, releases.back().patch}, "the newest known"};
}

}  // namespace weft::intake
