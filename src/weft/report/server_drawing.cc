#include "weft/report/server_drawing.h"

#include <algorithm>
#include <cmath>

#include "weft/report/host_tree.h"
#include "weft/report/link_look.h"
#include "weft/report/text.h"
#include "weft/units/text.h"

namespace weft::report {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::LinkId;

constexpr double kPitch = 46;  // one GPU or NIC
constexpr double kBoxWidth = 40;
constexpr double kBoxHeight = 24;
constexpr double kPad = 6;         // of a container
constexpr double kNest = 11;       // upper strip of a container, for its name
constexpr double kMargin = 12;     // server box around everything
constexpr double kBusGap = 22;     // NIC to socket, socket to GPU
constexpr double kSwitchGap = 54;  // GPU to NVSwitch
constexpr double kCaptionLine = 15;
constexpr double kMoreWidth = 104;
constexpr double kNarrowest = 150;      // room for the caption
constexpr std::size_t kMostLines = 48;  // GPU-NVSwitch lines drawn one by one
constexpr std::size_t kMostArcs = 160;
constexpr std::size_t kAlikeShown = 2;  // of a run of alike trays, beside the last

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

std::string short_name(const Fabric& fabric, DeviceId id) {
  return std::string(name_of(fabric.device(id).kind)) + std::to_string(fabric.device(id).index);
}

bool is_device(DeviceKind kind) { return kind == DeviceKind::gpu || kind == DeviceKind::nic; }

}  // namespace

std::string full_name(const Fabric& fabric, DeviceId id) {
  std::string text = fabric.name(id);
  if (const std::string& part = fabric.model(id).part; !part.empty()) text += ", " + part;
  if (const std::string& name = fabric.operator_name(id); !name.empty()) text += ", " + name;
  return text;
}

// Fills boxes_ and wires_ of a drawing from the left to the right, then downwards.
class ServerDrawing::Layout {
 public:
  explicit Layout(ServerDrawing& out) : out_(out), fabric_(out.fabric_) {}

  void run() {
    HostTree tree = host_tree(fabric_, out_.server_);
    for (HostNode& socket : tree.sockets) socket = without_chains(fabric_, std::move(socket));
    for (HostNode& loose : tree.loose) loose = without_chains(fabric_, std::move(loose));
    std::size_t deepest = 0;
    for (const HostNode& socket : tree.sockets) deepest = std::max(deepest, nesting(socket));
    for (const HostNode& loose : tree.loose) deepest = std::max(deepest, nesting(loose));

    const bool nics = fabric_.servers()[out_.server_].nics > 0;
    nic_y_ = 0;  // NICs straddle the server's upper edge
    band_top_ = nics ? kBoxHeight + kBusGap : kMargin;
    leaf_y_ = band_top_ + static_cast<double>(deepest) * kNest;
    band_bottom_ = leaf_y_ + kBoxHeight + static_cast<double>(deepest) * kPad;
    gpu_y_ = band_bottom_ + kBusGap;
    if (tree.sockets.empty() && tree.loose.empty()) gpu_y_ = band_top_;

    place_trays(tree);
    place_loose(tree);
    const double content = x_ - kGapBetween + kMargin;
    width_ = std::max(content, kNarrowest);
    centre((width_ - content) / 2);
    socket_wires(tree);
    double bottom = fabric_.servers()[out_.server_].gpus > 0 ? gpu_y_ + kBoxHeight : band_bottom_;
    bottom = gpu_fabric(bottom);
    out_.width_ = width_;
    out_.height_ = bottom + 12;
  }

 private:
  static constexpr double kGapBetween = 16;

  // Levels of containers around the leaf boxes of a node, itself included.
  [[nodiscard]] std::size_t nesting(const HostNode& node) const {
    std::size_t inner = 0;
    bool container = fabric_.device(node.id).kind == DeviceKind::cpu;
    for (const HostNode& child : node.children) {
      if (is_device(fabric_.device(child.id).kind)) continue;
      container = true;
      inner = std::max(inner, nesting(child));
    }
    return inner + (container ? 1 : 0);
  }

  std::size_t add(DeviceId id, double x, double y, double w, double h, std::vector<std::string> lines,
                  bool container = false) {
    out_.boxes_.push_back({id, x, y, w, h, container, false, std::move(lines)});
    if (id.valid()) out_.drawn_.emplace(id, out_.boxes_.size() - 1);
    return out_.boxes_.size() - 1;
  }

  void add_bus_wire(Point from, Point to, LinkId link) {
    if (link.valid()) out_.wires_.push_back({from, to, {}, false, link, fabric_.link(link).count});
  }

  // A leaf box as wide as its devices need, with NICs above and GPUs below it. Returns the width.
  double place_leaf(const HostNode& node, double x, double least) {
    std::vector<const HostNode*> gpus;
    std::vector<const HostNode*> nics;
    for (const HostNode& child : node.children) {
      const DeviceKind kind = fabric_.device(child.id).kind;
      if (kind == DeviceKind::gpu) gpus.push_back(&child);
      if (kind == DeviceKind::nic) nics.push_back(&child);
    }
    const double columns = static_cast<double>(std::max({gpus.size(), nics.size(), std::size_t{1}}));
    const double width = std::max(columns * kPitch - (kPitch - kBoxWidth), least);
    if (!is_device(fabric_.device(node.id).kind)) {
      add(node.id, x, leaf_y_, width, kBoxHeight, {short_name(fabric_, node.id)});
    }
    row(nics, x, width, nic_y_, true);
    row(gpus, x, width, gpu_y_, false);
    return width;
  }

  void row(const std::vector<const HostNode*>& devices, double x, double width, double y, bool above) {
    const double pitch = (width + kPitch - kBoxWidth) / static_cast<double>(std::max<std::size_t>(1, devices.size()));
    for (std::size_t i = 0; i < devices.size(); ++i) {
      const double left = x + pitch * static_cast<double>(i) + (pitch - kPitch) / 2;
      add(devices[i]->id, left, y, kBoxWidth, kBoxHeight, {short_name(fabric_, devices[i]->id)});
      const double middle = left + kBoxWidth / 2;
      if (above) {
        add_bus_wire({middle, y + kBoxHeight}, {middle, leaf_y_}, devices[i]->up);
      } else {
        add_bus_wire({middle, leaf_y_ + kBoxHeight}, {middle, y}, devices[i]->up);
      }
    }
  }

  [[nodiscard]] bool has_devices(const HostNode& node) const {
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const HostNode& child) { return is_device(fabric_.device(child.id).kind); });
  }

  // A root complex or switch: a leaf box, or a container of more of them. Returns the width.
  double place(const HostNode& node, double x, std::size_t level) {
    std::vector<const HostNode*> inner;
    for (const HostNode& child : node.children) {
      if (!is_device(fabric_.device(child.id).kind)) inner.push_back(&child);
    }
    if (inner.empty()) return place_leaf(node, x, kBoxWidth);
    const std::size_t box = container(node, x, level, {short_name(fabric_, node.id)});
    double at = x + kPad;
    if (has_devices(node)) at += place_leaf(node, at, kBoxWidth) + kPad;
    for (const HostNode* child : inner) at += place(*child, at, level + 1) + kPad;
    out_.boxes_[box].w = at - x;
    return at - x;
  }

  std::size_t container(const HostNode& node, double x, std::size_t level, std::vector<std::string> lines) {
    const double top = band_top_ + static_cast<double>(level) * kNest;
    const double bottom = band_bottom_ - static_cast<double>(level) * kPad;
    return add(node.id, x, top, 0, bottom - top, std::move(lines), true);
  }

  // A socket: its own box stands on the inner side, so that the sockets of a pair are neighbours.
  double place_socket(const HostNode& socket, double x, bool box_on_right) {
    out_.boxes_.push_back({DeviceId::none(), x, band_top_, 0, band_bottom_ - band_top_, true, false, {}});
    const std::size_t box = out_.boxes_.size() - 1;
    double at = x + kPad;
    const auto own = [&] { at += place_leaf(socket, at, kBoxWidth + 4) + kPad; };
    if (!box_on_right) own();
    for (const HostNode& child : socket.children) {
      if (is_device(fabric_.device(child.id).kind)) continue;
      const bool bare = child.children.empty();  // a root port with nothing on it says nothing
      if (!bare) at += place(child, at, 1) + kPad;
    }
    if (box_on_right) own();
    out_.boxes_[box].w = at - x;
    return at - x;
  }

  // Sockets that are joined to each other, in order: what a rack-scale system calls a tray.
  [[nodiscard]] std::vector<std::vector<std::size_t>> trays(const HostTree& tree) const {
    std::map<DeviceId, std::size_t> place;
    for (std::size_t i = 0; i < tree.sockets.size(); ++i) place[tree.sockets[i].id] = i;
    std::vector<std::size_t> tray_of(tree.sockets.size());
    for (std::size_t i = 0; i < tray_of.size(); ++i) tray_of[i] = i;
    for (bool changed = true; changed;) {
      changed = false;
      for (const LinkId link : tree.socket_links) {
        const std::size_t a = place.at(fabric_.link(link).from);
        const std::size_t b = place.at(fabric_.link(link).to);
        const std::size_t least = std::min(tray_of[a], tray_of[b]);
        changed = changed || tray_of[a] != least || tray_of[b] != least;
        tray_of[a] = tray_of[b] = least;
      }
    }
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < tray_of.size(); ++i) {
      if (tray_of[i] == i) groups.emplace_back();
      for (auto& group : groups) {
        if (!group.empty() && tray_of[group.front()] == tray_of[i]) group.push_back(i);
      }
      if (tray_of[i] == i) groups.back().push_back(i);
    }
    return groups;
  }

  void place_trays(const HostTree& tree) {
    const auto groups = trays(tree);
    std::vector<std::string> shapes;
    for (const auto& group : groups) {
      std::string shape;
      for (const std::size_t s : group) shape += shape_of(fabric_, tree.sockets[s]) + '|';
      shapes.push_back(std::move(shape));
    }
    x_ = kMargin;
    for (std::size_t g = 0; g < groups.size();) {
      std::size_t end = g;
      while (end < groups.size() && shapes[end] == shapes[g]) ++end;
      const std::size_t run = end - g;
      const bool fold = run > kAlikeShown + 2;
      for (std::size_t i = g; i < end; ++i) {
        if (fold && i == g + kAlikeShown) {
          place_more(tree, groups, i, end - 1);
          i = end - 1;
        }
        for (std::size_t s = 0; s < groups[i].size(); ++s) {
          const bool right = s % 2 == 0 && s + 1 < groups[i].size();
          x_ += place_socket(tree.sockets[groups[i][s]], x_, right) + kGapBetween;
        }
      }
      g = end;
    }
  }

  void place_more(const HostTree& tree, const std::vector<std::vector<std::size_t>>& groups, std::size_t from,
                  std::size_t to) {
    const auto name = [&](std::size_t s) { return short_name(fabric_, tree.sockets[s].id); };
    const std::string first = name(groups[from].front());
    const std::string last = name(groups[to - 1].back());
    out_.boxes_.push_back({DeviceId::none(),
                           x_,
                           band_top_,
                           kMoreWidth,
                           gpu_y_ + kBoxHeight - band_top_,
                           false,
                           true,
                           {std::to_string(to - from) + " more alike", first + " \xe2\x80\xa6 " + last}});
    out_.rest_top_ = {x_ + kMoreWidth / 2, kBoxHeight / 2};
    x_ += kMoreWidth + kGapBetween;
  }

  void place_loose(const HostTree& tree) {
    for (const HostNode& loose : tree.loose) {
      if (!is_device(fabric_.device(loose.id).kind)) {
        x_ += place(loose, x_, 0) + kGapBetween;
        continue;
      }
      const bool gpu = fabric_.device(loose.id).kind == DeviceKind::gpu;
      add(loose.id, x_, gpu ? gpu_y_ : nic_y_, kBoxWidth, kBoxHeight, {short_name(fabric_, loose.id)});
      x_ += kPitch;
    }
    if (!tree.loose.empty()) x_ += kGapBetween;
  }

  void centre(double shift) {
    out_.rest_top_.x += shift;
    for (Box& box : out_.boxes_) box.x += shift;
    for (Wire& wire : out_.wires_) {
      wire.from.x += shift;
      wire.to.x += shift;
    }
  }

  void socket_wires(const HostTree& tree) {
    for (const LinkId link : tree.socket_links) {
      const auto a = out_.drawn_.find(fabric_.link(link).from);
      const auto b = out_.drawn_.find(fabric_.link(link).to);
      if (a == out_.drawn_.end() || b == out_.drawn_.end()) continue;
      const Box* left = &out_.boxes_[a->second];
      const Box* right = &out_.boxes_[b->second];
      if (left->x > right->x) std::swap(left, right);
      const double y = leaf_y_ + kBoxHeight / 2;
      const double gap = right->x - (left->x + left->w);
      if (gap < kGapBetween + 2 * kPad + 1) {
        out_.wires_.push_back({{left->x + left->w, y}, {right->x, y}, {}, false, link, fabric_.link(link).count});
        continue;
      }
      const Point from{left->x + left->w / 2, leaf_y_ + kBoxHeight};
      const Point to{right->x + right->w / 2, leaf_y_ + kBoxHeight};
      out_.wires_.push_back(
          {from, to, {(from.x + to.x) / 2, leaf_y_ + kBoxHeight + 2 * kBusGap}, true, link, fabric_.link(link).count});
    }
  }

  // NVSwitches below the GPUs, or arcs between GPUs. Returns the lower edge.
  double gpu_fabric(double bottom) {
    const std::vector<DeviceId> switches = fabric_.devices_of(DeviceKind::nvswitch, out_.server_);
    if (!switches.empty()) return nvswitches(switches, bottom);
    std::vector<LinkId> links;
    for (const DeviceId gpu : fabric_.devices_of(DeviceKind::gpu, out_.server_)) {
      if (!out_.draws(gpu)) continue;
      for (const LinkId link : fabric_.links_from(gpu)) {
        const DeviceId to = fabric_.link(link).to;
        const bool once = gpu < to && fabric_.device(to).kind == DeviceKind::gpu && out_.draws(to);
        if (once) links.push_back(link);
      }
    }
    if (links.size() > kMostArcs) return bottom;
    double depth = 0;
    for (const LinkId link : links) depth = std::max(depth, arc(link));
    return bottom + depth;
  }

  double arc(LinkId link) {
    const Box& a = out_.boxes_[out_.drawn_.at(fabric_.link(link).from)];
    const Box& b = out_.boxes_[out_.drawn_.at(fabric_.link(link).to)];
    const double lean = a.x < b.x ? 6 : -6;  // arcs leave on the side they go to
    const Point from{a.x + a.w / 2 + lean, a.y + a.h};
    const Point to{b.x + b.w / 2 - lean, b.y + b.h};
    const double bend = 16 + 22 * std::sqrt(std::abs(to.x - from.x) / kPitch);
    out_.wires_.push_back({from, to, {(from.x + to.x) / 2, from.y + 2 * bend}, true, link, fabric_.link(link).count});
    return bend + 4;
  }

  // Switches that serve the same GPUs stand together (a DGX-2 has two such groups).
  struct Plane {
    std::vector<DeviceId> switches;
    std::vector<DeviceId> gpus;
  };
  [[nodiscard]] std::vector<Plane> planes(const std::vector<DeviceId>& switches) const {
    std::vector<Plane> planes;
    for (const DeviceId chip : switches) {
      std::vector<DeviceId> gpus;
      for (const LinkId link : fabric_.links_from(chip)) {
        const DeviceId to = fabric_.link(link).to;
        if (fabric_.device(to).kind == DeviceKind::gpu) gpus.push_back(to);
      }
      std::sort(gpus.begin(), gpus.end());
      const auto same = std::find_if(planes.begin(), planes.end(), [&](const Plane& p) { return p.gpus == gpus; });
      if (same == planes.end()) {
        planes.push_back({{chip}, std::move(gpus)});
      } else {
        same->switches.push_back(chip);
      }
    }
    return planes;
  }

  double nvswitches(const std::vector<DeviceId>& switches, double bottom) {
    const std::vector<Plane> all = planes(switches);
    const double y = bottom + kSwitchGap;
    std::vector<std::pair<double, double>> spans;
    for (const Plane& plane : all) {
      double left = width_ - kMargin;
      double right = kMargin;
      std::size_t lines = 0;
      for (const DeviceId gpu : plane.gpus) {
        if (!out_.draws(gpu)) continue;
        const Box& box = out_.boxes_[out_.drawn_.at(gpu)];
        left = std::min(left, box.x);
        right = std::max(right, box.x + box.w);
        lines += plane.switches.size();
      }
      if (right <= left || all.size() == 1) {
        left = kMargin;
        right = width_ - kMargin;
      }
      spans.emplace_back(left, right);
      const double each = (right - left) / static_cast<double>(plane.switches.size());
      if (lines <= kMostLines && each > 74) {
        fan(plane, left, each, y);
      } else {
        bar(plane, left, right, y - kSwitchGap / 3);
      }
    }
    trunks(all, y);
    return y + kBoxHeight;
  }

  void fan(const Plane& plane, double left, double each, double y) {
    const double width = std::min(each - 10, 96.0);
    for (std::size_t s = 0; s < plane.switches.size(); ++s) {
      const double middle = left + each * (static_cast<double>(s) + 0.5);
      add(plane.switches[s], middle - width / 2, y, width, kBoxHeight, {short_name(fabric_, plane.switches[s])});
      const double count = static_cast<double>(plane.gpus.size());
      for (std::size_t g = 0; g < plane.gpus.size(); ++g) {
        if (!out_.draws(plane.gpus[g])) continue;
        const Box& gpu = out_.boxes_[out_.drawn_.at(plane.gpus[g])];
        const LinkId link = fabric_.link_between(plane.gpus[g], plane.switches[s]);
        const double step = (kBoxWidth - 10) / static_cast<double>(plane.switches.size());
        const Point from{gpu.x + 5 + step * (static_cast<double>(s) + 0.5), gpu.y + gpu.h};
        const Point to{middle - width / 2 + 6 + (width - 12) * (static_cast<double>(g) + 0.5) / count, y};
        out_.wires_.push_back({from, to, {}, false, link, fabric_.link(link).count});
      }
    }
  }

  void bar(const Plane& plane, double left, double right, double y) {
    const auto& fabric = fabric_;
    std::string label = counted(plane.switches.size(), "NVSwitch") + ": " + short_name(fabric, plane.switches.front());
    if (plane.switches.size() > 1) label += " \xe2\x80\xa6 " + short_name(fabric, plane.switches.back());
    const std::size_t box = add(plane.switches.front(), left, y, right - left, kBoxHeight, {label});
    for (const DeviceId chip : plane.switches) out_.drawn_.emplace(chip, box);
    for (const DeviceId gpu : plane.gpus) {
      if (!out_.draws(gpu)) continue;
      int links = 0;
      LinkId one;
      for (const LinkId link : fabric.links_from(gpu)) {
        const auto to = fabric.link(link).to;
        if (std::find(plane.switches.begin(), plane.switches.end(), to) == plane.switches.end()) continue;
        links += fabric.link(link).count;
        one = link;
      }
      const Box& from = out_.boxes_[out_.drawn_.at(gpu)];
      const double x = from.x + from.w / 2;
      out_.wires_.push_back({{x, from.y + from.h}, {x, y}, {}, false, one, links});
    }
  }

  // NVSwitch to NVSwitch, between the groups.
  void trunks(const std::vector<Plane>& all, double y) {
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = a + 1; b < all.size(); ++b) {
        int links = 0;
        LinkId one;
        for (const DeviceId chip : all[a].switches) {
          for (const LinkId link : fabric_.links_from(chip)) {
            const auto& to = all[b].switches;
            if (std::find(to.begin(), to.end(), fabric_.link(link).to) == to.end()) continue;
            links += fabric_.link(link).count;
            one = link;
          }
        }
        if (links == 0) continue;
        const Box& left = out_.boxes_[out_.drawn_.at(all[a].switches.back())];
        const Box& right = out_.boxes_[out_.drawn_.at(all[b].switches.front())];
        const double middle = left.y + left.h / 2;
        if (left.x + left.w < right.x) {
          out_.wires_.push_back({{left.x + left.w, middle}, {right.x, middle}, {}, false, one, links});
        } else {
          out_.wires_.push_back({{left.x + left.w / 2, left.y + left.h},
                                 {right.x + right.w / 2, right.y + right.h},
                                 {(left.x + right.x) / 2, y + 2 * kBoxHeight},
                                 true,
                                 one,
                                 links});
        }
      }
    }
  }

  ServerDrawing& out_;
  const Fabric& fabric_;
  double x_ = 0;
  double width_ = 0;
  double nic_y_ = 0, band_top_ = 0, leaf_y_ = 0, band_bottom_ = 0, gpu_y_ = 0;
};

ServerDrawing::ServerDrawing(const Fabric& fabric, std::uint32_t server) : fabric_(fabric), server_(server) {
  Layout(*this).run();
  write_caption();
  height_ += 4 + kCaptionLine * static_cast<double>(caption_.size());
}

namespace {

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
    if (!caption_.empty() && text_width(longer, 11, bold) <= width_ - 20) {
      caption_.back() = longer;
    } else {
      caption_.push_back(part);
    }
  }
}

Point ServerDrawing::nic_top(DeviceId nic) const {
  const auto found = drawn_.find(nic);
  if (found == drawn_.end()) return rest_top_;
  const Box& box = boxes_[found->second];
  return {box.x + box.w / 2, box.y};
}

std::string ServerDrawing::tooltip(DeviceId id) const { return id.valid() ? full_name(fabric_, id) : ""; }

std::string ServerDrawing::tooltip(const Wire& wire) const {
  const fabric::Technology& technology = fabric_.technology(wire.link);
  const auto& link = fabric_.link(wire.link);
  return fabric_.name(link.from) + " \xe2\x80\x93 " + fabric_.name(link.to) + ": " + std::to_string(wire.links) +
         " \xc3\x97 " + technology.id + ", " + rate_text(technology, technology.line * wire.links) + " per direction";
}

void ServerDrawing::draw_box(Svg& svg, const Box& box, Point corner) const {
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
    svg.rect(at, box.w, box.h, 5, {.stroke = look.stroke, .width = 0.8, .fill = box.id.valid() ? "#f1f9ff" : "#fbf8ff"},
             tooltip(box.id));
    if (!box.lines.empty()) {
      svg.text({at.x + 4, at.y + 9}, fitted(box.lines.front(), 30, 8),
               {.size = 8, .anchor = Anchor::start, .fill = look.stroke});
    }
    return;
  }
  svg.rect(at, box.w, box.h, 4, {.stroke = look.stroke, .width = 1.2, .fill = look.fill}, tooltip(box.id));
  const double size = fitting_size(box.lines.front(), box.w - 3, 10, 8);
  svg.text({at.x + box.w / 2, at.y + box.h / 2 + 3.6}, fitted(box.lines.front(), box.w - 3, size), {.size = size});
}

void ServerDrawing::draw(Svg& svg, Point corner) const {
  svg.begin_group("server" + std::to_string(server_));
  const double top = fabric_.servers()[server_].nics > 0 ? kBoxHeight / 2 : 0;
  svg.rect({corner.x, corner.y + top}, width_, height_ - top, 8,
           {.stroke = "#8c959f", .width = 1.2, .fill = "#f6f8fa"});
  for (const Box& box : boxes_) {
    if (box.container) draw_box(svg, box, corner);
  }
  for (const Wire& wire : wires_) {
    const std::string_view colour = colour_of(fabric_.technology(wire.link).link_class);
    const Paint paint{.stroke = colour, .width = 0.9 + 0.3 * std::log2(static_cast<double>(std::max(1, wire.links)))};
    const auto moved = [&](Point p) { return Point{corner.x + p.x, corner.y + p.y}; };
    if (wire.curved) {
      svg.curve(moved(wire.from), moved(wire.bend), moved(wire.to), paint, tooltip(wire));
    } else {
      svg.line(moved(wire.from), moved(wire.to), paint, tooltip(wire));
    }
  }
  for (const Box& box : boxes_) {
    if (!box.container) draw_box(svg, box, corner);
  }
  double y = corner.y + height_ + 4 - kCaptionLine * static_cast<double>(caption_.size());
  for (const std::string& line : caption_) {
    const bool first = &line == &caption_.front();
    svg.text({corner.x + 12, y}, fitted(line, width_ - 20, 11, first),
             {.size = 11, .anchor = Anchor::start, .bold = first});
    y += kCaptionLine;
  }
  svg.end_group();
}

}  // namespace weft::report
