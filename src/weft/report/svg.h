// A small SVG writer. What is drawn comes out in the order drawn, with the same bytes every time.
//
// Coordinates are pixels, printed with at most two decimals. Text and attributes are escaped for XML, and characters
// that XML forbids become U+FFFD, so that a hostile name can neither end a tag nor make the file unreadable. No
// scripts, no outside references: safe to show inline. Text width can only be estimated (text_width: DejaVu Sans, the
// widest of the usual sans-serif fonts); callers leave room accordingly.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::report {

struct Point {
  double x = 0;
  double y = 0;
};

// How a shape looks; empty fill = none.
struct Paint {
  std::string_view stroke = {};
  double width = 1;
  std::string_view fill = {};
  std::string_view dash = {};  // "4 3"
  double opacity = 1;
};

enum class Anchor { start, middle, end };

struct TextLook {
  double size = 11;
  Anchor anchor = Anchor::middle;
  bool bold = false;
  std::string_view fill = "#1f2328";
};

class Svg {
 public:
  Svg(double width, double height, std::string_view title, std::string_view description);

  void rect(Point corner, double width, double height, double radius, const Paint& paint,
            std::string_view tooltip = {});
  void line(Point from, Point to, const Paint& paint, std::string_view tooltip = {});
  // A quadratic curve between two points, bent towards `control`.
  void curve(Point from, Point control, Point to, const Paint& paint, std::string_view tooltip = {});
  void polyline(std::span<const Point> points, const Paint& paint, std::string_view tooltip = {});
  void text(Point at, std::string_view text, const TextLook& look);  // y is the baseline
  void begin_group(std::string_view id);
  void end_group();

  [[nodiscard]] std::string finish() &&;

 private:
  void close_shape(std::string_view name, std::string_view tooltip);
  void paint(const Paint& paint);
  std::string out_;
};

// The text, or as much of it as fits the width with an ellipsis.
[[nodiscard]] std::string fitted(std::string_view text, double width, double size, bool bold = false);
// A size at which the text fits, from `size` down to `least`.
[[nodiscard]] double fitting_size(std::string_view text, double width, double size, double least);
[[nodiscard]] double text_width(std::string_view text, double size, bool bold = false);
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace weft::report
