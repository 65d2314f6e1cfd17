#include "weft/report/curve_plot.h"

#include <gtest/gtest.h>

#include <pugixml.hpp>

namespace weft::report {
namespace {

CurvePlot two_series() {
  CurvePlot plot;
  plot.title = "all_reduce on hgx-h100-8";
  CurveSeries line{"predicted", {}, false, 0};
  CurveSeries dots{"measured <log> & \"quotes\"", {}, true, 0};
  for (double bytes = 8; bytes <= 8.0 * (1 << 30); bytes *= 2) {
    line.points.push_back({bytes, bytes / (15e3 + bytes / 400)});
    dots.points.push_back({bytes, bytes / (16e3 + bytes / 390)});
  }
  plot.series = {line, dots};
  return plot;
}

TEST(CurvePlot, IsWellFormedAndDrawsEveryPoint) {
  const CurvePlot plot = two_series();
  pugi::xml_document xml;
  ASSERT_TRUE(xml.load_string(to_svg(plot).c_str()));
  int dots = 0;
  for (const pugi::xpath_node& node : xml.select_nodes("//*[local-name()='rect'][@rx]")) {
    if (std::string(node.node().attribute("rx").value()) == "2.6") ++dots;
  }
  EXPECT_EQ(dots, static_cast<int>(plot.series[1].points.size()) + 1);  // and the legend's
  EXPECT_EQ(xml.select_nodes("//*[local-name()='polyline']").size(), 1U);
}

TEST(CurvePlot, LabelsSizesInBinaryUnits) {
  EXPECT_EQ(size_label(8), "8 B");
  EXPECT_EQ(size_label(1024), "1 KiB");
  EXPECT_EQ(size_label(16.0 * (1 << 20)), "16 MiB");
  EXPECT_EQ(size_label(1536), "1.50 KiB");
}

TEST(CurvePlot, SaysWhenThereIsNothingToDraw) {
  CurvePlot plot;
  plot.series = {{"empty", {{0, 1}, {8, 0}}, false, -1}};
  EXPECT_NE(to_svg(plot).find("no point to draw"), std::string::npos);
}

TEST(CurvePlot, ManySeriesAreCounted) {
  CurvePlot plot = two_series();
  for (int i = 0; i < 60; ++i) plot.series.push_back(plot.series.front());
  EXPECT_NE(to_svg(plot).find(" more<"), std::string::npos);
}

}  // namespace
}  // namespace weft::report
