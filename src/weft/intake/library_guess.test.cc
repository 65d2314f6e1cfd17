#include "weft/intake/library_guess.h"

#include <gtest/gtest.h>

namespace weft::intake {
namespace {

std::string guess(std::string vendor, std::string architecture, std::string_view date) {
  catalog::GpuPart gpu;
  gpu.vendor = std::move(vendor);
  gpu.architecture = std::move(architecture);
  const LibraryGuess guessed = guess_library(gpu, date);
  return collective::to_text(guessed.library) + ", " + guessed.why;
}

TEST(LibraryGuess, TheNewestOfItsDate) {
  EXPECT_EQ(guess("nvidia", "hopper", "2024-07-19"), "nccl-2.22, the newest of 2024-07-19");
  EXPECT_EQ(guess("nvidia", "hopper", "2024-03"), "nccl-2.20, the newest of 2024-03");
  EXPECT_EQ(guess("nvidia", "ampere", "2023"), "nccl-2.19, the newest of 2023");
  EXPECT_EQ(guess("nvidia", "volta", "2015"), "nccl-2.5, the newest of 2015");
  EXPECT_EQ(guess("nvidia", "volta", "2031"), "nccl-2.30, the newest of 2031");
  EXPECT_EQ(guess("amd", "cdna3", "2024-08-02"), "rccl-2.20.5, the newest of 2024-08-02");
  EXPECT_EQ(guess("amd", "cdna3", "2024-05"), "rccl-2.18.6, the newest of 2024-05");
}

TEST(LibraryGuess, OrTheUsualOneOfTheGeneration) {
  EXPECT_EQ(guess("nvidia", "ampere", ""), "nccl-2.18, usual for ampere GPUs");
  EXPECT_EQ(guess("nvidia", "blackwell-ultra", "some day"), "nccl-2.28, usual for blackwell-ultra GPUs");
  EXPECT_EQ(guess("amd", "cdna4", ""), "rccl-2.27.7, usual for cdna4 GPUs");
  EXPECT_EQ(guess("nvidia", "rubin", ""), "nccl-2.30, the newest known");
  EXPECT_EQ(guess("metax", "xcore1000", "2025"), "mccl-unknown, the GPU is metax's");
}

}  // namespace
}  // namespace weft::intake
