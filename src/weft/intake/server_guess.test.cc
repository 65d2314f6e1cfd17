#include "weft/intake/server_guess.h"

#include <gtest/gtest.h>

namespace weft::intake {
namespace {

TEST(ServerGuess, ByTheNameThatDriversPrint) {
  EXPECT_EQ(guess_server("NVIDIA H100 80GB HBM3"), "hgx-h100-8");
  EXPECT_EQ(guess_server("NVIDIA H100 PCIe"), "pcie-h100");
  EXPECT_EQ(guess_server("NVIDIA H200"), "hgx-h200-8");
  EXPECT_EQ(guess_server("NVIDIA H20"), "hgx-h20-8");
  EXPECT_EQ(guess_server("NVIDIA A100-SXM4-80GB"), "hgx-a100-8");
  EXPECT_EQ(guess_server("NVIDIA A100 80GB PCIe"), "pcie-a100");
  EXPECT_EQ(guess_server("A100-PCIE-40GB"), "pcie-a100");
  EXPECT_EQ(guess_server("Tesla V100-SXM2-16GB"), "dgx1-v100");
  EXPECT_EQ(guess_server("NVIDIA GH200 120GB"), "gh200-quad");
  EXPECT_EQ(guess_server("NVIDIA GB10"), "dgx-spark");
  EXPECT_EQ(guess_server("NVIDIA GeForce RTX 2080 Ti"), "pcie-rtx2080ti");
  EXPECT_EQ(guess_server("NVIDIA RTX PRO 6000 Blackwell Server Edition"), "pcie-rtxpro6000");
  EXPECT_EQ(guess_server("NVIDIA L40S"), "pcie-l40s");
  EXPECT_EQ(guess_server("NVIDIA L4"), "pcie-l4");
  EXPECT_EQ(guess_server("AMD Instinct MI300X VF"), "mi300x-8");
}

TEST(ServerGuess, NobodysNameIsNotGuessed) {
  for (const char* name : {"AMD Radeon Graphics", "NVIDIA Graphics Device", "NVIDIA H100 NVL", "NVIDIA A100", "",
                           "NVIDIA GeForce GTX 1080 Ti", "NVIDIA GeForce RTX 4090 Laptop GPU", "RTX 40900"})
    EXPECT_EQ(guess_server(name), "") << name;
}

}  // namespace
}  // namespace weft::intake
