#include "weft/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "weft/base/printable.h"
#include "weft/report/text.h"

namespace weft::report {
namespace {

std::string number(double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.2f", value);
  std::string text = buffer.data();
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string attribute(std::string_view name, std::string_view value) {
  return ' ' + std::string(name) + "=\"" + xml_escaped(value) + '"';
}
std::string attribute(std::string_view name, double value) { return attribute(name, number(value)); }

std::string_view name_of(Anchor anchor) {
  return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

std::string point_text(Point p) { return number(p.x) + ' ' + number(p.y); }

// Advance widths of DejaVu Sans in units of the size: its ASCII characters in three classes, beyond them by columns.
double advance(std::string_view character) {
  if (character.size() > 1) return display_width(character) > 1 ? 1.0 : 0.65;
  constexpr std::string_view kNarrow = "ijl.,:;|!'()[] Itfr/-";
  constexpr std::string_view kWide = "mwMW%@";
  const char c = character.front();
  if (kNarrow.find(c) != std::string_view::npos) return 0.38;
  if (kWide.find(c) != std::string_view::npos) return 0.95;
  return c >= 'A' && c <= 'Z' ? 0.71 : 0.635;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  const std::string safe = printable(text);
  for (std::string_view rest = safe; !rest.empty();) {
    const std::string_view character = rest.substr(0, first_character(rest));
    if (character == "&") {
      out += "&amp;";
    } else if (character == "<") {
      out += "&lt;";
    } else if (character == ">") {
      out += "&gt;";
    } else if (character == "\"") {
      out += "&quot;";
    } else if (character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf") {
      out += '?';  // U+FFFE and U+FFFF are no characters of XML 1.0 (section 2.2)
    } else {
      out += character;
    }
    rest.remove_prefix(character.size());
  }
  return out;
}

double text_width(std::string_view text, double size, bool bold) {
  double width = 0;
  const std::string safe = printable(text);
  for (std::string_view rest = safe; !rest.empty();) {
    const std::string_view character = rest.substr(0, first_character(rest));
    width += advance(character);
    rest.remove_prefix(character.size());
  }
  return width * size * (bold ? 1.1 : 1);
}

std::string fitted(std::string_view text, double width, double size, bool bold) {
  std::string safe = printable(text);
  if (text_width(safe, size, bold) <= width) return safe;
  double used = text_width("\xe2\x80\xa6", size, bold);
  std::size_t bytes = 0;
  while (bytes < safe.size()) {
    const std::string_view character =
        std::string_view(safe).substr(bytes, first_character(std::string_view(safe).substr(bytes)));
    used += text_width(character, size, bold);
    if (used > width) break;
    bytes += character.size();
  }
  return safe.substr(0, bytes) + "\xe2\x80\xa6";
}

double fitting_size(std::string_view text, double width, double size, double least) {
  return std::clamp(size * width / std::max(1.0, text_width(text, size)), least, size);
}

Svg::Svg(double width, double height, std::string_view title, std::string_view description) {
  out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) + attribute("height", height) +
         attribute("viewBox", "0 0 " + number(width) + ' ' + number(height)) +
         " font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\" role=\"img\">\n";
  out_ += "<title>" + xml_escaped(title) + "</title>\n<desc>" + xml_escaped(description) + "</desc>\n";
  out_ += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
}

void Svg::paint(const Paint& paint) {
  out_ += attribute("fill", paint.fill.empty() ? "none" : paint.fill);
  if (!paint.stroke.empty()) out_ += attribute("stroke", paint.stroke) + attribute("stroke-width", paint.width);
  if (!paint.dash.empty()) out_ += attribute("stroke-dasharray", paint.dash);
  if (paint.opacity < 1) out_ += attribute("opacity", paint.opacity);
}

void Svg::close_shape(std::string_view name, std::string_view tooltip) {
  if (tooltip.empty()) {
    out_ += "/>\n";
  } else {
    out_ += "><title>" + xml_escaped(tooltip) + "</title></" + std::string(name) + ">\n";
  }
}

void Svg::rect(Point corner, double width, double height, double radius, const Paint& look, std::string_view tooltip) {
  out_ += "<rect" + attribute("x", corner.x) + attribute("y", corner.y) + attribute("width", width) +
          attribute("height", height);
  if (radius > 0) out_ += attribute("rx", radius);
  paint(look);
  close_shape("rect", tooltip);
}

void Svg::line(Point from, Point to, const Paint& look, std::string_view tooltip) {
  out_ += "<line" + attribute("x1", from.x) + attribute("y1", from.y) + attribute("x2", to.x) + attribute("y2", to.y);
  paint(look);
  close_shape("line", tooltip);
}

void Svg::curve(Point from, Point control, Point to, const Paint& look, std::string_view tooltip) {
  out_ += "<path" + attribute("d", "M" + point_text(from) + " Q" + point_text(control) + ' ' + point_text(to));
  paint(look);
  close_shape("path", tooltip);
}

void Svg::polyline(std::span<const Point> points, const Paint& look, std::string_view tooltip) {
  std::string list;
  for (const Point& p : points) list += (list.empty() ? "" : " ") + number(p.x) + ',' + number(p.y);
  out_ += "<polyline" + attribute("points", list) + " stroke-linejoin=\"round\"";
  paint(look);
  close_shape("polyline", tooltip);
}

void Svg::text(Point at, std::string_view text, const TextLook& look) {
  out_ += "<text" + attribute("x", at.x) + attribute("y", at.y) + attribute("font-size", look.size);
  if (look.anchor != Anchor::start) out_ += attribute("text-anchor", name_of(look.anchor));
  if (look.bold) out_ += attribute("font-weight", "bold");
  out_ += attribute("fill", look.fill) + '>' + xml_escaped(text) + "</text>\n";
}

void Svg::begin_group(std::string_view id) { out_ += "<g" + attribute("id", id) + ">\n"; }
void Svg::end_group() { out_ += "</g>\n"; }

std::string Svg::finish() && {
  out_ += "</svg>\n";
  return std::move(out_);
}

}  // namespace weft::report
