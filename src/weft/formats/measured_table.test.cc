#include "weft/formats/measured_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "weft/formats/measured_rows.h"

namespace weft::formats {
namespace {

using collective::Algorithm;
using collective::LaunchMode;
using collective::LibraryFamily;
using collective::Operation;
using collective::Protocol;

Result<MeasuredTable> read(std::string text) { return read_measured_table({"table.tsv", std::move(text)}); }

MeasuredTable read_well(std::string text) {
  Result<MeasuredTable> table = read(std::move(text));
  EXPECT_TRUE(table) << table.error().to_string();
  return table ? *table : MeasuredTable{};
}

Error error_of(std::string text) {
  const Result<MeasuredTable> table = read(std::move(text));
  EXPECT_FALSE(table);
  return table ? Error{} : table.error();
}

bool remarks(const MeasuredTable& table, std::string_view part) {
  return std::any_of(table.remarks.begin(), table.remarks.end(),
                     [&](const std::string& remark) { return remark.find(part) != std::string::npos; });
}

constexpr const char* kColumns = "size_bytes\ttime_us\talgbw_GBps\tbusbw_GBps\n";

TEST(MeasuredTable, ReadsEveryKey) {
  const MeasuredTable table = read_well(
      "# source: a run of ours\n# date: 2024-07-19\n# server: hgx-h100-8\n# servers: 2\n# gpus_per_server: 8\n"
      "# gpu: NVIDIA H100 80GB HBM3\n# nics_per_server: 8\n# nic_gbps: 400\n# fabric: ib\n# interconnect: NVLink4\n"
      "# p2p: yes\n# gdr: yes\n# library: nccl-2.22.3\n# algorithm: Ring\n# protocol: LL128\n"
      "# launch: process_per_gpu\n# gpus_per_process: 1\n# kernel: vllm-0.24.0\n# collective: all_reduce\n"
      "# dtype: float\n# semantics: new\n# healthy: no\n# healthy_note: slow\n# cause: a cable\n# env: A=1 B=2\n"
      "# note: one\n# note: two\n# plugin: of its own\n# colour: red\n" +
      std::string(kColumns) + "1048576\t100.0\t10.49\t19.66\n2097152\t150.0\t13.98\t26.21\n");
  EXPECT_EQ(table.file, "table.tsv");
  EXPECT_EQ(table.source, "a run of ours");
  EXPECT_EQ(table.date, "2024-07-19");
  EXPECT_EQ(table.server, "hgx-h100-8");
  EXPECT_EQ(table.servers, 2);
  EXPECT_EQ(table.gpus_per_server, 8);
  EXPECT_EQ(table.gpu, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(table.nics_per_server, 8);
  EXPECT_EQ(table.nic_gbps, 400);
  EXPECT_EQ(table.fabric, "ib");
  EXPECT_EQ(table.interconnect, "NVLink4");
  EXPECT_EQ(table.p2p, true);
  EXPECT_EQ(table.gdr, true);
  EXPECT_EQ(table.library, (collective::Library{LibraryFamily::nccl, 2, 22, 3}));
  EXPECT_EQ(table.algorithm, Algorithm::ring);
  EXPECT_EQ(table.protocol, Protocol::ll128);
  EXPECT_EQ(table.launch, LaunchMode::process_per_gpu);
  EXPECT_EQ(table.gpus_per_process, 1);
  EXPECT_EQ(table.kernel, "vllm-0.24.0");
  EXPECT_EQ(table.operation, Operation::all_reduce);
  EXPECT_EQ(table.dtype, "float");
  EXPECT_FALSE(table.old_semantics);
  EXPECT_EQ(table.healthy, Health::no);
  EXPECT_EQ(table.healthy_note, "slow");
  EXPECT_EQ(table.cause, "a cable");
  EXPECT_EQ(table.env, "A=1 B=2");
  EXPECT_EQ(table.notes, (std::vector<std::string>{"one", "two", "plugin: of its own"}));
  EXPECT_EQ(table.remarks, (std::vector<std::string>{"keys that are not known (\"colour\")"}));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1].size, Bytes(2'097'152));
  EXPECT_DOUBLE_EQ(table.rows[1].time_us, 150);
  EXPECT_EQ(table.rows[1].line, 32);
}

TEST(MeasuredTable, UnknownNoneAndNothingAreTheSame) {
  const MeasuredTable table = read_well(
      "# server: unknown\n# servers: None\n# gpus_per_server:\n# nics_per_server: N/A\n# nic_gbps: unknown\n"
      "# fabric: unknown\n# p2p: unknown\n# library: unknown\n# algorithm: unknown\n# protocol: auto\n"
      "# launch: unknown\n# collective: unknown\n# healthy: unknown\n# semantics: unknown\n# not a key at all\n" +
      std::string(kColumns) + "8\t5\t0\t0\n");
  EXPECT_TRUE(table.server.empty());
  EXPECT_EQ(table.servers, std::nullopt);
  EXPECT_EQ(table.gpus_per_server, std::nullopt);
  EXPECT_EQ(table.nics_per_server, std::nullopt);
  EXPECT_EQ(table.nic_gbps, std::nullopt);
  EXPECT_TRUE(table.fabric.empty());
  EXPECT_EQ(table.p2p, std::nullopt);
  EXPECT_EQ(table.library, std::nullopt);
  EXPECT_EQ(table.algorithm, std::nullopt);
  EXPECT_EQ(table.protocol, std::nullopt);
  EXPECT_EQ(table.launch, LaunchMode::unknown);
  EXPECT_EQ(table.operation, std::nullopt);
  EXPECT_EQ(table.healthy, Health::unknown);
  EXPECT_TRUE(table.remarks.empty());
}

TEST(MeasuredTable, AWordOfNoListIsRemarkedAndUnknown) {
  const MeasuredTable table = read_well(
      "# fabric: carrier pigeon\n# p2p: perhaps\n# library: oneccl-1\n# algorithm: square\n# protocol: udp\n"
      "# launch: mpi\n# healthy: so-so\n# semantics: newest\n# gdr: maybe\n" +
      std::string(kColumns) + "8\t5\t0\t0\n");
  EXPECT_TRUE(table.fabric.empty());
  EXPECT_EQ(table.p2p, std::nullopt);
  EXPECT_EQ(table.library, std::nullopt);
  EXPECT_EQ(table.launch, LaunchMode::unknown);
  EXPECT_EQ(table.remarks.size(), 9U);
  EXPECT_TRUE(remarks(table, "fabric \"carrier pigeon\" is not known: taken for unknown"));
}

TEST(MeasuredTable, GpudirectIsReadAsNcclNamesTheTransport) {
  const auto gdr = [](const std::string& value) {
    return read_well("# gdr: " + value + "\n" + kColumns + "8\t5\t0\t0\n").gdr;
  };
  EXPECT_EQ(gdr("NET/IB/1"), false);
  EXPECT_EQ(gdr("NET/IB/1/GDRDMA"), true);
  EXPECT_EQ(gdr("no (host-staged)"), false);
  EXPECT_EQ(gdr("yes"), true);
}

// busbw = algbw x factor, algbw = S / t (nccl-tests PERFORMANCE.md): 8 MiB in 100 us are 83.89 GB/s.
TEST(MeasuredTable, ATimeIsDerivedFromABandwidth) {
  const std::string group = "# servers: 1\n# gpus_per_server: 8\n# collective: all_reduce\n";
  const MeasuredTable by_algbw = read_well(group + "size_bytes\ttime_us\talgbw_GBps\n8388608\tNA\t83.886\n");
  ASSERT_EQ(by_algbw.rows.size(), 1U);
  EXPECT_NEAR(by_algbw.rows[0].time_us, 100, 0.01);
  EXPECT_TRUE(remarks(by_algbw, "1 row without a time: derived from the bandwidth"));

  const MeasuredTable by_busbw = read_well(group + "size_bytes\tbusbw_GBps\n8388608\t146.80\n");
  ASSERT_EQ(by_busbw.rows.size(), 1U);
  EXPECT_NEAR(by_busbw.rows[0].time_us, 100, 0.01);
}

// Early nccl-tests: algbw of all-gather and reduce-scatter is S (n-1)/n / t, and equals busbw.
TEST(MeasuredTable, OldSemanticsAreHonoured) {
  const auto time = [](const std::string& collective, const std::string& columns) {
    return read_well("# servers: 1\n# gpus_per_server: 4\n# collective: " + collective + "\n# semantics: old\n" +
                     columns + "\n4000000\t30\n")
        .rows[0]
        .time_us;
  };
  EXPECT_NEAR(time("all_gather", "size_bytes\talgbw_GBps"), 100, 1e-9);
  EXPECT_NEAR(time("reduce_scatter", "size_bytes\talgbw_GBps"), 100, 1e-9);
  EXPECT_NEAR(time("all_gather", "size_bytes\tbusbw_GBps"), 100, 1e-9);
  EXPECT_NEAR(time("all_reduce", "size_bytes\talgbw_GBps"), 4000.0 / 30, 1e-9);
}

TEST(MeasuredTable, RowsThatSayNothingAreLeftOutAndCounted) {
  const MeasuredTable table = read_well(std::string(kColumns) +
                                        "0\t1.2\t0\t0\n8\tN/A\t0.00\t0.00\n\n16\t\t\t\n32\t10\n64\t0\t0\t0\n"
                                        "\t3\t\t\n64\t10.2\t0.01\t0.01\r\n64\t10.4\t0.01\t0.01\n32\t-4\t0\t0\n");
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(table.rows[0].size, Bytes(32));
  EXPECT_DOUBLE_EQ(table.rows[2].time_us, 10.4);
  EXPECT_TRUE(remarks(table, "1 row of no bytes left out"));
  EXPECT_TRUE(remarks(table, "5 rows without a time or a bandwidth left out"));
  EXPECT_TRUE(remarks(table, "1 row no larger than the one before"));
}

TEST(MeasuredTable, SizesOfAnotherKindContradictTheBandwidth) {
  const std::string group = "# servers: 1\n# gpus_per_server: 8\n# collective: all_gather\n";
  // Per rank: an eighth of what algbw counts.
  const MeasuredTable per_rank = read_well(group + kColumns + "1048576\t100\t83.89\t73.40\n");
  EXPECT_TRUE(remarks(per_rank,
                      "1 row where size / time is not the algbw printed (first: line 5, 10.49 GB/s against "
                      "83.89 GB/s)"));
  const MeasuredTable old_taken_for_new = read_well(group + kColumns + "8388608\t100\t73.40\t73.40\n");
  EXPECT_TRUE(remarks(old_taken_for_new, "another semantics"));
  const MeasuredTable old = read_well(group + "# semantics: old\n" + kColumns + "8388608\t100\t73.40\t73.40\n");
  EXPECT_TRUE(old.remarks.empty());
  // busbw of 4 ranks in a table that claims 8.
  EXPECT_TRUE(remarks(read_well(group + kColumns + "8388608\t100\t83.89\t62.92\n"),
                      "1 row where the busbw printed is another (first: line 5, 73.40 GB/s against 62.92 GB/s)"));
  // The print has two decimals: 0.01 GB/s is anything from 0.005 to 0.015.
  EXPECT_TRUE(read_well(group + kColumns + "64\t4.5\t0.01\t0.01\n").remarks.empty());
}

TEST(MeasuredTable, SaysWhatIsWrongAndWhere) {
  const Error no_table = error_of("# server: hgx-h100-8\n");
  EXPECT_EQ(no_table.id, "WEFT-FMT-0901");
  EXPECT_EQ(error_of("").id, "WEFT-FMT-0901");
  const Error columns = error_of("# servers: 1\nsize_bytes time_us\n8 5\n");
  EXPECT_EQ(columns.id, "WEFT-FMT-0901");
  EXPECT_EQ(columns.where.line, 2);
  EXPECT_NE(columns.hint.find("tabs"), std::string::npos);

  EXPECT_EQ(error_of(std::string(kColumns) + "8\tN/A\t0\t0\n").id, "WEFT-FMT-0902");

  const Error cell = error_of(std::string(kColumns) + "8\t5\t0\t0\n16\t1,234\t0\t0\n");
  EXPECT_EQ(cell.id, "WEFT-FMT-0903");
  EXPECT_EQ(cell.where.line, 3);
  EXPECT_EQ(cell.where.column, 4);
  EXPECT_EQ(cell.message, "\"1,234\" is no number");
  for (const char* size : {"-8", "8.5", "1e300", "64K"})
    EXPECT_EQ(error_of(kColumns + std::string(size) + "\t5\t0\t0\n").id, "WEFT-FMT-0903") << size;

  const Error collective = error_of("# collective: allreduce\n" + std::string(kColumns) + "8\t5\t0\t0\n");
  EXPECT_EQ(collective.id, "WEFT-FMT-0905");
  EXPECT_EQ(collective.where.line, 1);
  EXPECT_EQ(collective.where.column, 15);
  EXPECT_EQ(collective.hint, "did you mean all_reduce?");

  for (const char* key : {"servers: two", "gpus_per_server: 0", "nics_per_server: -1", "servers: 99999999999"})
    EXPECT_EQ(error_of("# " + std::string(key) + "\n" + kColumns + "8\t5\t0\t0\n").id, "WEFT-FMT-0906") << key;
  for (const char* rate : {"4x100", "0", "-400", "inf"})
    EXPECT_EQ(error_of("# nic_gbps: " + std::string(rate) + "\n" + kColumns + "8\t5\t0\t0\n").id, "WEFT-FMT-0907");
}

TEST(MeasuredTable, RowsAreLimited) {
  std::string text = kColumns;
  for (std::size_t i = 0; i <= kMostRows; ++i) text += "8\t5\t0\t0\n";
  const Error error = error_of(text);
  EXPECT_EQ(error.id, "WEFT-FMT-0904");
  EXPECT_EQ(error.where.line, static_cast<int>(kMostRows) + 2);
}

TEST(MeasuredTable, IsRecognisedByItsColumns) {
  EXPECT_TRUE(looks_like_measured_table("# a: b\n" + std::string(kColumns)));
  EXPECT_TRUE(looks_like_measured_table("time_us\tsize_bytes"));
  EXPECT_FALSE(looks_like_measured_table("# size_bytes\ttime_us\n"));
  EXPECT_FALSE(looks_like_measured_table("size_bytes\tlatency\n"));
  EXPECT_FALSE(looks_like_measured_table(""));
}

}  // namespace
}  // namespace weft::formats
