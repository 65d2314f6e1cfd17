#include "weft/report/svg.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>

namespace weft::report {
namespace {

TEST(XmlEscaped, CannotEndATagOrAnAttribute) {
  EXPECT_EQ(xml_escaped("</text><script>\"&"), "&lt;/text&gt;&lt;script&gt;&quot;&amp;");
  EXPECT_EQ(xml_escaped(std::string_view("a\0b\x1b", 4)), "a b ");
  EXPECT_EQ(xml_escaped("\xff"), "?");
  EXPECT_EQ(xml_escaped("\xef\xbf\xbe"), "?");  // U+FFFE
}

TEST(Svg, IsWellFormedWhateverTheNames) {
  const std::string hostile = "</svg><script>alert(1)</script>\x1b\"'&\xff]]>";
  Svg svg(200, 100, hostile, hostile);
  svg.begin_group(hostile);
  svg.rect({1, 2}, 30, 40, 3, {.stroke = "#000", .fill = "#fff"}, hostile);
  svg.line({0, 0}, {10, 10}, {.stroke = "#000", .dash = "4 3"}, hostile);
  svg.curve({0, 0}, {5, 9}, {10, 0}, {.stroke = "#000"});
  svg.text({5, 5}, hostile, {});
  svg.end_group();
  const std::string text = std::move(svg).finish();

  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(text.c_str()));
  EXPECT_EQ(std::string(document.child("svg").child("title").text().get()).find("</svg><script>alert(1)"), 0U);
  EXPECT_FALSE(
      document.find_node([](const pugi::xml_node& node) { return std::string_view(node.name()) == "script"; }));
}

TEST(Svg, SameCallsSameBytesAndShortNumbers) {
  const auto draw = [] {
    Svg svg(10, 10, "t", "d");
    svg.line({1.0 / 3, -0.001}, {2.5, 10}, {.stroke = "#123456"});
    return std::move(svg).finish();
  };
  EXPECT_EQ(draw(), draw());
  EXPECT_NE(draw().find("x1=\"0.33\" y1=\"0\" x2=\"2.5\" y2=\"10\""), std::string::npos) << draw();
}

TEST(Fitted, CutsWithAnEllipsis) {
  EXPECT_EQ(fitted("gpu0", 100, 10), "gpu0");
  const std::string cut = fitted("a-rather-long-host-name.example", 60, 10);
  EXPECT_TRUE(cut.ends_with("…"));
  EXPECT_LE(text_width(cut, 10), 60);
  EXPECT_GT(cut.size(), 5U);
}

}  // namespace
}  // namespace weft::report
