#include "weft/catalog/views.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "weft/catalog/test_catalog.h"

namespace weft::catalog {
namespace {

using Row = std::vector<std::string>;

void expect_rectangular(const TableModel& table) {
  ASSERT_EQ(table.rows.size(), table.numbers.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    EXPECT_EQ(table.rows[i].size(), table.columns.size()) << table.title << ", row " << i;
    EXPECT_EQ(table.numbers[i].size(), table.columns.size()) << table.title << ", row " << i;
  }
}

TableModel listed(std::string_view what) {
  const Result<TableModel> table = list(builtin_catalog(), what);
  EXPECT_TRUE(table) << what;
  return table.value_or(TableModel());
}

const Row& row_of(const TableModel& table, std::string_view first) {
  static const Row none;
  const auto found = std::ranges::find(table.rows, first, [](const Row& row) { return row.front(); });
  EXPECT_NE(found, table.rows.end()) << first;
  return found == table.rows.end() ? none : *found;
}

TEST(ListView, EveryWordGivesATable) {
  for (const std::string& word : list_words()) {
    const TableModel table = listed(word);
    EXPECT_FALSE(table.rows.empty()) << word;
    expect_rectangular(table);
  }
}

TEST(ListView, TheHierarchyRunsFromTheChipDownToTcp) {
  const TableModel table = listed("link");
  double before = 1e9;
  for (const auto& numbers : table.numbers) {
    ASSERT_TRUE(numbers[2]);
    EXPECT_EQ(numbers[2]->key, "bandwidth_gbytes_per_s");
    EXPECT_LE(numbers[2]->value, before);
    before = numbers[2]->value;
  }
  EXPECT_EQ(table.rows.front()[0], "on-chip-sm-h100");
  EXPECT_GT(table.numbers.front()[2]->value, 10'000) << "more than 10 TB/s";
  const auto place = [&](std::string_view id) {
    return std::ranges::find(table.rows, id, [](const Row& row) { return row.front(); }) - table.rows.begin();
  };
  EXPECT_LT(place("hbm3"), place("nvlink5"));
  EXPECT_LT(place("nvlink5"), place("nvlink4"));
  EXPECT_LT(place("nvlink4"), place("pcie5-x16"));
  EXPECT_LT(place("pcie5-x16"), place("ib-ndr"));
  EXPECT_LT(place("ib-ndr"), place("tcp-100g"));
  EXPECT_EQ(row_of(table, "nvlink4"),
            (Row{"nvlink4", "NVLink 4 (H100, H200)", "450 GB/s", "a GPU: 18 x 25 GB/s", "200 ns", "600 ns",
                 "tensor and expert parallelism: what every layer exchanges"}));
  EXPECT_EQ(row_of(table, "ib-ndr")[2], "400 Gb/s (50 GB/s)");
}

TEST(ListView, ThePcieTable) {
  const TableModel table = listed("pcie");
  EXPECT_EQ(table.columns, (Row{"slot", "GT/s a lane", "a lane, each way", "each way", "both ways", "raw, each way",
                                "256 B payloads", "note"}));
  const auto figures = [&](std::string_view id) {
    const Row& row = row_of(table, id);
    return Row(row.begin() + 1, row.begin() + 7);
  };
  EXPECT_EQ(figures("pcie3-x16"), (Row{"8 GT/s", "984.6 MB/s", "15.75 GB/s", "31.51 GB/s", "16 GB/s", "14.4 GB/s"}));
  EXPECT_EQ(figures("pcie4-x16"), (Row{"16 GT/s", "1.969 GB/s", "31.51 GB/s", "63.02 GB/s", "32 GB/s", "28.81 GB/s"}));
  EXPECT_EQ(figures("pcie5-x16"), (Row{"32 GT/s", "3.938 GB/s", "63.02 GB/s", "126 GB/s", "64 GB/s", "57.61 GB/s"}));
  EXPECT_EQ(figures("pcie6-x16"), (Row{"64 GT/s", "7.562 GB/s", "121 GB/s", "242 GB/s", "128 GB/s", "111.1 GB/s"}));
  EXPECT_TRUE(row_of(table, "pcie6-x16")[7].starts_with("128 GB/s is the raw signalling rate"));
}

TEST(ListView, TheNvlinkTable) {
  const TableModel table = listed("nvlink");
  const auto figures = [&](std::string_view id) {
    const Row& row = row_of(table, id);
    return Row(row.begin() + 1, row.begin() + 4);
  };
  EXPECT_EQ(figures("nvlink1"), (Row{"4 x 20 GB/s", "80 GB/s", "160 GB/s"}));
  EXPECT_EQ(figures("nvlink2"), (Row{"6 x 25 GB/s", "150 GB/s", "300 GB/s"}));
  EXPECT_EQ(figures("nvlink3"), (Row{"12 x 25 GB/s", "300 GB/s", "600 GB/s"}));
  EXPECT_EQ(figures("nvlink4"), (Row{"18 x 25 GB/s", "450 GB/s", "900 GB/s"}));
  EXPECT_EQ(figures("nvlink5"), (Row{"18 x 50 GB/s", "900 GB/s", "1.8 TB/s"}));
  EXPECT_EQ(row_of(table, "nvlink4")[5], "H100, H200, H20, GH200");
}

TEST(ListView, AnUnknownWord) {
  const Result<TableModel> table = list(builtin_catalog(), "nvlnk");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().kind, ErrorKind::usage);
  EXPECT_EQ(table.error().id, "WEFT-CAT-0024");
  EXPECT_EQ(table.error().message, "no kind of part \"nvlnk\"");
  EXPECT_EQ(table.error().hint, "did you mean nvlink?");
}

std::vector<std::string> derived(std::string_view id) { return show(builtin_catalog(), id).value().derived; }

TEST(ShowView, AServersFabricAndNetwork) {
  EXPECT_EQ(derived("hgx-h100-8"),
            (Row{"18 links x 50 GB/s bidir x 8 GPUs = 7.2 TB/s", "4 switches: 5 + 4 + 4 + 5 links from each GPU",
                 "one GPU: 450 GB/s per direction, 900 GB/s bidir, to all peers together",
                 "network: 8 adapters x 400 Gb/s = 3.2 Tb/s (400 GB/s) per direction"}));
  EXPECT_EQ(derived("hgx-a100-8")[1], "6 switches: 2 links from each GPU to each");
  EXPECT_EQ(derived("dgx2-v100")[1], "12 switches: 1 link from each GPU to each of its own baseboard");
  EXPECT_EQ(derived("gb200-nvl72").back(), "18 trays of 4 GPUs, 2 sockets and 4 adapters");
  EXPECT_EQ(derived("dgx1-v100"),
            (Row{"24 links x 50 GB/s bidir = 1.2 TB/s",
                 "a linked pair: 25 GB/s, 50 GB/s per direction; one GPU: 150 GB/s per direction, 300 GB/s bidir",
                 "12 of 28 pairs have no link", "network: 4 adapters x 100 Gb/s = 400 Gb/s (50 GB/s) per direction"}));
}

TEST(ShowView, ServersOfCards) {
  EXPECT_EQ(derived("pcie-a100:4"), Row{"4 cards on 2 sockets: each pcie4-x16, 31.51 GB/s per direction"});
  EXPECT_EQ(
      derived("pcie-l40s:8"),
      Row{"8 cards on 2 sockets: 4 share pcie4-x16 to the socket, 7.877 GB/s per direction each when all use it"});
  EXPECT_EQ(derived("pcie-rtx4090:2").back(), "no peer-to-peer: what GPUs exchange over PCIe goes through host memory");
  EXPECT_EQ(derived("pcie-a100-bridged:4").front(), "24 links x 50 GB/s bidir = 1.2 TB/s");
  EXPECT_FALSE(show(builtin_catalog(), "hgx-h100-8:4"));
}

TEST(ShowView, WhatFollowsFromOtherParts) {
  EXPECT_EQ(derived("nvlink4"), (Row{"a link: 25 GB/s per direction, 50 GB/s bidir",
                                     "18 links x 25 GB/s = 450 GB/s per direction, 900 GB/s bidir a GPU",
                                     "line is 94.1 % of raw", "goodput is 82.4 % of line"}));
  EXPECT_EQ(derived("pcie5").front(), "an x16 slot: 63.02 GB/s per direction, 126 GB/s bidir");
  EXPECT_EQ(derived("h100-sxm5"), (Row{"18 links x 50 GB/s bidir = 900 GB/s; 450 GB/s per direction",
                                       "fp16 is memory-bound below 295 FLOP a byte of device memory"}));
  EXPECT_EQ(derived("qm9700"),
            Row{"64 ports x 400 Gb/s (50 GB/s) = 25.6 Tb/s (3.2 TB/s) per direction, 51.2 Tb/s (6.4 TB/s) bidir"});
  EXPECT_EQ(derived("cx7-ndr"), Row{"network 49.68 GB/s, host link 57.61 GB/s of goodput: the network is the bound"});
  EXPECT_EQ(derived("cx7-200g-spark"),
            Row{"network 24.51 GB/s, host link 28.81 GB/s of goodput: the network is the bound"});
}

TEST(ShowView, EveryFigureStandsWithItsSource) {
  const Sheet sheet = show(builtin_catalog(), "nvlink4").value();
  expect_rectangular(sheet.figures);
  EXPECT_EQ(row_of(sheet.figures, "line"), (Row{"line", "25 GB/s", "datasheet", "nvidia-nvlink-page", ""}));
  EXPECT_EQ(row_of(sheet.figures, "kernel_latency"), (Row{"kernel_latency", "3.07 us", "measured", "aiconfigurator",
                                                          "one-shot kernel in a CUDA graph, 512 B, 8 x H100"}));
  EXPECT_EQ(row_of(sheet.figures, "latency")[3], "") << "an assumed figure claims no source";
  EXPECT_EQ(sheet.sources.front().id, "nvidia-nvlink-page");
  EXPECT_EQ(sheet.caveats.size(), 3U);
  for (const Part& part : builtin_catalog().parts()) {
    const Result<Sheet> each = show(builtin_catalog(), part.id);
    ASSERT_TRUE(each) << part.id;
    EXPECT_EQ(each->figures.rows.size(), part.figures.size()) << part.id;
  }
}

TableModel compared(const std::vector<std::string>& ids) {
  const Result<TableModel> table = compare(builtin_catalog(), ids);
  EXPECT_TRUE(table);
  return table.value_or(TableModel());
}

TEST(CompareView, NvlinkBesidePcie) {
  const TableModel table = compared({"nvlink4", "pcie5-x16"});
  expect_rectangular(table);
  EXPECT_EQ(table.columns, (Row{"", "nvlink4", "pcie5-x16"}));
  EXPECT_EQ(row_of(table, "bandwidth, each way"),
            (Row{"bandwidth, each way", "450 GB/s a GPU (18 links x 25 GB/s)", "63.02 GB/s an x16 slot"}));
  EXPECT_EQ(row_of(table, "bandwidth, both ways"), (Row{"bandwidth, both ways", "900 GB/s", "126 GB/s"}));
  EXPECT_EQ(row_of(table, "small all-reduce, as quoted"),
            (Row{"small all-reduce, as quoted", "3 us", "5 us to 10 us"}));
  EXPECT_EQ(row_of(table, "small all-reduce, custom kernel"), (Row{"small all-reduce, custom kernel", "3.07 us", "-"}));
  EXPECT_TRUE(row_of(table, "coherence")[2].starts_with("none between GPUs"));
  EXPECT_NE(row_of(table, "caveats")[1].find("NCCL takes 15-25 us"), std::string::npos);
}

TEST(CompareView, NetworksSideBySide) {
  const TableModel table = compared({"ib-ndr", "roce-v2-400g", "iwarp"});
  EXPECT_EQ(table.columns, (Row{"", "ib-ndr", "roce-v2-400g", "iwarp-100g"}));
  EXPECT_EQ(row_of(table, "goodput, each way"),
            (Row{"goodput, each way", "397.5 Gb/s (49.68 GB/s), 99.4 %", "392.1 Gb/s (49.02 GB/s), 98 %",
                 "98.78 Gb/s (12.35 GB/s), 98.8 %"}));
  for (const std::string_view criterion :
       {"topology", "coherence", "transport", "hardware needed", "congestion control", "zero copy", "kernel bypass",
        "relative cost", "effort to deploy", "suits"}) {
    const Row& row = row_of(table, criterion);
    EXPECT_TRUE(std::ranges::none_of(row, [](const std::string& cell) { return cell.empty() || cell == "-"; }))
        << criterion;
  }
}

TEST(CompareView, OtherKindsByAllTheirFigures) {
  const TableModel table = compared({"h100", "mi300x"});
  EXPECT_EQ(row_of(table, "fp16_tflops"), (Row{"fp16_tflops", "989 TFLOP/s", "1307 TFLOP/s"}));
  EXPECT_EQ(row_of(table, "fp16_tflops").size(), 3U);
}

TEST(CompareView, WhatCannotBeCompared) {
  const auto message = [](const std::vector<std::string>& ids) {
    return compare(builtin_catalog(), ids).error().to_string();
  };
  EXPECT_EQ(
      message({"nvlink4"}),
      "error WEFT-CAT-0025: one part cannot be compared\n  expected: two ids or more, such as nvlink4 pcie5-x16\n");
  EXPECT_EQ(message({"nvlink4", "h100"}),
            "error WEFT-CAT-0026: h100-sxm5 is a gpu, nvlink4 a link\n  expected: parts of one kind\n");
  EXPECT_EQ(message({"nvlink4", "nvlnk5"}),
            "error WEFT-CAT-0020: no part \"nvlnk5\" in the catalog\n  hint: did you mean nvlink5?\n");
}

}  // namespace
}  // namespace weft::catalog
