// Bandwidth against message size as a picture: lines for what is predicted, dots for what was measured.
//
// Both axes are logarithmic: sizes in powers of two, GB/s in decades, so that eight bytes and eight gigabytes are read
// with the same care. Series keep the order given; colours are told apart by people with any colour vision (Okabe and
// Ito), and beyond eight they repeat with a dash. The legend stands beside the picture and names each series once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::report {

struct CurvePoint {
  double bytes = 0;
  double gbyte_per_s = 0;
};

struct CurveSeries {
  std::string name;
  std::vector<CurvePoint> points;  // by size
  bool measured = false;           // dots; otherwise a line
  int colour = -1;                 // of the palette; -1 = the next one
};

struct CurvePlot {
  std::string title;
  std::string subtitle;
  std::string y_label = "bus bandwidth, GB/s";
  std::vector<CurveSeries> series;
  double width = 860;
  double height = 480;
  bool legend = true;
};

// Points that are not above zero are left out; a plot without any point says so.
[[nodiscard]] std::string to_svg(const CurvePlot& plot);

// "64 KiB", "1 GiB": whole binary units, as the axis is labelled.
[[nodiscard]] std::string size_label(double bytes);

}  // namespace weft::report
