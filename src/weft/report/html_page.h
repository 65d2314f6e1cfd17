// One self-contained HTML file: no scripts, no outside references, readable on a phone and on a desktop.
//
// Text is escaped here; pieces that are HTML already (tables, SVG of svg.h) are put in as they are. Tables come from
// table.h. Same calls, same bytes.
#pragma once

#include <string>
#include <string_view>

#include "weft/report/table.h"

namespace weft::report {

class HtmlPage {
 public:
  explicit HtmlPage(std::string_view title);
  void heading(std::string_view text, std::string_view anchor = {});
  void paragraph(std::string_view text);
  void table(const Table& table);
  void begin_grid();  // figures side by side, as many as fit
  void figure(std::string_view svg, std::string_view caption);
  void end_grid();
  [[nodiscard]] std::string finish() &&;

 private:
  std::string out_;
};

[[nodiscard]] std::string html_escaped(std::string_view text);

}  // namespace weft::report
