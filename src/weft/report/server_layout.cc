#include "weft/report/server_layout.h"

#include <algorithm>

#include "weft/report/host_tree.h"

namespace weft::report {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::LinkId;

constexpr double kPad = 6;      // of a container
constexpr double kNest = 11;    // upper strip of a container, for its name
constexpr double kBusGap = 22;  // NIC to socket, socket to GPU
constexpr double kMoreWidth = 104;
constexpr double kNarrowest = 150;      // room for the caption
constexpr std::size_t kAlikeShown = 2;  // of a run of alike trays, beside the last

bool is_device(DeviceKind kind) { return kind == DeviceKind::gpu || kind == DeviceKind::nic; }

// Places from the left to the right.
class HostLayout {
 public:
  HostLayout(const Fabric& fabric, std::uint32_t server) : fabric_(fabric), server_(server) {}

  ServerLayout run() {
    HostTree tree = host_tree(fabric_, server_);
    for (HostNode& socket : tree.sockets) socket = without_chains(fabric_, std::move(socket));
    for (HostNode& loose : tree.loose) loose = without_chains(fabric_, std::move(loose));
    std::size_t deepest = 0;
    for (const HostNode& socket : tree.sockets) deepest = std::max(deepest, nesting(socket));
    for (const HostNode& loose : tree.loose) deepest = std::max(deepest, nesting(loose));

    const bool nics = fabric_.servers()[server_].nics > 0;
    nic_y_ = 0;  // NICs straddle the server's upper edge
    band_top_ = nics ? kBoxHeight + kBusGap : kServerMargin;
    leaf_y_ = band_top_ + static_cast<double>(deepest) * kNest;
    band_bottom_ = leaf_y_ + kBoxHeight + static_cast<double>(deepest) * kPad;
    gpu_y_ = band_bottom_ + kBusGap;
    if (tree.sockets.empty() && tree.loose.empty()) gpu_y_ = band_top_;

    place_trays(tree);
    place_loose(tree);
    const double content = x_ - kGapBetween + kServerMargin;
    width_ = std::max(content, kNarrowest);
    centre((width_ - content) / 2);
    socket_wires(tree);
    double bottom = fabric_.servers()[server_].gpus > 0 ? gpu_y_ + kBoxHeight : band_bottom_;
    out_.width = width_;
    out_.height = add_gpu_fabric(fabric_, server_, bottom, out_) + kServerMargin;
    return std::move(out_);
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
    return out_.add({id, x, y, w, h, container, false, std::move(lines)});
  }

  void add_bus_wire(Point from, Point to, LinkId link) {
    if (link.valid()) out_.wires.push_back({from, to, {}, false, link, fabric_.link(link).count});
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
    out_.boxes[box].w = at - x;
    return at - x;
  }

  std::size_t container(const HostNode& node, double x, std::size_t level, std::vector<std::string> lines) {
    const double top = band_top_ + static_cast<double>(level) * kNest;
    const double bottom = band_bottom_ - static_cast<double>(level) * kPad;
    return add(node.id, x, top, 0, bottom - top, std::move(lines), true);
  }

  // A socket: its own box stands on the inner side, so that the sockets of a pair are neighbours.
  double place_socket(const HostNode& socket, double x, bool box_on_right) {
    out_.boxes.push_back({DeviceId::none(), x, band_top_, 0, band_bottom_ - band_top_, true, false, {}});
    const std::size_t box = out_.boxes.size() - 1;
    double at = x + kPad;
    const auto own = [&] { at += place_leaf(socket, at, kBoxWidth + 4) + kPad; };
    if (!box_on_right) own();
    for (const HostNode& child : socket.children) {
      if (is_device(fabric_.device(child.id).kind)) continue;
      const bool bare = child.children.empty();  // a root port with nothing on it says nothing
      if (!bare) at += place(child, at, 1) + kPad;
    }
    if (box_on_right) own();
    out_.boxes[box].w = at - x;
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
    x_ = kServerMargin;
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
    out_.boxes.push_back({DeviceId::none(),
                          x_,
                          band_top_,
                          kMoreWidth,
                          gpu_y_ + kBoxHeight - band_top_,
                          false,
                          true,
                          {std::to_string(to - from) + " more alike", first + " \xe2\x80\xa6 " + last}});
    out_.rest_top = {x_ + kMoreWidth / 2, kBoxHeight / 2};
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
    out_.rest_top.x += shift;
    for (ServerBox& box : out_.boxes) box.x += shift;
    for (ServerWire& wire : out_.wires) {
      wire.from.x += shift;
      wire.to.x += shift;
    }
  }

  void socket_wires(const HostTree& tree) {
    for (const LinkId link : tree.socket_links) {
      const auto a = out_.drawn.find(fabric_.link(link).from);
      const auto b = out_.drawn.find(fabric_.link(link).to);
      if (a == out_.drawn.end() || b == out_.drawn.end()) continue;
      const ServerBox* left = &out_.boxes[a->second];
      const ServerBox* right = &out_.boxes[b->second];
      if (left->x > right->x) std::swap(left, right);
      const double y = leaf_y_ + kBoxHeight / 2;
      const double gap = right->x - (left->x + left->w);
      if (gap < kGapBetween + 2 * kPad + 1) {
        out_.wires.push_back({{left->x + left->w, y}, {right->x, y}, {}, false, link, fabric_.link(link).count});
        continue;
      }
      const Point from{left->x + left->w / 2, leaf_y_ + kBoxHeight};
      const Point to{right->x + right->w / 2, leaf_y_ + kBoxHeight};
      out_.wires.push_back(
          {from, to, {(from.x + to.x) / 2, leaf_y_ + kBoxHeight + 2 * kBusGap}, true, link, fabric_.link(link).count});
    }
  }

  const Fabric& fabric_;
  std::uint32_t server_;
  ServerLayout out_;
  double x_ = 0;
  double width_ = 0;
  double nic_y_ = 0, band_top_ = 0, leaf_y_ = 0, band_bottom_ = 0, gpu_y_ = 0;
};

}  // namespace

std::size_t ServerLayout::add(ServerBox box) {
  boxes.push_back(std::move(box));
  if (boxes.back().id.valid()) drawn.emplace(boxes.back().id, boxes.size() - 1);
  return boxes.size() - 1;
}

std::string short_name(const Fabric& fabric, DeviceId id) {
  return std::string(name_of(fabric.device(id).kind)) + std::to_string(fabric.device(id).index);
}

ServerLayout layout_server(const Fabric& fabric, std::uint32_t server) { return HostLayout(fabric, server).run(); }

}  // namespace weft::report
