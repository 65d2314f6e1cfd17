#include "weft/report/topology_svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "weft/report/legend.h"
#include "weft/report/link_look.h"
#include "weft/report/network_drawing.h"
#include "weft/report/server_drawing.h"
#include "weft/report/svg.h"
#include "weft/report/text.h"

namespace weft::report {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::LinkClass;

constexpr double kMargin = 24;
constexpr double kHeading = 64;
constexpr double kServerGap = 28;
constexpr double kMostWidth = 1560;  // servers are left out rather than the picture made wider
constexpr double kSwitchHeight = 36;
constexpr double kRestWidth = 170;
constexpr double kRestLift = 20;  // cables to the rest pass above the NICs of its neighbours
constexpr double kSwitchWidth = 92;
constexpr double kWidestSpread = 420;  // between the middles of two switches

struct Placed {
  double x = 0;  // upper left corner
  double y = 0;
  double w = 0;
  double h = 0;
  [[nodiscard]] double middle() const { return x + w / 2; }
};

class Drawing {
 public:
  Drawing(const Fabric& fabric, std::string_view title) : fabric_(fabric), title_(title), legend_(fabric) {}

  std::string run() {
    choose();
    place_rows();
    attach();
    Svg svg(width_, height_, title_, fabric_summary(fabric_));
    svg.text({kMargin, 30}, fitted(title_, width_ - 2 * kMargin, 16, true),
             {.size = 16, .anchor = Anchor::start, .bold = true});
    svg.text({kMargin, 49}, fabric_summary(fabric_), {.size = 11, .anchor = Anchor::start, .fill = "#57606a"});
    for (std::size_t e = 0; e < picture_.edges.size(); ++e) draw_edge(svg, e);
    for (std::size_t n = 0; n < picture_.nodes.size(); ++n) draw_node(svg, n);
    legend_.draw(svg, {kMargin, legend_y_}, width_ - 2 * kMargin);
    return std::move(svg).finish();
  }

 private:
  // As many servers of each kind as fit the width; two at least, one when it is as wide as a rack-scale system.
  void choose() {
    const auto kinds = server_kinds(fabric_);
    double widest = 1;
    for (const ServerKind& kind : kinds)
      widest = std::max(widest, ServerDrawing(fabric_, kind.servers.front()).width());
    const double room = kMostWidth / std::max<double>(1, static_cast<double>(kinds.size())) / (widest + kServerGap);
    picture_ =
        network_picture(fabric_, static_cast<std::size_t>(std::clamp(room, widest > kMostWidth / 2 ? 1.0 : 2.0, 8.0)));
    for (const NetworkNode& node : picture_.nodes) {
      if (node.row == Row::servers && !node.is_rest) servers_.emplace(node.server, ServerDrawing(fabric_, node.server));
    }
    merge_folded();
  }

  // Cables of NICs that are folded away inside a drawn server become one edge to each switch.
  void merge_folded() {
    std::vector<NetworkEdge> kept;
    std::map<std::tuple<std::size_t, std::size_t, std::uint16_t>, std::size_t> known;
    for (const NetworkEdge& edge : picture_.edges) {
      const bool nic = edge.port.valid() && fabric_.device(edge.port).kind == DeviceKind::nic;
      const bool folded = nic && !servers_.at(picture_.nodes[edge.lower].server).draws(edge.port);
      const auto key = std::make_tuple(edge.lower, edge.upper, fabric_.link(edge.link).technology);
      if (const auto found = folded ? known.find(key) : known.end(); found != known.end()) {
        kept[found->second].cables += edge.cables;
        kept[found->second].units += edge.units;
        continue;
      }
      if (folded) known.emplace(key, kept.size());
      kept.push_back(edge);
    }
    picture_.edges = std::move(kept);
  }

  [[nodiscard]] bool is_folded(const NetworkEdge& edge) const {
    return edge.port.valid() && edge.cables > 1 && !picture_.nodes[edge.lower].is_rest;
  }

  [[nodiscard]] std::vector<std::size_t> row(Row which) const {
    std::vector<std::size_t> nodes;
    for (std::size_t n = 0; n < picture_.nodes.size(); ++n) {
      if (picture_.nodes[n].row == which) nodes.push_back(n);
    }
    return nodes;
  }

  [[nodiscard]] Placed size_of(const NetworkNode& node) const {
    if (node.row != Row::servers) {
      const double text = std::max(text_width(node.title, 11, true), text_width(node.detail, 9)) + 14;
      return {0, 0, std::clamp(text, kSwitchWidth, 2 * kSwitchWidth), kSwitchHeight};
    }
    if (node.is_rest) return {0, 0, kRestWidth, server_height() + kRestLift};
    const ServerDrawing& server = servers_.at(node.server);
    return {0, 0, server.width(), server.height()};
  }

  [[nodiscard]] double server_height() const {
    double height = 2 * kSwitchHeight + 24;
    for (const auto& [index, server] : servers_) height = std::max(height, server.height());
    return height;
  }

  [[nodiscard]] double row_width(const std::vector<std::size_t>& nodes) const {
    double width = 0;
    for (const std::size_t n : nodes) width += size_of(picture_.nodes[n]).w + kServerGap;
    return width - kServerGap;
  }

  // Room for the cables between a row and the next one above.
  [[nodiscard]] double channel(Row lower) const {
    double edges = 0;
    double arcs = 0;
    for (const NetworkEdge& edge : picture_.edges) {
      const Row a = picture_.nodes[edge.lower].row;
      const Row b = picture_.nodes[edge.upper].row;
      if (a == b && a == lower) {
        arcs = std::max(arcs, arc_height(edge));
      } else if (std::min(a, b) == lower || a == lower) {
        edges += b == Row::management ? 0 : 1;
      }
    }
    return 70 + std::min(110.0, 3.5 * edges) + arcs;
  }

  [[nodiscard]] double arc_height(const NetworkEdge& edge) const {
    return 10 + 5 * static_cast<double>(edge.upper - edge.lower);
  }

  void place_rows() {
    double widest = 420;
    for (int r = 0; r < kRows; ++r) widest = std::max(widest, row_width(row(static_cast<Row>(r))));
    width_ = std::max(widest, std::min(legend_.column_width(), kMostWidth)) + 2 * kMargin;
    placed_.resize(picture_.nodes.size());

    double y = kHeading;
    for (const Row which : {Row::cores, Row::spines, Row::leaves}) {
      const auto nodes = row(which);
      if (nodes.empty()) continue;
      y += arcs_of(which);
      place_switches(nodes, y);
      y += kSwitchHeight + channel(lower_of(which));
    }
    const auto servers = row(Row::servers);
    if (!servers.empty()) {
      place_servers(servers, y);
      y += server_height() + 12;
    }
    const auto management = row(Row::management);
    if (!management.empty()) {
      y += 44;
      place_switches(management, y);
      y += kSwitchHeight + 16 + arcs_of(Row::management);
    }
    legend_y_ = y + 20;
    height_ = legend_y_ + legend_.height(width_ - 2 * kMargin) + 12;
  }

  // The next row below that has something in it.
  [[nodiscard]] Row lower_of(Row which) const {
    for (int r = static_cast<int>(which) - 1; r > static_cast<int>(Row::servers); --r) {
      if (!row(static_cast<Row>(r)).empty()) return static_cast<Row>(r);
    }
    return Row::servers;
  }

  [[nodiscard]] double arcs_of(Row which) const {
    double most = 0;
    for (const NetworkEdge& edge : picture_.edges) {
      const bool inside = picture_.nodes[edge.lower].row == which && picture_.nodes[edge.upper].row == which;
      if (inside && edge.lower != edge.upper) most = std::max(most, arc_height(edge));
    }
    return most;
  }

  void place_switches(const std::vector<std::size_t>& nodes, double y) {
    double widest = 0;
    for (const std::size_t n : nodes) widest = std::max(widest, size_of(picture_.nodes[n]).w);
    const double room = (width_ - 2 * kMargin) / static_cast<double>(nodes.size());
    const double step = std::max(widest + 12, std::min(room, kWidestSpread));
    double middle = width_ / 2 - step * static_cast<double>(nodes.size() - 1) / 2;
    for (const std::size_t n : nodes) {
      placed_[n] = size_of(picture_.nodes[n]);
      placed_[n].x = middle - placed_[n].w / 2;
      placed_[n].y = y;
      middle += step;
    }
  }

  void place_servers(const std::vector<std::size_t>& nodes, double y) {
    double x = (width_ - row_width(nodes)) / 2;
    for (const std::size_t n : nodes) {
      placed_[n] = size_of(picture_.nodes[n]);
      placed_[n].x = x;
      placed_[n].y = y - (picture_.nodes[n].is_rest ? kRestLift : 0);
      x += placed_[n].w + kServerGap;
    }
  }

  [[nodiscard]] bool upward(const NetworkEdge& edge) const { return picture_.nodes[edge.upper].row != Row::management; }

  // Every end of an edge gets its own place on the box, in the order of the other ends, so that lines cross least.
  void attach() {
    ends_.resize(picture_.edges.size());
    std::map<std::pair<std::size_t, bool>, std::vector<std::pair<std::size_t, bool>>> sides;  // (node, upper side)
    for (std::size_t e = 0; e < picture_.edges.size(); ++e) {
      const NetworkEdge& edge = picture_.edges[e];
      if (edge.lower == edge.upper) continue;
      const bool up = upward(edge);
      const bool same_row = picture_.nodes[edge.lower].row == picture_.nodes[edge.upper].row;
      const bool at_nic = edge.port.valid() && fabric_.device(edge.port).kind == DeviceKind::nic;
      if (at_nic) {
        const Point top = servers_.at(picture_.nodes[edge.lower].server).nic_top(edge.port);
        ends_[e].first = {placed_[edge.lower].x + top.x, placed_[edge.lower].y + top.y};
      } else {
        sides[{edge.lower, up}].emplace_back(e, true);
      }
      sides[{edge.upper, same_row ? up : !up}].emplace_back(e, false);
    }
    for (auto& [side, list] : sides) {
      const Placed& box = placed_[side.first];
      const auto other = [&](const std::pair<std::size_t, bool>& end) {
        const NetworkEdge& edge = picture_.edges[end.first];
        if (end.second) return placed_[edge.upper].middle();
        return edge.port.valid() && ends_[end.first].first.x > 0 ? ends_[end.first].first.x
                                                                 : placed_[edge.lower].middle();
      };
      std::stable_sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return other(a) < other(b); });
      for (std::size_t i = 0; i < list.size(); ++i) {
        const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(list.size());
        const Point at{box.x + 6 + (box.w - 12) * share, side.second ? box.y : box.y + box.h};
        (list[i].second ? ends_[list[i].first].first : ends_[list[i].first].second) = at;
      }
    }
  }

  void draw_edge(Svg& svg, std::size_t e) const {
    const NetworkEdge& edge = picture_.edges[e];
    if (edge.lower == edge.upper) return;
    const NetworkNode& lower = picture_.nodes[edge.lower];
    const NetworkNode& upper = picture_.nodes[edge.upper];
    const fabric::Technology& technology = fabric_.technology(edge.link);
    const bool merged = lower.is_rest || upper.is_rest || is_folded(edge);
    Paint paint{.stroke = colour_of(technology.link_class)};
    paint.width = merged ? 3.5 : 1.3 + 0.5 * std::log2(static_cast<double>(std::max<std::int64_t>(1, edge.units)));
    paint.opacity = merged ? 0.35 : 1;
    if (upper.row == Row::management) paint.dash = "5 4";
    const std::string from = edge.port.valid() ? fabric_.name(edge.port) : lower.title;
    const std::string tip = from + " \xe2\x80\x93 " + upper.title + ": " + std::to_string(edge.units) + " \xc3\x97 " +
                            technology.id + ", " + rate_text(technology, technology.line) + " each way and cable";
    if (lower.row == upper.row) {
      const double lift = 2 * arc_height(edge) * (upward(edge) ? -1 : 1);
      const Point middle{(ends_[e].first.x + ends_[e].second.x) / 2, ends_[e].first.y + lift};
      svg.curve(ends_[e].first, middle, ends_[e].second, paint, tip);
    } else {
      svg.line(ends_[e].first, ends_[e].second, paint, tip);
    }
  }

  [[nodiscard]] LinkClass class_of_switch(DeviceId id) const {
    const auto links = fabric_.links_from(id);
    return links.empty() ? LinkClass::ethernet : fabric_.technology(links.front()).link_class;
  }

  void draw_node(Svg& svg, std::size_t n) const {
    const NetworkNode& node = picture_.nodes[n];
    const Placed& at = placed_[n];
    if (node.row == Row::servers && !node.is_rest) {
      servers_.at(node.server).draw(svg, {at.x, at.y});
      return;
    }
    const double middle = at.y + at.h / 2;
    if (node.is_rest) {
      svg.rect({at.x, at.y}, at.w, at.h, 6, {.stroke = "#8c959f", .fill = "#ffffff", .dash = "5 4"});
    } else {
      svg.rect({at.x, at.y}, at.w, at.h, 6,
               {.stroke = colour_of(class_of_switch(node.device)), .width = 1.6, .fill = "#ffffff"},
               full_name(fabric_, node.device));
    }
    const bool two = !node.detail.empty();
    svg.text({at.middle(), middle + (two ? -2 : 4)}, fitted(node.title, at.w - 8, 11, true),
             {.size = 11, .bold = true});
    if (two) svg.text({at.middle(), middle + 11}, fitted(node.detail, at.w - 8, 9), {.size = 9, .fill = "#57606a"});
  }

  const Fabric& fabric_;
  std::string title_;
  Legend legend_;
  NetworkPicture picture_;
  std::map<std::uint32_t, ServerDrawing> servers_;
  std::vector<Placed> placed_;
  std::vector<std::pair<Point, Point>> ends_;  // lower, upper
  double width_ = 0;
  double height_ = 0;
  double legend_y_ = 0;
};

}  // namespace

std::string fabric_summary(const Fabric& fabric) {
  std::array<std::size_t, 16> counts{};
  for (std::size_t i = 0; i < fabric.device_count(); ++i) {
    ++counts[static_cast<std::size_t>(fabric.device(DeviceId(i)).kind)];
  }
  std::string text = counted(fabric.servers().size(), "server");
  const auto add = [&](DeviceKind kind, std::string_view one, std::string_view many) {
    const std::size_t n = counts[static_cast<std::size_t>(kind)];
    if (n > 0) text += ", " + std::to_string(n) + ' ' + std::string(n == 1 ? one : many);
  };
  add(DeviceKind::gpu, "GPU", "GPUs");
  add(DeviceKind::nic, "NIC", "NICs");
  add(DeviceKind::leaf, "leaf switch", "leaf switches");
  add(DeviceKind::spine, "spine switch", "spine switches");
  add(DeviceKind::core, "core switch", "core switches");
  add(DeviceKind::management, "management switch", "management switches");
  if (fabric.rack_count() > 1) text += ", " + counted(fabric.rack_count(), "rack");
  return text;
}

std::string topology_svg(const Fabric& fabric, std::string_view title) { return Drawing(fabric, title).run(); }

}  // namespace weft::report
