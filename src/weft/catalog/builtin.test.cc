// What the builtin catalog must hold, and that reading it part by part gives the same as reading it whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "weft/catalog/schema.h"
#include "weft/catalog/test_catalog.h"

namespace weft::catalog {
namespace {

Catalog read_whole() {
  const Result<Catalog> catalog = Catalog::load(Catalog::builtin_texts());
  EXPECT_TRUE(catalog) << catalog.error().to_string();
  return catalog.value_or(Catalog());
}

TEST(Builtin, PartByPartIsTheSameAsWhole) {
  const Catalog whole = read_whole();
  ASSERT_GT(whole.parts().size(), 200U);
  const Catalog lazy = Catalog::builtin().value();
  for (const Part& part : whole.parts()) {
    const Part* found = lazy.find(part.id);
    ASSERT_NE(found, nullptr) << part.id;
    EXPECT_EQ(*found, part) << part.id;
    for (const std::string& alias : part.aliases) EXPECT_EQ(lazy.find(alias), found) << alias;
  }
  for (const Source& source : whole.sources()) {
    ASSERT_NE(lazy.source(source.id), nullptr) << source.id;
    EXPECT_EQ(*lazy.source(source.id), source);
  }
  for (int i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    EXPECT_EQ(lazy.ids(kind), whole.ids(kind)) << name_of(kind);
    EXPECT_EQ(lazy.parts(kind).size(), whole.ids(kind).size()) << name_of(kind);
  }
  EXPECT_TRUE(std::ranges::equal(lazy.parts(), whole.parts()));
}

TEST(Builtin, AddressesStayWhenMoreIsRead) {
  const Catalog catalog = Catalog::builtin().value();
  const Part* early = catalog.find("nvlink4");
  const std::string title = early->title;
  ASSERT_GT(catalog.parts().size(), 200U);
  for (const std::string& id : catalog.ids(Kind::gpu)) ASSERT_NE(catalog.find(id), nullptr);
  EXPECT_EQ(early->title, title);
  EXPECT_EQ(*early, *catalog.find("nvlink4"));
}

TEST(Builtin, EveryFigureHasASourceOrSaysThatItIsAssumed) {
  for (const Part& part : builtin_catalog().parts()) {
    for (const Figure& figure : part.figures) {
      const std::string name = part.id + "." + figure.key;
      if (figure.from.basis == Basis::assumed) {
        EXPECT_FALSE(figure.from.note.empty()) << name;
      }
      if (figure.from.basis != Basis::assumed) {
        EXPECT_FALSE(figure.from.source.empty()) << name;
      }
      if (!figure.from.source.empty()) {
        EXPECT_NE(builtin_catalog().source(figure.from.source), nullptr) << name;
      }
    }
  }
}

TEST(Builtin, EverySourceIsUsed) {
  std::set<std::string> used;
  for (const Part& part : builtin_catalog().parts()) {
    for (const Figure& figure : part.figures) used.insert(figure.from.source);
  }
  for (const Source& source : builtin_catalog().sources()) EXPECT_TRUE(used.contains(source.id)) << source.id;
}

TEST(Builtin, EveryPartReadsThroughItsView) {
  const Catalog& catalog = builtin_catalog();
  for (const std::string& id : catalog.ids(Kind::link)) {
    const LinkPart link = catalog.link(id).value();
    EXPECT_GT(link.line.count(), 0) << id;
    EXPECT_GT(link.goodput.count(), 0) << id;
    EXPECT_LE(link.goodput, link.line) << id;
    if (link.raw.count() > 0) {
      EXPECT_LE(link.line, link.raw) << id;
    }
  }
  for (const std::string& id : catalog.ids(Kind::gpu)) {
    const GpuPart gpu = catalog.gpu(id).value();
    EXPECT_GT(gpu.fp16_tflops, 0) << id;
    EXPECT_EQ(gpu.gpu_link.empty(), gpu.gpu_links == 0) << id;
    EXPECT_EQ(gpu.vendor == "nvidia", gpu.sm > 0) << id;
    EXPECT_EQ(gpu.vendor == "amd", !gpu.gcn.empty()) << id;
  }
  for (const std::string& id : catalog.ids(Kind::cpu)) EXPECT_TRUE(catalog.cpu(id)) << id;
  for (const std::string& id : catalog.ids(Kind::nic)) EXPECT_TRUE(catalog.nic(id)) << id;
  for (const std::string& id : catalog.ids(Kind::network_switch)) EXPECT_TRUE(catalog.network_switch(id)) << id;
  for (const std::string& id : catalog.ids(Kind::server)) EXPECT_TRUE(catalog.server(id)) << id;
}

// Names that measured tables and users name servers by.
constexpr auto kServers = std::to_array<std::string_view>(
    {"dgx1-v100",       "dgx2-v100",       "hgx-a100-8",     "hgx-h100-8",   "hgx-h100-4",   "hgx-h200-8",
     "hgx-h800-8",      "hgx-h20-8",       "hgx-b200-8",     "hgx-b300-8",   "gb200-nvl72",  "gb300-nvl72",
     "gh200-quad",      "dgx-spark",       "mi250x-4",       "mi300x-8",     "mi325x-8",     "mi350x-8",
     "mi355x-8",        "metax-c500-8",    "pcie-v100",      "pcie-a100",    "pcie-h100",    "pcie-l4",
     "pcie-l40s",       "pcie-a6000",      "pcie-rtx2080ti", "pcie-rtx4090", "pcie-rtx5090", "pcie-rtx5880ada",
     "pcie-rtxpro5000", "pcie-rtxpro6000", "pcie-rx7900xtx", "pcie-gtx1080"});

TEST(Builtin, EveryServerInUseIsThere) {
  for (const std::string_view id : kServers) {
    const Result<ServerPart> server = builtin_catalog().server(id);
    ASSERT_TRUE(server) << id;
    EXPECT_EQ(server->parametric, id.starts_with("pcie-")) << id;
    if (server->parametric) {
      EXPECT_EQ(builtin_catalog().server(std::string(id) + ":3")->gpus, 3) << id;
    }
  }
}

TEST(Builtin, LinksAndAliasesThatOthersName) {
  const auto resolves_to = [](std::string_view name, std::string_view id) {
    const Result<LinkPart> link = builtin_catalog().link(name);
    ASSERT_TRUE(link) << name;
    EXPECT_EQ(link->id, id);
  };
  for (const std::string_view id :
       {"nvlink1",      "nvlink2",      "nvlink3",      "nvlink4",     "nvlink5",      "nvlink6",      "nvlink4-2hop",
        "pcie3-x16",    "pcie4-x8",     "pcie5-x4",     "pcie6-x16",   "ib-edr",       "ib-hdr100",    "ib-hdr",
        "ib-ndr200",    "ib-ndr",       "ib-xdr",       "roce-v2-25g", "roce-v2-50g",  "roce-v2-100g", "roce-v2-200g",
        "roce-v2-400g", "roce-v2-800g", "iwarp-10g",    "iwarp-25g",   "iwarp-100g",   "tcp-25g",      "tcp-200g",
        "efa-200g",     "efa-400g",     "slingshot-11", "ethernet-1g", "ethernet-10g", "ethernet-25g", "host-bounce"}) {
    resolves_to(id, id);
  }
  resolves_to("pcie5", "pcie5-x16");
  resolves_to("roce-200g", "roce-v2-200g");
  resolves_to("tcp", "tcp-100g");
  resolves_to("iwarp", "iwarp-100g");
  resolves_to("efa", "efa-400g");
}

TEST(Builtin, LinksThatBuyersWeighCanBeComparedInEveryRespect) {
  constexpr auto kWeighed = std::to_array<LinkClass>(
      {LinkClass::nvlink, LinkClass::xgmi, LinkClass::pcie, LinkClass::infiniband, LinkClass::roce, LinkClass::iwarp,
       LinkClass::tcp, LinkClass::efa, LinkClass::slingshot, LinkClass::ethernet});
  constexpr auto kRespects =
      std::to_array<std::string_view>({"end_to_end", "suits", "topology", "coherence", "transport", "hardware",
                                       "congestion_control", "zero_copy", "kernel_bypass", "relative_cost", "effort"});
  for (const Part* link : builtin_catalog().parts(Kind::link)) {
    const LinkClass link_class = builtin_catalog().link(link->id)->link_class;
    if (std::ranges::find(kWeighed, link_class) == kWeighed.end()) {
      continue;
    }
    for (const std::string_view respect : kRespects)
      EXPECT_NE(link->find(respect), nullptr) << link->id << '.' << respect;
  }
}

TEST(Builtin, ThePlannersQuotedLatenciesAreThere) {
  const auto quoted = [](std::string_view id) {
    return std::get<Duration>(builtin_catalog().find(id)->find("quoted_latency")->value).us();
  };
  EXPECT_EQ(quoted("nvlink4"), 3);
  EXPECT_EQ(quoted("nvlink4-2hop"), 5);
  EXPECT_EQ(quoted("ib-ndr"), 15);
  EXPECT_EQ(quoted("roce-200g"), 30);
  EXPECT_EQ(quoted("tcp"), 100);
  EXPECT_EQ(quoted("pcie5"), 5);
  EXPECT_EQ(std::get<Duration>(builtin_catalog().find("pcie5")->find("quoted_latency_high")->value).us(), 10);
}

TEST(Builtin, WhereThePopularFigureMisleadsACaveatSaysSo) {
  const auto caveats = [](std::string_view id) {
    std::string all;
    for (const std::string& caveat : builtin_catalog().find(id)->caveats) all += caveat + "\n";
    return all;
  };
  EXPECT_NE(caveats("pcie6-x16").find("128 GB/s is the raw"), std::string::npos);
  EXPECT_NE(caveats("pcie4-x16").find("64 GB/s"), std::string::npos);
  EXPECT_NE(caveats("nvlink4").find("900 GB/s"), std::string::npos);
  EXPECT_NE(caveats("nvlink4").find("NCCL takes 15-25 us"), std::string::npos);
  EXPECT_NE(caveats("ib-ndr").find("15 us"), std::string::npos);
  EXPECT_NE(caveats("roce-v2-400g").find("30 us"), std::string::npos);
  EXPECT_NE(caveats("tcp").find("100 us"), std::string::npos);
  EXPECT_NE(caveats("h100-sxm5").find("1979"), std::string::npos);
}

TEST(Builtin, DeviceIdsNameOneGpu) {
  std::set<std::string> seen;
  for (const std::string& id : builtin_catalog().ids(Kind::gpu)) {
    const GpuPart gpu = builtin_catalog().gpu(id).value();
    for (const std::string& device : gpu.pci_ids) {
      EXPECT_EQ(device.size(), 9U) << device;
      EXPECT_EQ(device[4], ':') << device;
      EXPECT_TRUE(seen.insert(device).second) << device;
    }
  }
  EXPECT_EQ(builtin_catalog().gpu("h100-sxm5")->pci_ids, std::vector<std::string>{"10de:2330"});
}

TEST(Builtin, UnknownNamesComeWithASuggestion) {
  EXPECT_EQ(builtin_catalog().server("hgx-h100-9").error().to_string(),
            "error WEFT-CAT-0020: no server \"hgx-h100-9\" in the catalog\n  hint: did you mean hgx-h100-8?\n");
  EXPECT_EQ(builtin_catalog().gpu("nvlink4").error().hint, "nvlink4 is a link");
  EXPECT_EQ(builtin_catalog().part("nvlnk4").error().hint, "did you mean nvlink4?");
  EXPECT_FALSE(builtin_catalog().part("nvlink4:2"));
  EXPECT_EQ(builtin_catalog().find(""), nullptr);
}

TEST(Builtin, ModelsAreFoundByAlias) {
  const Result<ModelShape> model = builtin_catalog().model("meta-llama/Llama-3.1-70B");
  ASSERT_TRUE(model);
  EXPECT_EQ(model->id, "llama-3.1-70b");
}

}  // namespace
}  // namespace weft::catalog
