#include "weft/intake/library_guess.h"

#include <array>

namespace weft::intake {
namespace {

using collective::Library;
using collective::LibraryFamily;

struct Release {
  std::string_view month;
  int minor;
};
constexpr std::array<Release, 20> kNcclReleases = {{
    {"2019-11", 5},  {"2020-03", 6},  {"2020-06", 7},  {"2020-11", 8},  {"2021-04", 9},
    {"2021-07", 10}, {"2022-03", 12}, {"2022-08", 14}, {"2022-12", 16}, {"2023-05", 18},
    {"2023-11", 19}, {"2024-02", 20}, {"2024-04", 21}, {"2024-07", 22}, {"2024-09", 23},
    {"2025-01", 25}, {"2025-03", 26}, {"2025-06", 27}, {"2025-11", 28}, {"2026-01", 29},
}};

struct Usual {
  std::string_view architecture;
  int minor;
};
constexpr std::array<Usual, 8> kUsual = {{{"pascal", 7},
                                          {"volta", 10},
                                          {"turing", 10},
                                          {"ampere", 18},
                                          {"ada", 21},
                                          {"hopper", 21},
                                          {"blackwell", 27},
                                          {"blackwell-ultra", 28}}};

int newest_of(std::string_view date) {
  // A year alone means its end: the newest release that the table can have been made with.
  const std::string until = date.size() >= 7 ? std::string(date.substr(0, 7)) : std::string(date.substr(0, 4)) + "-12";
  int minor = kNcclReleases.front().minor;
  for (const Release& release : kNcclReleases) {
    if (release.month <= until) minor = release.minor;
  }
  return minor;
}

}  // namespace

Library guess_library(const catalog::GpuPart& gpu, std::string_view date, std::string& why) {
  if (gpu.vendor == "amd") {
    why = "the GPU is AMD's";
    return {LibraryFamily::rccl, 0, 0, 0};
  }
  if (gpu.vendor != "nvidia") {
    why = "the GPU is " + gpu.vendor + "'s";
    return {LibraryFamily::mccl, 0, 0, 0};
  }
  if (date.size() >= 4) {
    why = "the newest of " + std::string(date);
    return {LibraryFamily::nccl, 2, newest_of(date), 0};
  }
  for (const Usual& usual : kUsual) {
    if (usual.architecture != gpu.architecture) continue;
    why = "usual for " + gpu.architecture + " GPUs";
    return {LibraryFamily::nccl, 2, usual.minor, 0};
  }
  why = "the newest known";
  return {LibraryFamily::nccl, 2, kNcclReleases.back().minor, 0};
}

}  // namespace weft::intake
