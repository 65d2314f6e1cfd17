#include "weft/report/html_page.h"

#include "weft/base/printable.h"
#include "weft/report/svg.h"

namespace weft::report {
namespace {

constexpr std::string_view kStyle = R"(
body{font:15px/1.5 system-ui,"Segoe UI",sans-serif;color:#1f2328;background:#fff;margin:0 auto;max-width:1280px;padding:16px}
h1{font-size:22px;margin:8px 0}h2{font-size:17px;margin:28px 0 8px}p{margin:6px 0;color:#57606a;max-width:75ch}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;margin:8px 0}
th,td{padding:3px 10px;text-align:left;border-bottom:1px solid #e4e7eb;vertical-align:top}th{background:#f6f8fa}
.right{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.good{color:#1a7f37}.warn{color:#9a6700}.bad{color:#cf222e}.faint{color:#57606a}
.grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:14px}
figure{margin:0;border:1px solid #e4e7eb;border-radius:6px;padding:6px}figure svg{width:100%;height:auto;display:block}
figcaption{font-size:12px;color:#57606a;padding:2px 4px;overflow-wrap:anywhere}
)";

std::string_view class_of(Tone tone) {
  switch (tone) {
    case Tone::good:
      return "good";
    case Tone::warn:
      return "warn";
    case Tone::bad:
      return "bad";
    case Tone::faint:
      return "faint";
    default:
      return "";
  }
}

std::string cell(std::string_view tag, std::string_view text, Align align, Tone tone) {
  std::string classes = align == Align::right ? "right" : "";
  if (const std::string_view toned = class_of(tone); !toned.empty())
    classes += (classes.empty() ? "" : " ") + std::string(toned);
  std::string out = "<" + std::string(tag);
  if (!classes.empty()) out += " class=\"" + classes + "\"";
  return out + ">" + html_escaped(text) + "</" + std::string(tag) + ">";
}

}  // namespace

std::string html_escaped(std::string_view text) { return xml_escaped(printable(text)); }

HtmlPage::HtmlPage(std::string_view title) {
  const std::string name = html_escaped(title);
  out_ =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<title>" +
      name + "</title>\n<style>" + std::string(kStyle) + "</style>\n</head>\n<body>\n<h1>" + name + "</h1>\n";
}

void HtmlPage::heading(std::string_view text, std::string_view anchor) {
  out_ += "<h2";
  if (!anchor.empty()) out_ += " id=\"" + html_escaped(anchor) + "\"";
  out_ += ">" + html_escaped(text) + "</h2>\n";
}

void HtmlPage::paragraph(std::string_view text) { out_ += "<p>" + html_escaped(text) + "</p>\n"; }

void HtmlPage::table(const Table& table) {
  if (!table.title.empty()) heading(table.title);
  out_ += "<div class=\"wide\"><table>\n<tr>";
  for (const Column& column : table.columns) out_ += cell("th", column.title, column.align, Tone::plain);
  out_ += "</tr>\n";
  for (const std::vector<Cell>& row : table.rows) {
    if (row.empty()) continue;
    out_ += "<tr>";
    for (std::size_t i = 0; i < row.size() && i < table.columns.size(); ++i)
      out_ += cell("td", row[i].text, table.columns[i].align, row[i].tone);
    out_ += "</tr>\n";
  }
  out_ += "</table></div>\n";
  for (const std::string& note : table.notes) paragraph(note);
}

void HtmlPage::begin_grid() { out_ += "<div class=\"grid\">\n"; }

void HtmlPage::figure(std::string_view svg, std::string_view caption) {
  out_ += "<figure>" + std::string(svg) + "<figcaption>" + html_escaped(caption) + "</figcaption></figure>\n";
}

void HtmlPage::end_grid() { out_ += "</div>\n"; }

std::string HtmlPage::finish() && {
  out_ += "</body>\n</html>\n";
  return std::move(out_);
}

}  // namespace weft::report
