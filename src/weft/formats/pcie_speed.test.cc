#include "weft/formats/pcie_speed.h"

#include <gtest/gtest.h>

#include "weft/formats/catalog.test.h"

namespace weft::formats {
namespace {

TEST(PcieSpeed, SpellingsOfTheWild) {
  struct Row {
    const char* text;
    std::optional<int> generation;
    bool known;
  };
  for (const Row& row :
       {Row{"2.5 GT/s", 1, true}, Row{"2.5 GT/s PCIe", 1, true}, Row{"5 GT/s", 2, true}, Row{"5.0 GT/s PCIe", 2, true},
        Row{"8 GT/s", 3, true}, Row{"8.0 GT/s PCIe", 3, true}, Row{"16 GT/s", 4, true}, Row{"16.0 GT/s PCIe", 4, true},
        Row{"32 GT/s PCIe/s", 5, true}, Row{"32.0 GT/s PCIe", 5, true}, Row{"64.0 GT/s PCIe", 6, true},
        // Numbers that are plain to read, in spellings that NCCL's table does not begin with.
        Row{"16.0 GT/s", 4, false}, Row{"64 GT/s", 6, false}, Row{"8.0GT/s", 3, false}, Row{"", std::nullopt, false},
        Row{"Unknown", std::nullopt, false}, Row{"7 GT/s", std::nullopt, false}, Row{"16", std::nullopt, false},
        Row{"1e999 GT/s", std::nullopt, false}}) {
    const PcieSpeed speed = parse_pcie_speed(row.text);
    EXPECT_EQ(speed.generation, row.generation) << row.text;
    EXPECT_EQ(speed.known_to_nccl, row.known) << row.text;
  }
}

TEST(PcieSpeed, OwnTextReadsBack) {
  for (int generation = 1; generation <= 7; ++generation) {
    EXPECT_EQ(parse_pcie_speed(pcie_speed_text(generation)).generation, generation);
  }
}

TEST(PcieSpeed, ShapesFromNames) {
  EXPECT_EQ(pcie_shape("pcie5-x16")->generation, 5);
  EXPECT_EQ(pcie_shape("pcie3-x4")->lanes, 4);
  for (const char* other : {"nvlink4", "pcie", "pcie5", "pcie5-x", "pcie9-x16", "pcie5-x99", "pcie5-y16"}) {
    EXPECT_FALSE(pcie_shape(other)) << other;
  }
}

TEST(PcieSpeed, TechnologiesFollowTheSpecification) {
  const auto gbytes = [](int generation, int lanes) {
    return pcie_technology(test_catalog(), generation, lanes).line.gbytes();
  };
  EXPECT_NEAR(gbytes(5, 16), 63.015, 0.01);
  EXPECT_NEAR(gbytes(4, 8), 15.754, 0.01);
  EXPECT_NEAR(gbytes(1, 1), 0.25, 1e-6);  // 2.5 GT/s, 8b/10b
  EXPECT_NEAR(gbytes(2, 16), 8.0, 1e-6);
  EXPECT_NEAR(gbytes(4, 2), 3.938, 0.01);  // not in the catalog: scaled from x16
  const fabric::Technology first = pcie_technology(test_catalog(), 1, 1);
  EXPECT_EQ(first.id, "pcie1-x1");
  EXPECT_LT(first.goodput, first.line);
}

}  // namespace
}  // namespace weft::formats
