#include "weft/report/topology_svg.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <pugixml.hpp>

#include "weft/report/sample_fabrics.test.h"
#include "weft/report/svg.h"

namespace weft::report {
namespace {

struct Area {
  double x, y, w, h;
  std::string what;
};

bool overlap(const Area& a, const Area& b) {
  constexpr double kTouch = 0.5;
  return a.x + kTouch < b.x + b.w && b.x + kTouch < a.x + a.w && a.y + kTouch < b.y + b.h && b.y + kTouch < a.y + a.h;
}

bool inside(const Area& a, const Area& b) {
  return a.x >= b.x - 0.01 && a.y >= b.y - 0.01 && a.x + a.w <= b.x + b.w + 0.01 && a.y + a.h <= b.y + b.h + 0.01;
}

class Parsed {
 public:
  explicit Parsed(const std::string& svg) {
    EXPECT_TRUE(document_.load_string(svg.c_str()));
    root_ = document_.child("svg");
  }
  [[nodiscard]] double width() const { return root_.attribute("width").as_double(); }
  [[nodiscard]] double height() const { return root_.attribute("height").as_double(); }

  [[nodiscard]] std::vector<Area> rects() const {
    std::vector<Area> areas;
    for (const auto& node : root_.select_nodes(".//rect[@x]")) {
      const pugi::xml_node r = node.node();
      areas.push_back({r.attribute("x").as_double(), r.attribute("y").as_double(), r.attribute("width").as_double(),
                       r.attribute("height").as_double(), r.child_value("title")});
    }
    return areas;
  }
  [[nodiscard]] std::vector<Area> texts() const {
    std::vector<Area> areas;
    for (const auto& node : root_.select_nodes(".//text")) {
      const pugi::xml_node t = node.node();
      const double size = t.attribute("font-size").as_double();
      const bool bold = std::string_view(t.attribute("font-weight").value()) == "bold";
      const double w = text_width(t.text().get(), size, bold);
      const bool middle = std::string_view(t.attribute("text-anchor").value()) == "middle";
      areas.push_back({t.attribute("x").as_double() - (middle ? w / 2 : 0), t.attribute("y").as_double() - 0.75 * size,
                       w, 0.95 * size, t.text().get()});
    }
    return areas;
  }
  [[nodiscard]] bool has_text(std::string_view part) const {
    const auto all = texts();
    return std::any_of(all.begin(), all.end(), [&](const Area& t) { return t.what.find(part) != std::string::npos; });
  }
  [[nodiscard]] std::size_t lines_to(std::string_view name) const {
    std::size_t n = 0;
    for (const auto& node : root_.select_nodes(".//line/title|.//path/title")) {
      if (std::string_view(node.node().text().get()).find(name) != std::string_view::npos) ++n;
    }
    return n;
  }

 private:
  pugi::xml_document document_;
  pugi::xml_node root_;
};

TEST(TopologySvg, NothingOverlapsNothingLeavesTheCanvasForAnyShape) {
  for (const fabric::Fabric& fabric : all_shapes()) {
    const Parsed picture(topology_svg(fabric, "any"));
    const Area canvas{0, 0, picture.width(), picture.height(), "canvas"};
    const std::string which = fabric.servers().front().part + ": " + fabric_summary(fabric);
    const std::vector<Area> rects = picture.rects();
    ASSERT_GT(rects.size(), 1U) << which;
    for (std::size_t i = 0; i < rects.size(); ++i) {
      EXPECT_TRUE(inside(rects[i], canvas)) << which << ": " << rects[i].what;
      for (std::size_t j = i + 1; j < rects.size(); ++j) {
        // NICs straddle the edge of their server, whose frame has no name.
        const bool nic =
            rects[i].what.find(".nic") != std::string::npos || rects[j].what.find(".nic") != std::string::npos;
        const bool frame = rects[i].what.empty() || rects[j].what.empty();
        const bool fine =
            !overlap(rects[i], rects[j]) || inside(rects[i], rects[j]) || inside(rects[j], rects[i]) || (nic && frame);
        EXPECT_TRUE(fine) << which << ": " << rects[i].what << " / " << rects[j].what;
      }
    }
    const std::vector<Area> texts = picture.texts();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      EXPECT_TRUE(inside(texts[i], canvas)) << which << ": " << texts[i].what;
      for (std::size_t j = i + 1; j < texts.size(); ++j) {
        EXPECT_FALSE(overlap(texts[i], texts[j])) << which << ": " << texts[i].what << " / " << texts[j].what;
      }
    }
  }
}

TEST(TopologySvg, DrawsEveryDeviceAndCableOfASmallFabric) {
  const fabric::Fabric fabric = dual_homed();
  const Parsed picture(topology_svg(fabric, "three"));
  const auto rects = picture.rects();
  for (std::size_t i = 0; i < fabric.device_count(); ++i) {
    const fabric::DeviceId id(i);
    if (fabric.device(id).kind == fabric::DeviceKind::root_complex) continue;  // one switch each: left out
    const std::string name = fabric.name(id);
    EXPECT_TRUE(std::any_of(rects.begin(), rects.end(), [&](const Area& r) { return r.what.starts_with(name); }))
        << name;
  }
  // Each server: a cable to two of the switches, one to the management switch. Each switch joined to the two others.
  for (const char* nic : {"server0.nic0", "server0.nic1", "server1.nic0", "server2.nic1"}) {
    EXPECT_EQ(picture.lines_to(std::string(nic) + " \xe2\x80\x93 ib"), 1U) << nic;
  }
  EXPECT_EQ(picture.lines_to(" \xe2\x80\x93 mgmt0"), 3U);
  EXPECT_EQ(picture.lines_to("ib0 \xe2\x80\x93 ib"), 2U);
  EXPECT_EQ(picture.lines_to("server1.gpu3"), 5U);  // four NVSwitches, one PCIe switch
  EXPECT_TRUE(picture.has_text("ib-ndr: 400 Gb/s per direction"));
  EXPECT_TRUE(picture.has_text("18 \xc3\x97 nvlink4 each: 450 GB/s per direction"));
  EXPECT_TRUE(picture.has_text("(management)"));
}

TEST(TopologySvg, LargeFabricsAreSummarised) {
  const fabric::Fabric few = servers("hgx-h100-8", 16);
  const fabric::Fabric many = servers("hgx-h100-8", 500);
  const std::string picture = topology_svg(many, "many");
  EXPECT_LT(picture.size(), 3 * topology_svg(few, "few").size());
  EXPECT_TRUE(Parsed(picture).has_text("498 more \xc3\x97 hgx-h100-8"));
  EXPECT_TRUE(Parsed(picture).has_text("120 more"));
  EXPECT_TRUE(Parsed(topology_svg(servers("gb200-nvl72"), "rack")).has_text("15 more alike"));
}

TEST(TopologySvg, TheSameFabricGivesTheSameBytes) {
  EXPECT_EQ(topology_svg(dual_homed(), "t"), topology_svg(dual_homed(), "t"));
}

TEST(TopologySvg, HostileNamesStayText) {
  const std::string svg = topology_svg(dual_homed("</text><script>x</script>\x1b[2J&"), "<b>\x1b title</b>");
  EXPECT_EQ(svg.find('\x1b'), std::string::npos);
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(svg.c_str()));
  EXPECT_TRUE(document.select_nodes("//script|//b").empty());
}

TEST(FabricSummary, CountsWhatThereIs) {
  EXPECT_EQ(fabric_summary(servers("hgx-h100-8")), "1 server, 8 GPUs, 8 NICs");
  EXPECT_EQ(fabric_summary(dual_homed()), "3 servers, 24 GPUs, 6 NICs, 3 leaf switches, 1 management switch");
}

}  // namespace
}  // namespace weft::report
