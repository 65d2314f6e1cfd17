// The commands through their front door: JSON that tools rely on, files written, what is said on stderr.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>

#include "run_captured.h"

namespace weft::cli {
namespace {

using nlohmann::json;

json run_json(std::vector<std::string> args, int status = 0) {
  args.emplace_back("--json");
  const Captured result = run_captured(args);
  EXPECT_EQ(result.status, status) << result.err;
  EXPECT_EQ(result.err, "");
  json document = json::parse(result.out, nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << result.out;
  return document;
}

class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("weft-cli-test-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(CatalogCommand, ListGivesTextAndNumbersWithUnits) {
  const json document = run_json({"catalog", "list", "--kind", "nvlink"});
  EXPECT_EQ(document["schema"], "weft/catalog/1");
  EXPECT_EQ(document["kind"], "nvlink");
  bool found = false;
  for (const json& row : document["rows"]) {
    if (row["generation"] != "nvlink4") continue;
    found = true;
    EXPECT_EQ(row["each_way"], "450 GB/s");
    EXPECT_EQ(row["bidir"], "900 GB/s");
  }
  EXPECT_TRUE(found);
}

TEST(CatalogCommand, ShowNamesTheSourceOfEveryFigure) {
  const json document = run_json({"catalog", "show", "hgx-h100-8"});
  EXPECT_EQ(document["id"], "hgx-h100-8");
  EXPECT_EQ(document["derived"][0], "18 links x 50 GB/s bidir x 8 GPUs = 7.2 TB/s");
  ASSERT_GT(document["figures"].size(), 10U);
  for (const json& figure : document["figures"]) {
    EXPECT_TRUE(figure["basis"] == "assumed" || figure["source"].is_string()) << figure;
  }
}

TEST(CatalogCommand, CompareKeepsThePartsApart) {
  const json document = run_json({"catalog", "compare", "nvlink4", "pcie5-x16"});
  EXPECT_EQ(document["ids"], (json{"nvlink4", "pcie5-x16"}));
  for (const json& row : document["rows"]) {
    EXPECT_TRUE(row.contains("nvlink4") && row.contains("pcie5-x16")) << row;
  }
}

TEST(CatalogCommand, NamesAreOneALine) {
  const Captured result = run_captured({"catalog", "list", "--names", "--kind", "server"});
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("hgx-h100-8\n"), std::string::npos);
  EXPECT_EQ(run_json({"catalog", "list", "--names", "--kind", "model"})["names"].size(),
            run_json({"catalog", "list", "--kind", "model"})["rows"].size());
}

TEST(CatalogCommand, ModelsAreShownToo) {
  EXPECT_EQ(run_json({"catalog", "show", "llama-3.1-70b"})["kind"], "model");
  const Captured near = run_captured({"catalog", "show", "llama-3.1-7b"});
  EXPECT_EQ(near.status, 3);
  EXPECT_NE(near.err.find("did you mean llama-3.1-8b?"), std::string::npos) << near.err;
}

TEST(TopoShow, JsonUnrollsASmallClusterAndSummarisesALargeOne) {
  const json small = run_json({"topo", "show", "2xhgx-h100-8"});
  EXPECT_EQ(small["schema"], "weft/topo/1");
  EXPECT_EQ(small["cluster"]["gpus"], 16);
  EXPECT_TRUE(small["unrolled"]);
  EXPECT_FALSE(small["assumed"].empty());
  std::size_t gpus = 0;
  for (const json& device : small["devices"]) gpus += device["kind"] == "gpu" ? 1 : 0;
  EXPECT_EQ(gpus, 16U);
  const json large = run_json({"topo", "show", "500xhgx-h100-8"});
  EXPECT_FALSE(large["unrolled"]);
  EXPECT_FALSE(large.contains("devices"));
  EXPECT_EQ(large["server_kinds"][0]["count"], 500);
}

TEST(TopoShow, WritesTheDrawing) {
  const Folder folder;
  const std::string path = folder.file("cluster.svg");
  const Captured result = run_captured({"topo", "show", "hgx-h100-8", "--svg", path});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("written: "), std::string::npos);
  pugi::xml_document document;
  EXPECT_TRUE(document.load_file(path.c_str()));
  EXPECT_EQ(run_captured({"topo", "show", "hgx-h100-8", "--svg", "-"}).out, read_file(path));
}

TEST(TopoMatrix, JsonHoldsTypesAndFigures) {
  const json document = run_json({"topo", "matrix", "hgx-h100-8"});
  EXPECT_EQ(document["types"][0][1], "NV18");
  EXPECT_EQ(document["types"][3][3], "X");
  EXPECT_TRUE(document["goodput_gbytes_per_s"][3][3].is_null());
  EXPECT_NEAR(document["goodput_gbytes_per_s"][0][7].get<double>(), 370.8, 0.5);
  EXPECT_EQ(document["devices"].size(), 16U);
}

TEST(TopoPath, TotalIsTheSlowestHopAndTheSumOfLatencies) {
  const json document = run_json({"topo", "path", "4xhgx-h100-8", "server0.gpu0", "server3.gpu7"});
  double slowest = 1e9;
  double latency = 0;
  for (const json& hop : document["hops"]) {
    slowest = std::min(slowest, hop["goodput_gbytes_per_s"].get<double>());
    latency += hop["latency_us"].get<double>();
  }
  EXPECT_DOUBLE_EQ(document["total"]["goodput_gbytes_per_s"].get<double>(), slowest);
  EXPECT_NEAR(document["total"]["latency_us"].get<double>(), latency, 1e-9);
  EXPECT_EQ(document["type"], "NET");
  EXPECT_FALSE(document["host_bounce"]);
}

TEST(TopoPath, TransfersOverOneUplinkShareIt) {
  const json document = run_json({"topo", "path", "pcie-l40s:8", "gpu0", "gpu4", "--with", "gpu1 gpu5"});
  ASSERT_EQ(document["concurrent"].size(), 2U);
  for (const json& transfer : document["concurrent"]) {
    EXPECT_DOUBLE_EQ(transfer["together_gbytes_per_s"].get<double>(), transfer["alone_gbytes_per_s"].get<double>() / 2);
  }
}

TEST(TopoPath, ConditionsHold) {
  const double healthy = run_json({"topo", "path", "hgx-h100-8", "gpu0", "gpu1"})["total"]["line_gbytes_per_s"];
  const double limping = run_json({"topo", "path", "hgx-h100-8", "gpu0", "gpu1", "--condition",
                                   "links 12 server0.gpu0"})["total"]["line_gbytes_per_s"];
  EXPECT_DOUBLE_EQ(limping, healthy * 12 / 18);
}

TEST(TopoPath, SaysWhenMemoryOfTheHostIsCrossed) {
  EXPECT_TRUE(run_json({"topo", "path", "pcie-rtx4090:4", "gpu0", "gpu1"})["host_bounce"]);
  EXPECT_TRUE(run_json({"topo", "path", "2xhgx-h100-8", "server0.gpu0", "server1.gpu0", "--condition",
                        "no-gdr server0"})["host_bounce"]);
}

TEST(TopoDiff, StatusIsTheAnswer) {
  EXPECT_TRUE(run_json({"topo", "diff", "hgx-h100-8", "hgx-h100-8"})["same"]);
  const json document = run_json({"topo", "diff", "hgx-h100-8", "hgx-h200-8"}, 1);
  EXPECT_FALSE(document["same"]);
  EXPECT_EQ(document["differences"][0]["kind"], "changed");
  EXPECT_EQ(document["differences"][0]["what"], "server0.gpu0");
}

TEST(TopoExport, ReadsBackToTheSameServers) {
  const Folder folder;
  for (const char* server : {"hgx-h100-8", "dgx1-v100", "mi300x-8", "pcie-a100:4", "gb200-nvl72"}) {
    const std::string path = folder.file("topo.xml");
    const Captured written = run_captured({"topo", "export", server, "-o", path});
    ASSERT_EQ(written.status, 0) << written.err;
    const Captured compared = run_captured({"topo", "diff", server, path});
    EXPECT_EQ(compared.status, 0) << server << ": " << compared.out << compared.err;
  }
}

TEST(TopoExport, FromStdinToStdout) {
  const Captured first = run_captured({"topo", "export", "hgx-h100-8", "-q"});
  ASSERT_EQ(first.status, 0) << first.err;
  const Captured second = run_captured({"topo", "export", "-", "-q"}, first.out);
  EXPECT_EQ(second.status, 0) << second.err;
  EXPECT_EQ(second.out, first.out);
}

TEST(Topo, WhatIsAssumedIsSaidOnStderrOrInTheDocument) {
  const Captured text = run_captured({"topo", "show", "2xhgx-h100-8"});
  EXPECT_TRUE(text.err.starts_with("assumed: ")) << text.err;
  EXPECT_EQ(run_captured({"topo", "show", "2xhgx-h100-8", "-q"}).err, "");
  EXPECT_FALSE(run_json({"topo", "show", "2xhgx-h100-8"})["assumed"].empty());
}

// A cluster file's names are the user's: they must not reach the terminal or the drawing as they are.
TEST(Validate, WritesAModelCardWithAPictureForEachSetThatTookPart) {
  const Folder folder;
  const std::string table =
      "# server: hgx-h100-8\n# servers: 1\n# gpus_per_server: 8\n# library: nccl-2.27.3\n# collective: all_reduce\n"
      "# healthy: yes\n# source: a test\nsize_bytes\ttime_us\n1048576\t27\n1073741824\t4100\n";
  std::ofstream(folder.file("one.tsv")) << table;
  const Captured result = run_captured({"validate", folder.file("one.tsv"), "--cards", folder.file("")});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::string card = read_file(folder.file("nvlink4.md"));
  EXPECT_NE(card.find("# Model card: Collectives over NVLink 4 (`nvlink4`)"), std::string::npos);
  EXPECT_NE(card.find("groups of 8 to 8 GPUs on up to 1 server, messages of 1 MiB to 1 GiB"), std::string::npos);
  EXPECT_NE(card.find("| all_reduce | 1 | "), std::string::npos);
  EXPECT_NE(card.find("one.tsv"), std::string::npos);
  EXPECT_NE(read_file(folder.file("nvlink4.svg")).find("all_reduce, 8 GPUs, measured"), std::string::npos);
  EXPECT_EQ(run_captured({"validate", folder.file("one.tsv"), "--cards", folder.file("no/such")}).status, 3);
}

TEST(CollectiveCommand, SchedulesSayWhatEachAlgorithmCostsAndThatItIsRight) {
  const json document = run_json(
      {"collective", "all_gather", "--cluster", "2xhgx-h100-8", "-b", "1M", "-e", "1M", "--schedules", "--json"});
  std::set<std::string> names;
  for (const json& schedule : document["schedules"]) {
    if (schedule["algorithm"] == "nvls") {
      EXPECT_EQ(schedule["why_not"], "its switches join one server");
      continue;
    }
    names.insert(schedule["algorithm"]);
    EXPECT_EQ(schedule["checked"], "right") << schedule;
  }
  EXPECT_EQ(names, (std::set<std::string>{"ring", "recursive_doubling", "bruck", "pairwise", "direct", "pat",
                                          "hierarchical"}));
  EXPECT_GT(document["rows"][0]["channels"], 0);
  // Seven and eight GPUs: no algorithm that goes by servers.
  const json uneven = run_json({"collective", "all_gather", "--cluster", "2xhgx-h100-8", "--ranks", "0-14", "-b", "1M",
                                "-e", "1M", "--schedules", "--json"});
  EXPECT_EQ(uneven["schedules"].back()["why_not"], "servers of different size");
}

TEST(Topo, HostileNamesInAClusterFile) {
  const std::string file =
      "name = \"\\u001b]0;owned\\u0007</title><script>\"\n[[servers]]\nserver = \"hgx-h100-8\"\nname = "
      "\"\\u001b[2J\"\n";
  for (const std::vector<std::string>& args : {std::vector<std::string>{"topo", "show", "-"},
                                               {"topo", "show", "-", "--svg", "-"},
                                               {"topo", "show", "-", "--json"},
                                               {"topo", "matrix", "-"},
                                               {"topo", "path", "-", "gpu0", "cpu0"}}) {
    const Captured result = run_captured(args, file);
    for (const std::string& text : {result.out, result.err}) {
      EXPECT_EQ(text.find('\x1b'), std::string::npos) << args[1];
      EXPECT_EQ(text.find('\x07'), std::string::npos) << args[1];
    }
  }
  EXPECT_EQ(run_captured({"topo", "show", "-", "--svg", "-"}, file).out.find("<script>"), std::string::npos);
}

}  // namespace
}  // namespace weft::cli
