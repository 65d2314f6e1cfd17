#include "weft/report/server_drawing.h"

#include <algorithm>
#include <cmath>

#include "weft/report/link_look.h"
#include "weft/units/text.h"

namespace weft::report {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::LinkId;

constexpr double kCaptionLine = 15;
constexpr double kLabelSize = 8;  // of a container's name
constexpr std::string_view kContainerFill = "#f1f9ff";
constexpr std::string_view kSocketFill = "#fbf8ff";
const std::string kBetween = " \xc2\xb7 ";

struct Look {
  std::string_view fill;
  std::string_view stroke;
};

Look look_of(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::gpu:
      return {"#dafbe1", "#1a7f37"};
    case DeviceKind::nvswitch:
      return {"#aceebb", "#116329"};
    case DeviceKind::nic:
      return {"#fff1e5", "#bc4c00"};
    case DeviceKind::cpu:
      return {"#eee5ff", "#6639ba"};
    default:
      return {"#ddf4ff", "#0969da"};
  }
}

// "18 x nvlink4 each, 450 GB/s per direction", of the GPU with the most links.
std::string gpu_links_text(const Fabric& fabric, const std::vector<DeviceId>& gpus) {
  int most = 0;
  Rate rate;
  std::string id;
  for (const DeviceId gpu : gpus) {
    int links = 0;
    Rate sum;
    for (const LinkId link : fabric.links_from(gpu)) {
      if (!is_gpu_fabric(fabric.technology(link).link_class)) continue;
      links += fabric.link(link).count;
      sum += fabric.line_rate(link);
      id = fabric.technology(link).id;
    }
    if (links > most) {
      most = links;
      rate = sum;
    }
  }
  if (most == 0) return "";
  return std::to_string(most) + " \xc3\x97 " + id + " each: " + human_bytes(rate) + " per direction";
}

}  // namespace

std::string full_name(const Fabric& fabric, DeviceId id) {
  std::string text = fabric.name(id);
  if (const std::string& part = fabric.model(id).part; !part.empty()) text += ", " + part;
  if (const std::string& name = fabric.operator_name(id); !name.empty()) text += ", " + name;
  return text;
}

ServerDrawing::ServerDrawing(const Fabric& fabric, std::uint32_t server)
    : fabric_(fabric), server_(server), layout_(layout_server(fabric, server)) {
  write_caption();
  layout_.height += 4 + kCaptionLine * static_cast<double>(caption_.size());
}

void ServerDrawing::write_caption() {
  const fabric::Server& s = fabric_.servers()[server_];
  std::vector<std::string> parts{"server" + std::to_string(server_)};
  if (!s.part.empty()) parts.push_back(s.part);
  if (fabric_.rack_count() > 1) parts.push_back("rack " + std::to_string(s.rack));
  for (const DeviceKind kind : {DeviceKind::gpu, DeviceKind::nic}) {
    const std::vector<DeviceId> devices = fabric_.devices_of(kind, server_);
    if (devices.empty()) continue;
    const std::string& part = fabric_.model(devices.front()).part;
    parts.push_back(std::to_string(devices.size()) + " \xc3\x97 " + (part.empty() ? std::string(name_of(kind)) : part));
    const std::string links = kind == DeviceKind::gpu ? gpu_links_text(fabric_, devices) : "";
    if (!links.empty()) parts.push_back(links);
  }
  for (const std::string& part : parts) {
    const std::string longer = caption_.empty() ? part : caption_.back() + kBetween + part;
    const bool bold = caption_.size() <= 1;
    if (!caption_.empty() && text_width(longer, 11, bold) <= layout_.width - 20) {
      caption_.back() = longer;
    } else {
      caption_.push_back(part);
    }
  }
}

Point ServerDrawing::nic_top(DeviceId nic) const {
  const auto found = layout_.drawn.find(nic);
  if (found == layout_.drawn.end()) return layout_.rest_top;
  const ServerBox& box = layout_.boxes[found->second];
  return {box.x + box.w / 2, box.y};
}

std::string ServerDrawing::tooltip(DeviceId id) const { return id.valid() ? full_name(fabric_, id) : ""; }

std::string ServerDrawing::tooltip(const ServerWire& wire) const {
  const fabric::Technology& technology = fabric_.technology(wire.link);
  const auto& link = fabric_.link(wire.link);
  return fabric_.name(link.from) + " \xe2\x80\x93 " + fabric_.name(link.to) + ": " + std::to_string(wire.links) +
         " \xc3\x97 " + technology.id + ", " + rate_text(technology, technology.line * wire.links) + " per direction";
}

void ServerDrawing::draw_box(Svg& svg, const ServerBox& box, Point corner) const {
  const Point at{corner.x + box.x, corner.y + box.y};
  if (box.dashed) {
    svg.rect(at, box.w, box.h, 6, {.stroke = "#8c959f", .fill = "#ffffff", .dash = "4 3"});
    const double middle = at.y + box.h / 2 - 7 * static_cast<double>(box.lines.size()) + 10;
    for (std::size_t i = 0; i < box.lines.size(); ++i) {
      svg.text({at.x + box.w / 2, middle + 14 * static_cast<double>(i)}, fitted(box.lines[i], box.w - 6, 10),
               {.size = 10, .fill = "#57606a"});
    }
    return;
  }
  const DeviceKind kind = box.id.valid() ? fabric_.device(box.id).kind : DeviceKind::cpu;
  const Look look = look_of(kind);
  if (box.container) {
    svg.rect(at, box.w, box.h, 5,
             {.stroke = look.stroke, .width = 0.8, .fill = box.id.valid() ? kContainerFill : kSocketFill},
             tooltip(box.id));
    return;
  }
  svg.rect(at, box.w, box.h, 4, {.stroke = look.stroke, .width = 1.2, .fill = look.fill}, tooltip(box.id));
  const double size = fitting_size(box.lines.front(), box.w - 3, 10, 8);
  svg.text({at.x + box.w / 2, at.y + box.h / 2 + 3.6}, fitted(box.lines.front(), box.w - 3, size), {.size = size});
}

// A container's name, on top of the wires that pass its upper strip.
void ServerDrawing::draw_label(Svg& svg, const ServerBox& box, Point corner) const {
  const Point at{corner.x + box.x, corner.y + box.y};
  const std::string text = fitted(box.lines.front(), box.w - 6, kLabelSize);
  svg.rect({at.x + 2, at.y + 1}, text_width(text, kLabelSize) + 2, kLabelSize + 1, 0, {.fill = kContainerFill});
  svg.text({at.x + 3, at.y + 8.5}, text,
           {.size = kLabelSize, .anchor = Anchor::start, .fill = look_of(fabric_.device(box.id).kind).stroke});
}

void ServerDrawing::draw(Svg& svg, Point corner) const {
  svg.begin_group("server" + std::to_string(server_));
  const double top = fabric_.servers()[server_].nics > 0 ? kBoxHeight / 2 : 0;
  svg.rect({corner.x, corner.y + top}, layout_.width, layout_.height - top, 8,
           {.stroke = "#8c959f", .width = 1.2, .fill = "#f6f8fa"});
  for (const ServerBox& box : layout_.boxes) {
    if (box.container) draw_box(svg, box, corner);
  }
  for (const ServerWire& wire : layout_.wires) {
    const std::string_view colour = colour_of(fabric_.technology(wire.link).link_class);
    const Paint paint{.stroke = colour, .width = 0.9 + 0.3 * std::log2(static_cast<double>(std::max(1, wire.links)))};
    const auto moved = [&](Point p) { return Point{corner.x + p.x, corner.y + p.y}; };
    if (wire.curved) {
      svg.curve(moved(wire.from), moved(wire.bend), moved(wire.to), paint, tooltip(wire));
    } else {
      svg.line(moved(wire.from), moved(wire.to), paint, tooltip(wire));
    }
  }
  for (const ServerBox& box : layout_.boxes) {
    if (!box.container) draw_box(svg, box, corner);
    if (box.container && !box.lines.empty()) draw_label(svg, box, corner);
  }
  double y = corner.y + layout_.height + 4 - kCaptionLine * static_cast<double>(caption_.size());
  for (const std::string& line : caption_) {
    const bool first = &line == &caption_.front();
    svg.text({corner.x + 12, y}, fitted(line, layout_.width - 20, 11, first),
             {.size = 11, .anchor = Anchor::start, .bold = first});
    y += kCaptionLine;
  }
  svg.end_group();
}

}  // namespace weft::report
