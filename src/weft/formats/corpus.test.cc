// Every file of a collection of real topologies and logs is read, or refused with an error that helps. Runs where
// WEFT_CORPUS names a folder with nccl-topo-xml/, nvidia-smi-topo-m/ and nccl-log/; skips elsewhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "weft/fabric/diff.h"
#include "weft/fabric/path.h"
#include "weft/formats/catalog.test.h"
#include "weft/formats/nccl_tests_log.h"
#include "weft/formats/nccl_xml.h"
#include "weft/formats/nccl_xml_tree.h"
#include "weft/formats/nccl_xml_write.h"
#include "weft/formats/nvsmi_topo.h"
#include "weft/formats/sniff.h"

namespace weft::formats {
namespace {

std::vector<SourceText> corpus(const char* folder) {
  std::vector<SourceText> files;
  const char* root = std::getenv("WEFT_CORPUS");
  if (root == nullptr || *root == '\0') return files;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(root) / folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    files.push_back({entry.path().filename(), text.str()});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return files;
}

std::size_t matches(const std::string& text, const char* pattern) {
  const std::regex expression(pattern);
  return static_cast<std::size_t>(
      std::distance(std::sregex_iterator(text.begin(), text.end(), expression), std::sregex_iterator()));
}

void expect_helpful(const Error& error, const std::string& name) {
  EXPECT_TRUE(error.id.starts_with("WEFT-FMT-")) << name;
  EXPECT_EQ(error.where.file, name);
  EXPECT_GT(error.where.line, 0) << name;
  EXPECT_FALSE(error.hint.empty()) << name;
}

TEST(Corpus, NcclTopologies) {
  const std::vector<SourceText> files = corpus("nccl-topo-xml");
  if (files.empty()) GTEST_SKIP() << "WEFT_CORPUS is not set";
  std::size_t read = 0;
  for (const SourceText& file : files) {
    EXPECT_EQ(sniff(file.text).format, Format::nccl_topo_xml) << file.name;
    EXPECT_TRUE(read_nccl_tree(file)) << file.name;  // the tree of every one, also of those without GPUs
    const auto result = read_nccl_xml(test_catalog(), file);
    // A GPU is a <gpu> element or, in a skeleton, a PCI device of a GPU's class.
    const std::size_t elements = matches(file.text, "<gpu ");
    const std::size_t gpus = elements > 0 ? elements : matches(file.text, "class=\"0x(03|1200)");
    if (!result) {
      expect_helpful(result.error(), file.name);
      EXPECT_EQ(gpus, 0U) << file.name;
      continue;
    }
    ++read;
    EXPECT_EQ(result->fabric.gpus().size(), gpus) << file.name;
    if (elements == 0) {
      EXPECT_FALSE(result->assumed.empty()) << file.name;
    }
    for (const fabric::DeviceId gpu : result->fabric.gpus()) {
      EXPECT_FALSE(result->fabric.model(gpu).part.empty()) << file.name;
      EXPECT_FALSE(result->fabric.operator_name(gpu).empty()) << file.name;
    }
    const auto written = write_nccl_xml(test_catalog(), result->fabric);
    ASSERT_TRUE(written) << file.name;
    const auto back = read_nccl_xml(test_catalog(), {file.name, written->xml});
    ASSERT_TRUE(back) << file.name << back.error().to_string();
    for (const fabric::Difference& d : fabric::diff(result->fabric, back->fabric)) {
      ADD_FAILURE() << file.name << ": " << d.what << ": \"" << d.first << "\" against \"" << d.second << '"';
    }
  }
  EXPECT_GE(read * 10, files.size() * 9);
}

// Cells read from the file and closeness in the fabric agree, unless a note says that no tree fits them.
void expect_consistent(const SourceText& file, const OperatorFabric& result) {
  const auto matrix = read_topo_matrix(file);
  ASSERT_TRUE(matrix) << file.name;
  const std::size_t gpus = matrix->gpus();
  EXPECT_EQ(result.fabric.gpus().size(), gpus) << file.name;
  EXPECT_EQ(result.fabric.nics().size(), matrix->devices.size() - gpus) << file.name;
  if (says(result.notes, "fit no PCIe tree") || !result.observed.empty()) return;
  const auto device = [&](std::size_t i) {
    return i < gpus ? result.fabric.gpu(0, static_cast<std::uint32_t>(i))
                    : result.fabric.nic(0, static_cast<std::uint32_t>(i - gpus));
  };
  for (std::size_t a = 0; a < matrix->devices.size(); ++a) {
    for (std::size_t b = a + 1; b < matrix->devices.size(); ++b) {
      const TopoCell& cell = matrix->cell(a, b);
      if (!cell.known()) continue;
      const std::string found(fabric::name_of(fabric::closeness(result.fabric, device(a), device(b))));
      const std::string stated = cell.closeness == Closeness::nvlink ? "NVL" : std::string(name_of(cell.closeness));
      EXPECT_EQ(found, stated) << file.name << ' ' << matrix->devices[a].name << ' ' << matrix->devices[b].name;
    }
  }
}

TEST(Corpus, NvidiaSmiMatrices) {
  const std::vector<SourceText> files = corpus("nvidia-smi-topo-m");
  if (files.empty()) GTEST_SKIP() << "WEFT_CORPUS is not set";
  std::size_t read = 0;
  for (const SourceText& file : files) {
    EXPECT_EQ(sniff(file.text).format, Format::nvsmi_topo_matrix) << file.name;
    const auto result = read_nvsmi_topo(test_catalog(), file);
    if (!result) {
      expect_helpful(result.error(), file.name);
      EXPECT_NE(result.error().message.find("cut"), std::string::npos) << file.name;
      continue;
    }
    ++read;
    expect_consistent(file, *result);
    EXPECT_TRUE(says(result->assumed, "the GPU is")) << file.name;  // the matrix never names it
  }
  EXPECT_GE(read * 10, files.size() * 6);
}

TEST(Corpus, NcclTestsLogs) {
  const std::vector<SourceText> files = corpus("nccl-log");
  if (files.empty()) GTEST_SKIP() << "WEFT_CORPUS is not set";
  std::size_t read = 0;
  for (const SourceText& file : files) {
    const bool recognised = looks_like_nccl_tests_log(file.text);
    const Result<std::vector<MeasuredTable>> tables = read_nccl_tests_log(file);
    if (!tables) {
      expect_helpful(tables.error(), file.name);
      continue;
    }
    ++read;
    EXPECT_TRUE(recognised) << file.name;
    for (const MeasuredTable& table : *tables) {
      EXPECT_FALSE(says(table.remarks, "is not the algbw printed")) << file.name;
      EXPECT_FALSE(says(table.remarks, "the busbw printed is another")) << file.name;
      EXPECT_FALSE(table.gpu.empty()) << file.name;
    }
  }
  EXPECT_GE(read, 10U);
}

}  // namespace
}  // namespace weft::formats
