#include "weft/report/curve_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "weft/base/printable.h"
#include "weft/report/svg.h"

namespace weft::report {
namespace {

constexpr std::array<std::string_view, 8> kPalette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                      "#56b4e9", "#b8860b", "#6a3d9a", "#444444"};
constexpr double kLeft = 62;
constexpr double kBottom = 46;
constexpr double kTop = 68;
constexpr double kRight = 26;
constexpr double kLegendRow = 20;
constexpr double kMostLegend = 300;
constexpr std::string_view kGrid = "#e4e7eb";
constexpr std::string_view kFrame = "#8b949e";
constexpr std::string_view kFaint = "#57606a";

bool drawable(const CurvePoint& point) {
  return point.bytes > 0 && point.gbyte_per_s > 0 && std::isfinite(point.bytes + point.gbyte_per_s);
}

struct Range {
  double least = HUGE_VAL;
  double most = -HUGE_VAL;
  void take(double value) {
    least = std::min(least, value);
    most = std::max(most, value);
  }
  [[nodiscard]] bool empty() const { return least > most; }
  [[nodiscard]] double place(double value) const { return (value - least) / std::max(1e-9, most - least); }
};

std::string rate_label(double value) {
  if (value >= 1) return std::to_string(static_cast<std::int64_t>(std::llround(value)));
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

class Drawing {
 public:
  explicit Drawing(const CurvePlot& plot)
      : plot_(plot), legend_width_(legend_width(plot)), svg_(plot.width, plot.height, plot.title, plot.subtitle) {
    for (const CurveSeries& series : plot.series) {
      for (const CurvePoint& point : series.points) {
        if (!drawable(point)) continue;
        sizes_.take(std::log2(point.bytes));
        rates_.take(std::log10(point.gbyte_per_s));
      }
    }
  }

  std::string draw() && {
    svg_.rect({0, 0}, plot_.width, plot_.height, 0, {.fill = "#ffffff"});
    svg_.text({kLeft, 24}, fitted(plot_.title, plot_.width - kLeft - 8, 15, true),
              {.size = 15, .anchor = Anchor::start, .bold = true});
    svg_.text({kLeft, 42}, printable(plot_.subtitle), {.size = 11, .anchor = Anchor::start, .fill = kFaint});
    if (sizes_.empty()) {
      svg_.text({plot_.width / 2, plot_.height / 2}, "no point to draw", {.size = 13, .fill = kFaint});
      return std::move(svg_).finish();
    }
    widen();
    size_axis();
    rate_axis();
    svg_.rect({kLeft, kTop}, right() - kLeft, bottom() - kTop, 0, {.stroke = kFrame, .width = 1, .fill = "none"});
    for (std::size_t i = 0; i < plot_.series.size(); ++i) draw_series(i);
    if (plot_.legend) draw_legend();
    return std::move(svg_).finish();
  }

 private:
  static double legend_width(const CurvePlot& plot) {
    if (!plot.legend) return 0;
    double widest = 0;
    for (const CurveSeries& series : plot.series) widest = std::max(widest, text_width(printable(series.name), 11));
    return std::min(kMostLegend, widest + 44);
  }

  [[nodiscard]] double right() const { return plot_.width - kRight - legend_width_; }
  [[nodiscard]] double bottom() const { return plot_.height - kBottom; }
  [[nodiscard]] double x(double log_size) const { return kLeft + sizes_.place(log_size) * (right() - kLeft); }
  [[nodiscard]] double y(double log_rate) const { return bottom() - rates_.place(log_rate) * (bottom() - kTop); }

  // To whole powers of two, and a little air above the fastest point.
  void widen() {
    sizes_.least = std::floor(sizes_.least);
    sizes_.most = std::max(sizes_.least + 1, std::ceil(sizes_.most));
    rates_.least = std::max(std::floor(rates_.least), std::floor(rates_.most) - 6);
    rates_.most = std::max(rates_.least + 0.5, rates_.most + 0.12);
  }

  void size_axis() {
    const double span = sizes_.most - sizes_.least;
    const int step = span > 24 ? 4 : span > 12 ? 3 : span > 6 ? 2 : 1;
    for (int k = static_cast<int>(sizes_.least); k <= static_cast<int>(sizes_.most); k += step) {
      svg_.line({x(k), kTop}, {x(k), bottom()}, {.stroke = kGrid});
      svg_.text({x(k), bottom() + 16}, size_label(std::exp2(k)), {.size = 10, .fill = kFaint});
    }
    svg_.text({(kLeft + right()) / 2, plot_.height - 10}, "message size", {.size = 11});
  }

  void rate_axis() {
    for (int decade = static_cast<int>(std::floor(rates_.least)); decade <= static_cast<int>(std::ceil(rates_.most));
         ++decade) {
      for (const double within : {1.0, 2.0, 5.0}) {
        const double at = decade + std::log10(within);
        if (at < rates_.least || at > rates_.most) continue;
        svg_.line({kLeft, y(at)}, {right(), y(at)}, {.stroke = kGrid, .width = within == 1.0 ? 1.2 : 0.6});
        if (within == 1.0 || rates_.most - rates_.least < 2.5)
          svg_.text({kLeft - 6, y(at) + 4}, rate_label(std::pow(10, at)),
                    {.size = 10, .anchor = Anchor::end, .fill = kFaint});
      }
    }
    svg_.text({kLeft, kTop - 6}, plot_.y_label, {.size = 10, .anchor = Anchor::start, .fill = kFaint});
  }

  [[nodiscard]] std::size_t colour_of(std::size_t index) const {
    const int own = plot_.series[index].colour;
    return own >= 0 ? static_cast<std::size_t>(own) : index;
  }

  void draw_series(std::size_t index) {
    const CurveSeries& series = plot_.series[index];
    const std::size_t colour = colour_of(index);
    const std::string_view paint = kPalette[colour % kPalette.size()];
    std::vector<Point> points;
    for (const CurvePoint& point : series.points) {
      if (!drawable(point) || std::log10(point.gbyte_per_s) < rates_.least) continue;
      points.push_back({x(std::log2(point.bytes)), y(std::log10(point.gbyte_per_s))});
      if (!series.measured) continue;
      const std::string tip =
          printable(series.name) + ": " + size_label(point.bytes) + ", " + rate_label(point.gbyte_per_s) + " GB/s";
      svg_.rect({points.back().x - 2.6, points.back().y - 2.6}, 5.2, 5.2, 2.6,
                {.stroke = "#ffffff", .width = 0.6, .fill = paint}, tip);
    }
    if (!series.measured && !points.empty())
      svg_.polyline(points,
                    {.stroke = paint, .width = 2, .fill = "none", .dash = colour >= kPalette.size() ? "6 3" : ""},
                    printable(series.name));
  }

  void draw_legend() {
    const auto most = static_cast<std::size_t>((bottom() - kTop) / kLegendRow);
    const double left = right() + 14;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const double at = kTop + 8 + kLegendRow * static_cast<double>(i);
      if (i + 1 == most && plot_.series.size() > most) {
        svg_.text({left, at + 4}, "and " + std::to_string(plot_.series.size() - i) + " more",
                  {.size = 11, .anchor = Anchor::start, .fill = kFaint});
        return;
      }
      const std::size_t colour = colour_of(i);
      const std::string_view paint = kPalette[colour % kPalette.size()];
      if (plot_.series[i].measured) {
        svg_.rect({left + 6.4, at - 2.6}, 5.2, 5.2, 2.6, {.fill = paint});
      } else {
        svg_.line({left, at}, {left + 18, at},
                  {.stroke = paint, .width = 2, .dash = colour >= kPalette.size() ? "6 3" : ""});
      }
      svg_.text({left + 24, at + 4}, fitted(plot_.series[i].name, legend_width_ - 36, 11),
                {.size = 11, .anchor = Anchor::start});
    }
  }

  const CurvePlot& plot_;
  double legend_width_;
  Svg svg_;
  Range sizes_;
  Range rates_;
};

}  // namespace

std::string size_label(double bytes) {
  static constexpr std::array<std::string_view, 6> kUnits = {" B", " KiB", " MiB", " GiB", " TiB", " PiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  std::string number = bytes == std::floor(bytes) ? std::to_string(static_cast<std::int64_t>(bytes))
                                                  : std::to_string(bytes).substr(0, 4);
  if (number.ends_with('.')) number.pop_back();
  return number + std::string(kUnits[unit]);
}

std::string to_svg(const CurvePlot& plot) { return Drawing(plot).draw(); }

}  // namespace weft::report
