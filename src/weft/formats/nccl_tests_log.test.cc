#include "weft/formats/nccl_tests_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>

namespace weft::formats {
namespace {

using collective::LaunchMode;
using collective::Operation;

Result<std::vector<MeasuredTable>> read(std::string text) { return read_nccl_tests_log({"run.log", std::move(text)}); }

std::vector<MeasuredTable> tables_of(const std::string& text) {
  Result<std::vector<MeasuredTable>> tables = read(text);
  EXPECT_TRUE(tables) << tables.error().to_string();
  return tables ? *tables : std::vector<MeasuredTable>(1);
}

MeasuredTable table_of(const std::string& text) {
  std::vector<MeasuredTable> tables = tables_of(text);
  EXPECT_EQ(tables.size(), 1U);
  return tables.front();
}

bool remarks(const MeasuredTable& table, std::string_view part) {
  return std::any_of(table.remarks.begin(), table.remarks.end(),
                     [&](const std::string& remark) { return remark.find(part) != std::string::npos; });
}

// Lines of a log of our own making, in the layouts of nccl-tests.
std::string parameters(int threads, int gpus, int graph = 0) {
  return "# nThread " + std::to_string(threads) + " nGpus " + std::to_string(gpus) +
         " minBytes 8 maxBytes 1024 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: " +
         std::to_string(graph) + "\n#\n# Using devices\n";
}

std::string device(int rank, int pid, const std::string& host, int index, const std::string& gpu, int group = 0) {
  return "#  Rank " + std::to_string(rank) + " Group  " + std::to_string(group) + " Pid " + std::to_string(pid) +
         " on " + host + " device  " + std::to_string(index) + " [0000:0" + std::to_string(index) + ":00] " + gpu +
         "\n";
}

std::string devices(int servers, int gpus, const std::string& gpu, bool one_process = false) {
  std::string text;
  for (int rank = 0; rank < servers * gpus; ++rank) {
    text += device(rank, one_process ? 7 : 100 + rank, "node" + std::to_string(rank / gpus), rank % gpus, gpu);
  }
  return text;
}

constexpr const char* kColumns =
    "#                                                              out-of-place                       in-place\n"
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw\n"
    "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)\n";

// S bytes in t microseconds; `factor` = busbw / algbw.
std::string row(double size, double time, double factor, const char* redop = "sum", const char* root = "-1") {
  char text[256];
  const double algbw = size / time / 1e3;
  std::snprintf(text, sizeof text,
                "%12.0f %13.0f     float %7s %7s %8.2f %7.2f %7.2f      0 %8.2f %7.2f %7.2f      0\n", size, size / 4,
                redop, root, time, algbw, algbw * factor, time, algbw, algbw * factor);
  return text;
}

std::string rows(double factor, const char* redop = "sum", const char* root = "-1") {
  return row(1048576, 20, factor, redop, root) + row(4194304, 40, factor, redop, root) +
         row(16777216, 100, factor, redop, root);
}

TEST(NcclTestsLog, ReadsARun) {
  const MeasuredTable table = table_of(
      "# nccl-tests version 2.17.6 nccl-headers=22803 nccl-library=22807\n# Collective test starting: "
      "all_reduce_perf\n" +
      parameters(1, 1) + devices(2, 4, "NVIDIA H100 80GB HBM3") + "#\n" + kColumns + rows(1.75) +
      "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 182.1\n#\n# Collective test concluded: "
      "all_reduce_perf\n");
  EXPECT_EQ(table.file, "run.log");
  EXPECT_TRUE(table.raw_log);
  EXPECT_TRUE(table.server.empty());
  EXPECT_EQ(table.operation, Operation::all_reduce);
  EXPECT_EQ(table.servers, 2);
  EXPECT_EQ(table.gpus_per_server, 4);
  EXPECT_EQ(table.gpu, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(table.dtype, "float");
  EXPECT_EQ(table.launch, LaunchMode::process_per_gpu);
  EXPECT_EQ(collective::to_text(*table.library), "nccl-2.28.7");
  EXPECT_EQ(table.healthy, Health::unknown);
  EXPECT_EQ(table.notes, (std::vector<std::string>{"average bus bandwidth 182.1 as printed"}));
  EXPECT_TRUE(table.remarks.empty()) << table.remarks.front();
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[2].size, Bytes(16'777'216));
  EXPECT_DOUBLE_EQ(table.rows[2].time_us, 100);
}

TEST(NcclTestsLog, LaunchModeByThreadsProcessesAndGraphs) {
  const auto read_launch = [](int threads, int gpus, int graph) {
    const MeasuredTable table = table_of("all_reduce_perf\n" + parameters(threads, gpus, graph) +
                                         devices(1, 4, "NVIDIA L4", true) + kColumns + rows(1.5));
    return std::pair(table.launch, table.gpus_per_process.value_or(0));
  };
  EXPECT_EQ(read_launch(1, 1, 0), std::pair(LaunchMode::process_per_gpu, 1));
  EXPECT_EQ(read_launch(4, 1, 0), std::pair(LaunchMode::thread_per_gpu, 1));
  EXPECT_EQ(read_launch(1, 4, 0), std::pair(LaunchMode::single_process, 4));
  EXPECT_EQ(read_launch(2, 2, 0), std::pair(LaunchMode::single_process, 2));
  EXPECT_EQ(read_launch(1, 1, 4), std::pair(LaunchMode::graph, 1));
}

// Layouts of before 2.13: no root, "error" for "#wrong", no Group; and output without in-place columns.
TEST(NcclTestsLog, OldAndShortLayouts) {
  const std::string old_devices =
      "# nThread 1 nGpus 2 minBytes 8 maxBytes 64 step: 2(factor) warmup iters: 5 iters: 20 validation: 1 \n"
      "#   Rank  0 Pid  12978 on    host0 device  0 [0x45] GeForce GTX 1080\n"
      "#   Rank  1 Pid  12978 on    host0 device  1 [0xc4] GeForce GTX 1080\n";
  const MeasuredTable no_root = table_of(
      "===begin all_reduce_perf test===\n" + old_devices +
      "#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error\n"
      "           8             2   float     sum    25.34    0.00    0.00  0e+00    25.23    0.00    0.00  0e+00\n"
      "    33554432       8388608   float     sum    39235    0.86    0.86  0e+00    39141    0.86    0.86  0e+00\n");
  ASSERT_EQ(no_root.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(no_root.rows[0].time_us, 25.34);
  EXPECT_DOUBLE_EQ(no_root.rows[1].time_us, 39235);
  EXPECT_EQ(no_root.operation, Operation::all_reduce);
  EXPECT_EQ(no_root.servers, 1);
  EXPECT_TRUE(no_root.remarks.empty());

  // No redop either; and algbw with (n-1)/n in it.
  const MeasuredTable old_gather =
      table_of("all_gather_perf\n" + old_devices +
               "#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error\n"
               "    33554432       4194304   float    22517    0.75    0.75  0e+00    22296    0.75    0.75  0e+00\n"
               "    67108864       8388608   float      N/A    0.76    0.76    N/A    22296    0.75    0.75    N/A\n");
  EXPECT_EQ(old_gather.operation, Operation::all_gather);
  EXPECT_TRUE(old_gather.old_semantics);
  EXPECT_TRUE(remarks(old_gather, "algbw holds (n-1)/n already"));
  ASSERT_EQ(old_gather.rows.size(), 2U);
  EXPECT_NEAR(old_gather.rows[1].time_us, 67108864 * 0.5 / 0.76e3, 1);

  const MeasuredTable out_of_place_only = table_of(
      "#       size         count      type   redop    root     time   algbw   busbw\n"
      "     8388608       2097152     float     sum      -1    80.32  104.44  182.77\n");
  EXPECT_DOUBLE_EQ(out_of_place_only.rows.at(0).time_us, 80.32);
  EXPECT_EQ(out_of_place_only.operation, Operation::all_reduce);  // no other has busbw above algbw

  // Without a header, and with nothing in the reduction's place.
  EXPECT_DOUBLE_EQ(table_of("   1024   64  bfloat16              -1   18.19    0.06    0.05      0\n").rows[0].time_us,
                   18.19);
  EXPECT_DOUBLE_EQ(table_of("   1024  256  float   sum   20.86    0.05    0.05    N/A\n").rows[0].time_us, 20.86);
}

TEST(NcclTestsLog, PrefixesOfLaunchersAreNothing) {
  const std::string plain = "# Collective test starting: all_reduce_perf\n" + parameters(1, 1) +
                            devices(1, 8, "NVIDIA A100-SXM4-80GB") + kColumns + rows(1.75);
  const MeasuredTable wanted = table_of(plain);
  for (const std::string prefix :
       {"[1,0]<stdout>:", "[1,0]<stdout>: ", "0: ", " 0: ", "node0: ", "2024-07-19T12:00:01.123Z ",
        "[2024-07-19 12:00:01] ", "run(), common.cu:967, ", "Jul 19 12:00:01 node0 run[7]: ", "nccl-tests-1  | ",
        "\x1b[32m", "[pod/launcher/nccl] ", "2024-07-19 12:00:01,123 INFO "}) {
    std::string text;
    for (std::size_t begin = 0; begin < plain.size();) {
      const std::size_t end = plain.find('\n', begin);
      text += prefix + plain.substr(begin, end - begin) + "\r\n";
      begin = end + 1;
    }
    const MeasuredTable table = table_of(text);
    EXPECT_EQ(table.operation, wanted.operation) << prefix;
    EXPECT_EQ(table.servers, wanted.servers) << prefix;
    EXPECT_EQ(table.gpus_per_server, wanted.gpus_per_server) << prefix;
    EXPECT_EQ(table.gpu, wanted.gpu) << prefix;
    EXPECT_EQ(table.launch, wanted.launch) << prefix;
    ASSERT_EQ(table.rows.size(), wanted.rows.size()) << prefix;
    EXPECT_EQ(table.rows[0].size, wanted.rows[0].size) << prefix;
    EXPECT_EQ(table.rows[0].time_us, wanted.rows[0].time_us) << prefix;
  }
}

// A row is printed in two parts, with a tag in front of each, or with other ranks' output between them.
TEST(NcclTestsLog, RowsCutInTwoAreJoined) {
  const MeasuredTable tagged = table_of(std::string(kColumns) +
                                        "[1,0]<stdout>:           8             2     float     sum      "
                                        "-1[1,0]<stdout>:    85.70    0.00    0.00      0\n");
  EXPECT_DOUBLE_EQ(tagged.rows.at(0).time_us, 85.70);

  const MeasuredTable between =
      table_of(std::string(kColumns) +
               "           8             2     float     sum      -1node1:7:8 [0] NCCL INFO Connected all rings\n"
               "node0:7:8 [0] NCCL INFO Connected all rings\n"
               "    12.50    0.00    0.00      0    12.00    0.00    0.00      0\n"
               "          16             4     float     sum      -1\n"
               "          32             8     float     sum      -1    14.00    0.00    0.00      0\n"
               "          64            16     float     sum      -1    15.0");
  ASSERT_EQ(between.rows.size(), 2U);
  EXPECT_DOUBLE_EQ(between.rows[0].time_us, 12.50);
  EXPECT_EQ(between.rows[0].line, 4);
  EXPECT_DOUBLE_EQ(between.rows[1].time_us, 14);
  EXPECT_TRUE(remarks(between, "2 rows without a time or a bandwidth left out"));
}

TEST(NcclTestsLog, ProcessesThatWereNotJoined) {
  std::string text = "mpirun -np 2 ./all_reduce_perf -g 1\n" + parameters(1, 1) + parameters(1, 1) +
                     device(0, 7, "node0", 0, "NVIDIA L4") + device(0, 8, "node0", 0, "NVIDIA L4") + kColumns +
                     kColumns + row(8, 5, 0) + row(16, 5, 0) + row(8, 6, 0) + row(32, 5, 0) + row(16, 6, 0) +
                     row(32, 6, 0);
  const MeasuredTable table = table_of(text);
  EXPECT_EQ(table.servers, 1);
  EXPECT_EQ(table.gpus_per_server, 1);
  EXPECT_TRUE(remarks(table, "2 processes printed a rank 0: each ran by itself"));
  EXPECT_TRUE(remarks(table, "stand between each other: sorted by size"));
  ASSERT_EQ(table.rows.size(), 6U);
  EXPECT_EQ(table.rows[0].size, table.rows[1].size);
  EXPECT_EQ(table.rows[5].size, Bytes(32));

  // With tags they are told apart.
  const auto process = [](const std::string& tag, double time) {
    return tag + "# nThread 1 nGpus 2\n" + tag + "#  Rank  0 Group  0 Pid 7 on node0 device  0 [0x01] NVIDIA L4\n" +
           tag + "#  Rank  1 Group  0 Pid 7 on node0 device  1 [0x02] NVIDIA L4\n" + tag + row(8, time, 1);
  };
  const std::vector<MeasuredTable> tables = tables_of(process("0: ", 5) + process("1: ", 6));
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[1].file, "run.log#2");
  EXPECT_DOUBLE_EQ(tables[1].rows[0].time_us, 6);
  EXPECT_EQ(tables[1].gpus_per_server, 2);
}

TEST(NcclTestsLog, RunsAfterOneAnother) {
  const std::string second = parameters(1, 1) + devices(1, 4, "NVIDIA L4") + kColumns +
                             "      1048576       262144     float    none      -1   20.0   52.43   39.32      0\n";
  const std::vector<MeasuredTable> tables =
      tables_of("./build/all_reduce_perf -b 8\n" + parameters(1, 1) + devices(1, 4, "NVIDIA L4") + kColumns +
                rows(1.5) + "# Avg bus bandwidth    : 1\n./build/alltoall_perf -b 8\n" + second +
                "# Avg bus bandwidth    : 1\n" + "The test is broadcast_perf\n" + kColumns + rows(1, "none", "0"));
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].operation, Operation::all_reduce);
  EXPECT_EQ(tables[1].operation, Operation::all_to_all);
  EXPECT_EQ(tables[2].operation, Operation::broadcast);
  EXPECT_EQ(tables[2].gpus_per_server, 4);
  EXPECT_TRUE(remarks(tables[2], "no devices printed: those of the run before"));
}

TEST(NcclTestsLog, RunsOfOneSizeEachAreOneTable) {
  std::string text = "for i in 1 2 3; do ./all_reduce_perf -g 2; done\n";
  for (const double size : {8.0, 16.0, 32.0})
    text += parameters(1, 2) + devices(1, 2, "NVIDIA L4", true) + kColumns + row(size, 10, 1) +
            "# Avg bus bandwidth    : 0\n#\n";
  const MeasuredTable table = table_of(text);
  EXPECT_EQ(table.rows.size(), 3U);
  EXPECT_TRUE(remarks(table, "3 runs of growing size taken as one table"));
}

TEST(NcclTestsLog, TypesReductionsAndRootsAreTablesOfTheirOwn) {
  const std::string half = "        16             8      half     sum      -1    10.0    0.00    0.00      0\n";
  const std::vector<MeasuredTable> tables =
      tables_of("all_reduce_perf\n" + std::string(kColumns) + rows(1.5) + half + rows(1.5, "prod"));
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_EQ(tables[0].dtype, "float");
  EXPECT_EQ(tables[1].dtype, "half");
  EXPECT_TRUE(tables[0].remarks.empty());
}

TEST(NcclTestsLog, TheCollectiveByItsRowsWhenNobodyNamesIt) {
  const auto operation = [](double factor, const char* redop, const char* root, const std::string& named = "") {
    return table_of(named + "\n" + parameters(1, 1) + devices(1, 4, "NVIDIA L4") + kColumns + rows(factor, redop, root))
        .operation;
  };
  EXPECT_EQ(operation(1.5, "sum", "-1"), Operation::all_reduce);
  EXPECT_EQ(operation(0.75, "sum", "-1"), Operation::reduce_scatter);
  EXPECT_EQ(operation(1, "sum", "0"), Operation::reduce);
  EXPECT_EQ(operation(1, "none", "0"), Operation::broadcast);
  EXPECT_EQ(operation(0.75, "none", "-1"), std::nullopt);  // all-gather or all-to-all
  EXPECT_EQ(operation(1, "sum", "-1"), std::nullopt);
  // A name is believed when the rows allow it.
  EXPECT_EQ(operation(0.75, "none", "-1", "./all_gather_perf"), Operation::all_gather);
  EXPECT_EQ(operation(1, "sum", "-1", "./sendrecv_perf"), Operation::send_recv);
  EXPECT_EQ(operation(1.5, "sum", "-1", "./alltoall_perf"), Operation::all_reduce);
  EXPECT_EQ(operation(0.75, "none", "-1", "./hypercube_perf"), std::nullopt);
}

TEST(NcclTestsLog, WhatTheOwnerWroteOnTopCounts) {
  const MeasuredTable table =
      table_of("# server: hgx-h100-8\n# collective: all_gather\n# healthy: yes\n# servers: two\n" +
               std::string(kColumns) + rows(0.75, "none"));
  EXPECT_EQ(table.server, "hgx-h100-8");
  EXPECT_EQ(table.operation, Operation::all_gather);
  EXPECT_EQ(table.healthy, Health::yes);
  EXPECT_TRUE(remarks(table, "line 4: \"two\" is no number of servers"));
}

TEST(NcclTestsLog, WrongResultsAreNotHealthy) {
  const MeasuredTable by_row =
      table_of(std::string(kColumns) + "  16  4  float  sum  -1  10.0  0.00  0.00  3  10.0  0.00  0.00  0\n");
  EXPECT_EQ(by_row.healthy, Health::no);
  EXPECT_EQ(by_row.healthy_note, "1 row with wrong results");
  const MeasuredTable by_summary = table_of(kColumns + row(8, 5, 1) + "# Out of bounds values : 2 FAILED\n");
  EXPECT_EQ(by_summary.healthy, Health::no);
  EXPECT_EQ(by_summary.healthy_note, "out of bounds values: 2 FAILED");
}

TEST(NcclTestsLog, GroupsThatCannotBeToldAreLeftOpen) {
  const auto group = [](const std::string& lines) { return table_of(parameters(1, 1) + lines + kColumns + rows(1)); };
  const MeasuredTable uneven = group(device(0, 1, "a", 0, "G") + device(1, 2, "a", 1, "G") + device(2, 3, "b", 0, "G"));
  EXPECT_EQ(uneven.servers, std::nullopt);
  EXPECT_TRUE(remarks(uneven, "the hosts have different numbers of GPUs: 2 and 1"));
  const MeasuredTable missing = group(device(0, 1, "a", 0, "G") + device(3, 2, "a", 1, "G"));
  EXPECT_EQ(missing.servers, std::nullopt);
  EXPECT_TRUE(remarks(missing, "devices of 2 of 4 ranks are printed"));
  const MeasuredTable split = group(device(0, 1, "a", 0, "G", 0) + device(0, 2, "a", 1, "G", 1) +
                                    device(1, 3, "b", 0, "G", 0) + device(1, 4, "b", 1, "G", 1));
  EXPECT_EQ(split.servers, 2);
  EXPECT_EQ(split.gpus_per_server, 1);
  EXPECT_EQ(split.remarks.front(), "2 groups of ranks ran at once: this is one of them");
  const MeasuredTable mixed = group(device(0, 1, "a", 0, "G") + device(1, 2, "a", 1, "H"));
  EXPECT_TRUE(remarks(mixed, "not all GPUs are \"G\""));
}

TEST(NcclTestsLog, WhatNcclSaysBetweenTheLines) {
  const std::string info =
      "node0:7:7 [0] NCCL INFO NCCL version 2.22.3+cuda12.6\n"
      "node0:7:9 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/RoCE [RO]; OOB eth0\n"
      "node0:7:9 [0] NCCL INFO NET/IB : Made virtual device [0] name=mlx5_0 speed=400000 ndevs=1\n"
      "node0:7:9 [0] NCCL INFO NCCL_ALGO set by environment to Ring.\n"
      "node0:7:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM/read\n"
      "node0:7:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 4[0] [send] via NET/IB/0/GDRDMA\n";
  const MeasuredTable table = table_of("mpirun -x NCCL_PROTO=Simple -x PATH ./all_reduce_perf\n" + parameters(1, 1) +
                                       devices(2, 2, "NVIDIA H100 80GB HBM3") + info + kColumns + rows(1.5));
  EXPECT_EQ(collective::to_text(*table.library), "nccl-2.22.3");
  EXPECT_EQ(table.fabric, "ib");
  EXPECT_EQ(table.nics_per_server, 2);
  EXPECT_EQ(table.nic_gbps, 400);
  EXPECT_EQ(table.gdr, true);
  EXPECT_EQ(table.p2p, true);
  EXPECT_EQ(table.env, "NCCL_ALGO=Ring NCCL_PROTO=Simple");

  const auto with = [](const std::string& line, int servers) {
    return table_of("all_reduce_perf\n" + parameters(1, 1) + devices(servers, 2, "NVIDIA H100 PCIe") + line + "\n" +
                    kColumns + rows(servers == 1 ? 1 : 1.5));
  };
  EXPECT_EQ(with("a:1:2 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/direct", 1).p2p, false);
  EXPECT_EQ(with("a:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 2[0] [send] via NET/IB/0", 2).gdr, false);
  EXPECT_EQ(with("a:1:2 [0] NCCL INFO Using network Socket", 2).fabric, "tcp");
  EXPECT_EQ(with("a:1:2 [0] NCCL INFO NET/OFI Selected Provider is efa (found 32 nics)", 2).nics_per_server, 32);
  EXPECT_EQ(with("a:1:2 [0] NCCL INFO NET/OFI Selected Provider is cxi (found 4 nics)", 2).fabric, "slingshot");
  EXPECT_EQ(with("a:1:2 [0] NCCL INFO Using network Socket", 1).fabric, "");
  EXPECT_EQ(collective::to_text(*with("RCCL version 2.20.5+hip6.2 HEAD:d380693", 1).library), "rccl-2.20.5");
  EXPECT_EQ(collective::to_text(*with("# nccl-tests nccl-library=2708", 1).library), "nccl-2.7.8");
  EXPECT_EQ(with("NCCL version next week", 1).library->version_known(), false);
}

TEST(NcclTestsLog, OtherBenchmarksAreRefusedByName) {
  const auto message = [](const std::string& text) {
    const auto tables = read(text);
    EXPECT_FALSE(tables);
    EXPECT_EQ(tables ? "" : tables.error().id, "WEFT-FMT-1001");
    return tables ? std::string() : tables.error().message;
  };
  EXPECT_NE(
      message("Running device_to_device_memcpy_read_ce.\nmemcpy CE GPU(row) -> GPU(column)\n").find("nvbandwidth"),
      std::string::npos);
  EXPECT_NE(message("Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n   D\\D     0      1\n").find("p2pBandwidth"),
            std::string::npos);
  EXPECT_NE(message("# OSU MPI-CUDA Allreduce Latency Test v7.0\n16777216   8630.58\n").find("OSU"), std::string::npos);
  EXPECT_NE(message("                    RDMA_Write BW Test\n").find("perftest"), std::string::npos);
  EXPECT_NE(message(" algo throughput: 41799543931.1436 bps, 41.7995 Gbps\n").find("PyTorch"), std::string::npos);
  EXPECT_EQ(message("node0:1:1 [0] NCCL INFO Using network IB\n"), "no table of nccl-tests in the file");
  EXPECT_EQ(message(""), "no table of nccl-tests in the file");
}

TEST(NcclTestsLog, ColumnsWithoutRowsSayWhere) {
  const auto tables = read("one\n" + std::string(kColumns) + "node0 NCCL WARN broken\n");
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().id, "WEFT-FMT-1002");
  EXPECT_EQ(tables.error().where.line, 3);
}

TEST(NcclTestsLog, RowsAreLimited) {
  std::string text = kColumns;
  for (int i = 0; i < 100'001; ++i) text += " 8 2 float sum -1 5 0 0 0\n";
  const auto tables = read(text);
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().id, "WEFT-FMT-1003");
  EXPECT_EQ(tables.error().where.line, 100'004);
}

TEST(NcclTestsLog, IsRecognisedByColumnsOrRows) {
  EXPECT_TRUE(looks_like_nccl_tests_log("x\n0: " + std::string(kColumns)));
  EXPECT_TRUE(looks_like_nccl_tests_log(row(8, 5, 1)));
  EXPECT_FALSE(looks_like_nccl_tests_log("# nThread 1 nGpus 8\nNCCL INFO NCCL version 2.22.3\n"));
  EXPECT_FALSE(looks_like_nccl_tests_log("about 8 16 float numbers of which many are int\n"));
  EXPECT_FALSE(looks_like_nccl_tests_log(""));
}

}  // namespace
}  // namespace weft::formats
