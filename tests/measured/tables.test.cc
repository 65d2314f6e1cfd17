// Every table of data/measured is read without error and joins with its cluster; how many rows it has and how long they
// take is pinned in aggregate, so that a reader that drops, scales or doubles rows is caught; and where a table prints
// time and bandwidth both, they agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "weft/catalog/catalog.h"
#include "weft/formats/measured_table.h"
#include "weft/intake/measurement_files.h"

namespace weft {
namespace {

using formats::MeasuredTable;

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::directory_iterator("data/measured/" + folder))
    paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<MeasuredTable> tables_of(const std::string& folder) {
  std::vector<MeasuredTable> tables;
  for (const std::string& path : files_of(folder)) {
    std::ifstream file(path, std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    Result<MeasuredTable> table = formats::read_measured_table({path, text.str()});
    EXPECT_TRUE(table) << table.error().to_string();
    if (table) tables.push_back(std::move(*table));
  }
  return tables;
}

struct Sum {
  std::size_t tables = 0;
  std::size_t rows = 0;
  double seconds = 0;
  double gbytes = 0;
};

Sum sum_of(const std::vector<MeasuredTable>& tables) {
  Sum sum;
  sum.tables = tables.size();
  for (const MeasuredTable& table : tables) {
    sum.rows += table.rows.size();
    for (const formats::MeasuredRow& row : table.rows) {
      sum.seconds += row.time_us * 1e-6;
      sum.gbytes += static_cast<double>(row.size.count()) * 1e-9;
    }
  }
  return sum;
}

// Remarks other than what is left out or derived: none of the published tables contradicts itself.
std::set<std::string> contradictions(const std::vector<MeasuredTable>& tables) {
  std::set<std::string> found;
  for (const MeasuredTable& table : tables) {
    for (const std::string& remark : table.remarks) {
      if (!remark.ends_with("of no bytes left out") && !remark.ends_with("derived from the bandwidth"))
        found.insert(table.file + ": " + remark);
    }
  }
  return found;
}

TEST(MeasuredTables, CollectivesAreReadWhole) {
  const std::vector<MeasuredTable> tables = tables_of("collectives");
  const Sum sum = sum_of(tables);
  EXPECT_EQ(sum.tables, 168U);
  EXPECT_EQ(sum.rows, 3410U);
  EXPECT_NEAR(sum.seconds, 68.983867, 1e-5);
  EXPECT_NEAR(sum.gbytes, 1911.606152, 1e-5);
  EXPECT_EQ(std::count_if(tables.begin(), tables.end(),
                          [](const MeasuredTable& table) { return table.healthy == formats::Health::yes; }),
            126);
  EXPECT_EQ(contradictions(tables), (std::set<std::string>{}));
  for (const MeasuredTable& table : tables) {
    EXPECT_FALSE(table.source.empty()) << table.file;
    EXPECT_TRUE(table.operation) << table.file;
  }
}

TEST(MeasuredTables, AiconfiguratorIsReadWhole) {
  const std::vector<MeasuredTable> tables = tables_of("aiconfigurator");
  const Sum sum = sum_of(tables);
  EXPECT_EQ(sum.tables, 142U);
  EXPECT_EQ(sum.rows, 2834U);
  EXPECT_NEAR(sum.seconds, 4.514459, 1e-5);
  EXPECT_NEAR(sum.gbytes, 151.799516, 1e-5);
  for (const MeasuredTable& table : tables) {
    EXPECT_TRUE(table.remarks.empty()) << table.file;
    EXPECT_TRUE(table.operation && table.library && table.library->version_known()) << table.file;
    EXPECT_EQ(table.launch, collective::LaunchMode::thread_per_gpu) << table.file;
  }
}

TEST(MeasuredTables, ServingKernelsAreReadWhole) {
  const std::vector<MeasuredTable> tables = tables_of("serving-kernels");
  const Sum sum = sum_of(tables);
  EXPECT_EQ(sum.tables, 223U);
  EXPECT_EQ(sum.rows, 4237U);
  EXPECT_NEAR(sum.seconds, 1.425697, 1e-5);
  EXPECT_NEAR(sum.gbytes, 29.930496, 1e-5);
  for (const MeasuredTable& table : tables) {
    EXPECT_TRUE(table.remarks.empty()) << table.file;
    EXPECT_FALSE(table.kernel.empty()) << table.file;
    EXPECT_EQ(table.operation, collective::Operation::all_reduce) << table.file;
  }
}

TEST(MeasuredTables, SimaiIsReadWhole) {
  const Sum sum = sum_of(tables_of("simai"));
  EXPECT_EQ(sum.tables, 7U);
  EXPECT_EQ(sum.rows, 28U);
  EXPECT_NEAR(sum.seconds, 0.745236, 1e-5);
  EXPECT_NEAR(sum.gbytes, 128.832242, 1e-5);
}

intake::MeasurementSet joined(const std::string& folder) {
  const Result<catalog::Catalog> catalog = catalog::Catalog::builtin();
  EXPECT_TRUE(catalog);
  std::istringstream none;
  const std::vector<std::string> paths = {"data/measured/" + folder};
  Result<intake::MeasurementSet> set = intake::read_measurements(paths, *catalog, {}, none);
  EXPECT_TRUE(set) << set.error().to_string();
  EXPECT_TRUE(set->unreadable.empty());
  return std::move(*set);
}

TEST(MeasuredTables, OnlyWhatIsUnknownToItsSourceCannotBeJoined) {
  std::map<std::string, std::string> unusable;
  const intake::MeasurementSet set = joined("collectives");
  EXPECT_EQ(set.measurements.size(), 168U);
  for (const intake::Measurement& each : set.measurements) {
    if (!each.usable()) unusable[std::filesystem::path(each.table.file).filename().string()] = each.why_not;
    if (each.usable()) {
      EXPECT_EQ(each.shape.ranks, *each.table.servers * *each.table.gpus_per_server) << each.table.file;
      EXPECT_EQ(each.shape.servers, *each.table.servers) << each.table.file;
    }
  }
  EXPECT_EQ(unusable, (std::map<std::string, std::string>{
                          {"i1453-3n-2racks-collapse.tsv", "the server is unknown"},
                          {"i232-1gpu-4nics-tree.tsv", "the number of servers is unknown"},
                          {"stas-4n-allreduce-torch.tsv", "the server is unknown"},
                      }));
}

TEST(MeasuredTables, NothingButALibraryIsAssumedInsideServers) {
  for (const char* folder : {"aiconfigurator", "serving-kernels"}) {
    const intake::MeasurementSet set = joined(folder);
    for (const intake::Measurement& each : set.measurements) {
      EXPECT_TRUE(each.usable()) << each.table.file << ": " << each.why_not;
      for (const std::string& assumed : each.assumed)
        EXPECT_TRUE(assumed.starts_with("the library is")) << each.table.file << ": " << assumed;
    }
  }
}

}  // namespace
}  // namespace weft
