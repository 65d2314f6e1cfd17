#include "weft/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "weft/report/text.h"

namespace weft::report {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

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

// Advance widths of DejaVu Sans in units of the size, for the ASCII characters; wide ones count 1.
double advance(char32_t c) {
  if (c >= 0x300) return c >= 0x1100 ? 1.0 : 0.65;
  constexpr std::string_view kNarrow = "ijl.,:;|!'()[] Itfr/-";
  constexpr std::string_view kWide = "mwMW%@";
  if (c < 0x80 && kNarrow.find(static_cast<char>(c)) != std::string_view::npos) return 0.38;
  if (c < 0x80 && kWide.find(static_cast<char>(c)) != std::string_view::npos) return 0.95;
  if (c >= 'A' && c <= 'Z') return 0.71;
  return 0.635;
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    // XML 1.0 section 2.2: below U+0020 only tab, newline and return are characters; U+FFFE and U+FFFF are none.
    const bool forbidden = !c.valid || c.value < 0x20 || (c.value & 0xfffeU) == 0xfffeU;
    if (forbidden) {
      out += kReplacement;
    } else if (c.value == '&') {
      out += "&amp;";
    } else if (c.value == '<') {
      out += "&lt;";
    } else if (c.value == '>') {
      out += "&gt;";
    } else if (c.value == '"') {
      out += "&quot;";
    } else {
      out += text.substr(0, c.bytes);
    }
    text.remove_prefix(c.bytes);
  }
  return out;
}

double text_width(std::string_view text, double size, bool bold) {
  double width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    width += advance(c.value);
    text.remove_prefix(c.bytes);
  }
  return width * size * (bold ? 1.1 : 1);
}

std::string fitted(std::string_view text, double width, double size, bool bold) {
  if (text_width(text, size, bold) <= width) return std::string(text);
  std::string best = "\xe2\x80\xa6";
  for (std::size_t at = 0; at < text.size();) {
    at += first_code_point(text.substr(at)).bytes;
    const std::string candidate = std::string(text.substr(0, at)) + "\xe2\x80\xa6";
    if (text_width(candidate, size, bold) > width) break;
    best = candidate;
  }
  return best;
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
