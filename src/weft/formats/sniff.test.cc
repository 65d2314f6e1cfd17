#include "weft/formats/sniff.h"

#include <gtest/gtest.h>

namespace weft::formats {
namespace {

Format of(std::string_view text) { return sniff(text).format; }

TEST(Sniff, XmlByItsRootElement) {
  EXPECT_EQ(of("<system version=\"1\"><cpu/></system>"), Format::nccl_topo_xml);
  EXPECT_EQ(of("\xef\xbb\xbf<!-- <graphs> -->\n<?xml version='1.0'?>\n<!DOCTYPE system>\n<system version=\"2\"/>"),
            Format::nccl_topo_xml);
  EXPECT_EQ(of("<graphs version=\"1\"/>"), Format::nccl_graph_xml);
  EXPECT_EQ(of("<?xml version=\"1.0\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology version=\"2.0\">"),
            Format::hwloc_xml);
  EXPECT_EQ(of("<cpu numaid=\"0\">"), Format::nccl_topo_xml);  // the first line is missing
  EXPECT_EQ(of("<html>"), Format::unknown);
  EXPECT_EQ(sniff("<html>").why, "XML that no reader knows: the root element is <html>");
  EXPECT_EQ(of("<!-- nothing -->"), Format::unknown);
  EXPECT_EQ(of("<!-- not closed"), Format::unknown);
}

TEST(Sniff, TopologyBehindLogLines) {
  const Sniffed found = sniff("node0: dumping topology\n<system version=\"1\">\n");
  EXPECT_EQ(found.format, Format::nccl_topo_xml);
  EXPECT_NE(found.why.find("after other text"), std::string::npos);
}

TEST(Sniff, ModelConfigsByTheirKeys) {
  EXPECT_EQ(of("{ \"architectures\" : [\"LlamaForCausalLM\"], \"hidden_size\": 8192 }"), Format::hf_config);
  EXPECT_EQ(of("{\"n_layer\": 12}"), Format::hf_config);
  EXPECT_EQ(of("{\"name\": \"hidden_size\"}"), Format::unknown);  // a value, not a key
}

TEST(Sniff, MatricesByARow) {
  EXPECT_EQ(of("\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV12\t0-31\n"), Format::nvsmi_topo_matrix);
  EXPECT_EQ(of("| | GPU0 | GPU1 |\n|--|--|--|\n| GPU0 | X | SYS |\n"), Format::nvsmi_topo_matrix);
  EXPECT_EQ(of("\x1b[4mGPU0\x1b[0m\nlog line\n[0] GPU0  X  PIX\n"), Format::nvsmi_topo_matrix);
  EXPECT_EQ(of("GPU0 is idle\n"), Format::unknown);
}

TEST(Sniff, ClusterFiles) {
  EXPECT_EQ(of("# mine\nname = \"x\"\n[[servers]]\nserver = \"hgx-h100-8\"\n"), Format::cluster_toml);
  EXPECT_EQ(of("servers = [{server = \"host\"}]\n"), Format::cluster_toml);
  EXPECT_EQ(sniff("[network]\n").why, "line 1 is [network]");
  EXPECT_EQ(of("this = prose with an equals sign\n"), Format::unknown);
}

TEST(Sniff, Ibnetdiscover) {
  EXPECT_EQ(
      of("#\n# Topology file: generated on\n#\nvendid=0x2c9\nSwitch\t65 \"S-b83fd2\"\t\t# \"MF0;sw:MQM9700/U1\"\n"),
      Format::ibnetdiscover);
  EXPECT_EQ(of("CA  134  1 0xb83fd20300 4x EDR - SW  1719 10 0xb83fd2 ( 'a' - 'b' )\n"), Format::ibnetdiscover);
}

TEST(Sniff, MeasuredTablesAndLogs) {
  EXPECT_EQ(of("# server: hgx-h100-8\nsize_bytes\ttime_us\n8\t5\n"), Format::measured_table);
  EXPECT_EQ(of("0: #  size   count  type  redop  root  time  algbw  busbw  #wrong\n"), Format::nccl_tests_log);
  EXPECT_EQ(of("  8  2  float  sum  -1  5.00  0.00  0.00  0\n"), Format::nccl_tests_log);
  EXPECT_EQ(name_of(Format::measured_table), "measured table");
  EXPECT_EQ(name_of(Format::nccl_tests_log), "nccl-tests log");
  EXPECT_EQ(sniff("# OSU MPI-CUDA Latency Test v7.5\n1  2.76\n").why,
            "it is output of the OSU micro-benchmarks, which measure MPI");
}

TEST(Sniff, WhatCannotBeReadSaysWhy) {
  EXPECT_EQ(sniff("").why, "it is empty");
  EXPECT_EQ(sniff(" \n").why, "it is empty");
  EXPECT_NE(sniff("\x1f\x8b\x08").why.find("gzip"), std::string::npos);
  EXPECT_NE(sniff("\xff\xfe<\0").why.find("UTF-16"), std::string::npos);
  EXPECT_NE(sniff(std::string_view("a\0b", 3)).why.find("zero byte"), std::string::npos);
  EXPECT_EQ(of("hello world"), Format::unknown);
}

TEST(Sniff, EveryFormatHasAName) {
  for (int i = 0; i <= static_cast<int>(Format::ibnetdiscover); ++i)
    EXPECT_FALSE(name_of(static_cast<Format>(i)).empty());
}

}  // namespace
}  // namespace weft::formats
