// The legend of a drawing: a sample of each kind of link that is drawn as a line, with its rate.
#pragma once

#include <string>
#include <vector>

#include "weft/fabric/graph.h"
#include "weft/report/svg.h"

namespace weft::report {

class Legend {
 public:
  explicit Legend(const fabric::Fabric& fabric);

  [[nodiscard]] double column_width() const { return column_width_; }
  // In as many columns as the width holds, four at most.
  [[nodiscard]] double height(double width) const;
  void draw(Svg& svg, Point corner, double width) const;

 private:
  struct Entry {
    std::string text;
    fabric::LinkClass link_class;
    bool management;
  };
  [[nodiscard]] std::size_t rows(double width) const;

  std::vector<Entry> entries_;  // from the fastest family down
  double column_width_ = 160;
};

}  // namespace weft::report
