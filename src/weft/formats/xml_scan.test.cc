#include "weft/formats/xml_scan.h"

#include <gtest/gtest.h>

#include "weft/formats/limits.h"

namespace weft::formats {
namespace {

Error refused(std::string text) {
  auto outline = scan_xml({"topo.xml", std::move(text)});
  EXPECT_FALSE(outline.has_value());
  return outline ? Error() : outline.error();
}

TEST(XmlScan, WellFormedXmlPasses) {
  auto outline = scan_xml(
      {"t", "\xef\xbb\xbf<?xml version='1.0'?><!-- <cpu> --><system a=\"1>2\"><cpu/><cpu x='\"'></cpu></system>\n"});
  ASSERT_TRUE(outline) << outline.error().to_string();
  EXPECT_EQ(outline->root, "system");
  EXPECT_EQ(outline->elements, 3U);
  EXPECT_EQ(outline->depth, 2);
}

TEST(XmlScan, DoctypeIsPassedOverAndEntitiesAreNeverExpanded) {
  auto outline = scan_xml({"t", "<!DOCTYPE x [<!ENTITY a \"]>&b;&b;\"> <!ENTITY b '&a;'>]><system>&a;</system>"});
  ASSERT_TRUE(outline) << outline.error().to_string();
  EXPECT_EQ(outline->elements, 1U);
}

TEST(XmlScan, EmptyFile) {
  EXPECT_EQ(refused("").to_string(),
            "error WEFT-FMT-0101: topo.xml:1:1: the file is empty\n"
            "  hint: write it again: a job that dies before NCCL has started leaves an empty file\n");
  EXPECT_EQ(refused(" \n\n").id, "WEFT-FMT-0101");
}

TEST(XmlScan, CutBetweenElementsSaysWhatIsOpen) {
  EXPECT_EQ(refused("<system version=\"1\">\n  <cpu numaid=\"0\">\n    <pci busid=\"1\"/>\n").to_string(),
            "error WEFT-FMT-0104: topo.xml:4:1: the file ends inside <system> <cpu>\n"
            "  expected: </cpu>\n"
            "  hint: the file seems cut: <cpu> opened at line 2 is not closed\n");
}

TEST(XmlScan, CutInsideATag) {
  EXPECT_EQ(refused("<system version=\"1\">\n  <cpu numaid=\"0\" affi").to_string(),
            "error WEFT-FMT-0104: topo.xml:2:23: the file ends inside the tag <cpu>, which begins at line 2\n"
            "  2 |   <cpu numaid=\"0\" affi\n"
            "    |                       ^\n"
            "  expected: > or />\n"
            "  hint: the file seems cut: <system> opened at line 1 is not closed\n");
  for (const char* text : {"<", "<s", "<s ", "<s a", "<s a=", "<s a=\"", "<s a=\"b", "<s a=\"b\"", "<s/", "<s></",
                           "<s></s", "<!-- x", "<?xml", "<!DOCTYPE [", "<s><![CDATA[x"}) {
    EXPECT_EQ(refused(text).id, "WEFT-FMT-0104") << text;
  }
}

TEST(XmlScan, WrongClosingTagPointsAtBothPlaces) {
  EXPECT_EQ(refused("<system>\n<cpu>\n</pci></cpu></system>").to_string(),
            "error WEFT-FMT-0106: topo.xml:3:1: </pci> where </cpu> is due\n"
            "  3 | </pci></cpu></system>\n"
            "    | ^\n"
            "  hint: <cpu> was opened at line 2\n");
}

TEST(XmlScan, BrokenAttributes) {
  EXPECT_EQ(refused("<system version=1/>").to_string(),
            "error WEFT-FMT-0107: topo.xml:1:17: the tag <system> is broken here\n"
            "  1 | <system version=1/>\n"
            "    |                 ^\n"
            "  expected: version=\"…\" with quotes\n");
  EXPECT_EQ(refused("<s a=\"b<c/>").id, "WEFT-FMT-0107");
  EXPECT_EQ(refused("<s ,/>").id, "WEFT-FMT-0107");
  EXPECT_EQ(refused("<s a/>").id, "WEFT-FMT-0107");
  EXPECT_EQ(refused("<s>< ></s>").id, "WEFT-FMT-0107");
}

TEST(XmlScan, WhatIsNotXml) {
  EXPECT_EQ(refused("hello").id, "WEFT-FMT-0109");
  EXPECT_EQ(refused("< 3").id, "WEFT-FMT-0109");
  EXPECT_EQ(refused("<!-- only a comment -->").id, "WEFT-FMT-0109");
  EXPECT_EQ(refused(std::string("\x7f"
                                "ELF\0\0",
                                6))
                .id,
            "WEFT-FMT-0103");
  EXPECT_EQ(refused("<s/>\nlog line").id, "WEFT-FMT-0105");
  EXPECT_EQ(refused("<s/><s/>").id, "WEFT-FMT-0105");
}

TEST(XmlScan, LimitsHoldBeforeAnythingIsBuilt) {
  std::string deep;
  for (int i = 0; i < 1'000'000; ++i) deep += "<pci>";
  EXPECT_EQ(refused(deep).to_string().substr(0, 70),
            "error WEFT-FMT-0108: topo.xml:1:321: elements nested more than 64 deep");
  std::string wide = "<system>";
  for (std::size_t i = 0; i < kMaxElements; ++i) wide += "<a/>";
  EXPECT_EQ(refused(wide).id, "WEFT-FMT-0108");
  std::string many = "<system";
  for (std::size_t i = 0; i <= kMaxAttributes; ++i) many += " a=\"\"";
  EXPECT_EQ(refused(many + "/>").id, "WEFT-FMT-0108");
  EXPECT_EQ(refused(std::string(kMaxFileBytes + 1, 'x')).id, "WEFT-FMT-0102");
}

TEST(XmlScan, MessagesStayShortWhateverTheNames) {
  const std::string name(100'000, 'n');
  EXPECT_LT(refused("<" + name + ">").to_string().size(), 1000U);
  EXPECT_LT(refused("<" + name + "></x>").to_string().size(), 1000U);
}

}  // namespace
}  // namespace weft::formats
