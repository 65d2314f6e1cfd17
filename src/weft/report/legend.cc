#include "weft/report/legend.h"

#include <algorithm>
#include <map>

#include "weft/report/link_look.h"
#include "weft/units/text.h"

namespace weft::report {
namespace {

using fabric::DeviceKind;
using fabric::Fabric;

constexpr double kLine = 18;
constexpr double kSample = 30;

// What the links of one technology have in common.
struct Use {
  std::uint16_t least = 0;  // links that one line stands for
  std::uint16_t most = 0;
  bool management = false;
};

// The die between a root complex and its socket is drawn by what surrounds what.
bool drawn_as_line(DeviceKind a, DeviceKind b) {
  const bool root = a == DeviceKind::root_complex || b == DeviceKind::root_complex;
  const bool cpu = a == DeviceKind::cpu || b == DeviceKind::cpu;
  return !(root && cpu);
}

std::map<std::uint16_t, Use> uses_of(const Fabric& fabric) {
  std::map<std::uint16_t, Use> uses;
  for (std::size_t i = 0; i < fabric.link_count(); i += 2) {
    const fabric::Link& link = fabric.link(fabric::LinkId(i));
    const DeviceKind from = fabric.device(link.from).kind;
    const DeviceKind to = fabric.device(link.to).kind;
    if (!drawn_as_line(from, to)) continue;
    Use& use = uses.emplace(link.technology, Use{link.count, link.count, false}).first->second;
    use.least = std::min(use.least, link.count);
    use.most = std::max(use.most, link.count);
    use.management = use.management || from == DeviceKind::management || to == DeviceKind::management;
  }
  return uses;
}

std::string text_of(const fabric::Technology& technology, const Use& use) {
  std::string text = technology.id + ": " + rate_text(technology, technology.line) + " per direction";
  if (use.most > 1) {
    text += " and link, " + std::to_string(use.least);
    if (use.most != use.least) text += "\xe2\x80\x93" + std::to_string(use.most);
    text += " links a line";
  }
  return text + (use.management ? " (management)" : "");
}

}  // namespace

Legend::Legend(const Fabric& fabric) {
  for (const auto& [technology, use] : uses_of(fabric)) {
    const fabric::Technology& entry = fabric.technologies()[technology];
    entries_.push_back({text_of(entry, use), entry.link_class, use.management});
    column_width_ = std::max(column_width_, text_width(entries_.back().text, 10) + 2 * kSample);
  }
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.link_class < b.link_class; });
}

std::size_t Legend::rows(double width) const {
  const auto columns = static_cast<std::size_t>(std::clamp(width / column_width_, 1.0, 4.0));
  return std::max<std::size_t>(1, (entries_.size() + columns - 1) / columns);
}

double Legend::height(double width) const { return kLine * static_cast<double>(rows(width)); }

void Legend::draw(Svg& svg, Point corner, double width) const {
  const std::size_t rows_each = rows(width);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const std::size_t column = i / rows_each;
    const double x = corner.x + column_width_ * static_cast<double>(column);
    const double y = corner.y + kLine * static_cast<double>(i % rows_each);
    Paint paint{.stroke = colour_of(entries_[i].link_class), .width = 3};
    if (entries_[i].management) paint.dash = "5 4";
    svg.line({x, y}, {x + kSample, y}, paint);
    svg.text({x + kSample + 8, y + 3.6}, entries_[i].text, {.size = 10, .anchor = Anchor::start});
  }
}

}  // namespace weft::report
