#include "weft/catalog/schema.h"

#include <gtest/gtest.h>

#include <set>

namespace weft::catalog {
namespace {

TEST(Schema, KeysAreUniqueWithinAKindAndEveryKindHasSome) {
  for (int i = 0; i < kKinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    std::set<std::string_view> seen;
    for (const SchemaKey& key : schema(kind)) {
      EXPECT_EQ(key.kind, kind);
      EXPECT_TRUE(seen.insert(key.key).second) << name_of(kind) << '.' << key.key;
      EXPECT_FALSE(key.meaning.empty()) << key.key;
    }
    EXPECT_GT(seen.size(), 3U) << name_of(kind);
  }
}

TEST(Schema, OnlyTextsReferAndJudge) {
  for (const SchemaKey& key : schema()) {
    if (key.refers || key.judgement) {
      EXPECT_EQ(key.type, ValueType::text) << key.key;
    }
  }
}

TEST(Schema, NamesReadBack) {
  for (int i = 0; i < kKinds; ++i) EXPECT_EQ(kind_from(name_of(static_cast<Kind>(i))), static_cast<Kind>(i));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(basis_from(name_of(static_cast<Basis>(i))), static_cast<Basis>(i));
  for (int i = 0; i <= static_cast<int>(LinkClass::proprietary); ++i) {
    const auto link_class = static_cast<LinkClass>(i);
    EXPECT_EQ(link_class_from(name_of(link_class)), link_class);
  }
  EXPECT_FALSE(kind_from("chair"));
  EXPECT_FALSE(basis_from(""));
  EXPECT_FALSE(link_class_from("nv-link"));
}

TEST(Schema, ClassesOfLinksAreToldApart) {
  EXPECT_TRUE(is_network(LinkClass::infiniband));
  EXPECT_TRUE(is_network(LinkClass::tcp));
  EXPECT_FALSE(is_network(LinkClass::nvlink));
  EXPECT_FALSE(is_network(LinkClass::host_memory));
  EXPECT_TRUE(is_gpu_fabric(LinkClass::xgmi));
  EXPECT_FALSE(is_gpu_fabric(LinkClass::pcie));
}

std::string text_of(Kind kind, std::string_view key, const Value& value) {
  return to_text(*find_key(kind, key), value);
}

TEST(Schema, ValuesPrintWithTheirUnits) {
  EXPECT_EQ(text_of(Kind::link, "line", Rate::gbyte_per_s(25)), "25 GB/s");
  EXPECT_EQ(text_of(Kind::cable, "line", Rate::gbit_per_s(400)), "400 Gb/s");
  EXPECT_EQ(text_of(Kind::link, "latency", Duration::nanoseconds(130)), "130 ns");
  EXPECT_EQ(text_of(Kind::gpu, "memory", Bytes(80LL << 30)), "80 GiB");
  EXPECT_EQ(text_of(Kind::gpu, "fp16_tflops", 989.0), "989 TFLOP/s");
  EXPECT_EQ(text_of(Kind::rack, "height", std::int64_t{42}), "42 U");
  EXPECT_EQ(text_of(Kind::nic, "gpudirect_rdma", true), "yes");
  EXPECT_EQ(text_of(Kind::gpu, "pci_ids", std::vector<std::string>{"10de:2330", "10de:2331"}), "10de:2330, 10de:2331");
  EXPECT_EQ(text_of(Kind::server, "switch_links", std::vector<std::int64_t>{5, 4, 4, 5}), "5 + 4 + 4 + 5");
  EXPECT_EQ(text_of(Kind::server, "mesh", std::vector<MeshEdge>{{0, 1, 2}, {0, 3, 1}}), "0-1 x2, 0-3 x1");
  PcieGroup group;
  group.switch_part = "pex89144";
  group.uplink = "pcie5-x16";
  group.gpus = {0, 1};
  group.nics = {0, 2};
  EXPECT_EQ(text_of(Kind::server, "pcie", std::vector<PcieGroup>{group}),
            "socket 0 pex89144 (pcie5-x16): gpu0-gpu1 nic0,nic2");
}

}  // namespace
}  // namespace weft::catalog
