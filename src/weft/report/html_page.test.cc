#include "weft/report/html_page.h"

#include <gtest/gtest.h>

namespace weft::report {
namespace {

TEST(HtmlPage, EscapesEverythingFromOutside) {
  const std::string hostile = "<script>alert('x')</script>\x1b[31m\"";
  HtmlPage page(hostile);
  page.heading(hostile, "a\"b");
  page.paragraph(hostile);
  Table table;
  table.columns = {{hostile, Align::left}};
  table.rows = {{Cell(hostile)}};
  table.notes = {hostile};
  page.table(table);
  page.begin_grid();
  page.figure("<svg></svg>", hostile);
  page.end_grid();
  const std::string html = std::move(page).finish();
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find('\x1b'), std::string::npos);
  EXPECT_NE(html.find("<svg></svg>"), std::string::npos);
  EXPECT_EQ(html.find("id=\"a\"b\""), std::string::npos);
}

TEST(HtmlPage, TablesKeepAlignmentAndTone) {
  Table table;
  table.columns = {{"file", Align::left}, {"error", Align::right}};
  table.rows = {{Cell("a.tsv"), Cell("12 %", Tone::bad)}};
  HtmlPage page("t");
  page.table(table);
  EXPECT_NE(std::move(page).finish().find("<td class=\"right bad\">12 %</td>"), std::string::npos);
}

}  // namespace
}  // namespace weft::report
