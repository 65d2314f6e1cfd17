#include <algorithm>
#include <cmath>

#include "weft/report/server_layout.h"
#include "weft/report/text.h"

namespace weft::report {
namespace {

using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::LinkId;

constexpr double kSwitchGap = 54;       // GPU to NVSwitch
constexpr std::size_t kMostLines = 48;  // GPU-NVSwitch lines drawn one by one
constexpr std::size_t kMostArcs = 160;

class GpuFabricLayout {
 public:
  GpuFabricLayout(const Fabric& fabric, std::uint32_t server, ServerLayout& out)
      : fabric_(fabric), server_(server), out_(out) {}

  // NVSwitches below the GPUs, or arcs between GPUs. Returns the lower edge.
  double run(double bottom) {
    const std::vector<DeviceId> switches = fabric_.devices_of(DeviceKind::nvswitch, server_);
    if (!switches.empty()) return nvswitches(switches, bottom);
    std::vector<LinkId> links;
    for (const DeviceId gpu : fabric_.devices_of(DeviceKind::gpu, server_)) {
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

 private:
  double arc(LinkId link) {
    const ServerBox& a = out_.box_of(fabric_.link(link).from);
    const ServerBox& b = out_.box_of(fabric_.link(link).to);
    const double lean = a.x < b.x ? 6 : -6;  // arcs leave on the side they go to
    const Point from{a.x + a.w / 2 + lean, a.y + a.h};
    const Point to{b.x + b.w / 2 - lean, b.y + b.h};
    const double bend = 16 + 22 * std::sqrt(std::abs(to.x - from.x) / kPitch);
    out_.wires.push_back({from, to, {(from.x + to.x) / 2, from.y + 2 * bend}, true, link, fabric_.link(link).count});
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
      double left = out_.width - kServerMargin;
      double right = kServerMargin;
      std::size_t lines = 0;
      for (const DeviceId gpu : plane.gpus) {
        if (!out_.draws(gpu)) continue;
        const ServerBox& box = out_.box_of(gpu);
        left = std::min(left, box.x);
        right = std::max(right, box.x + box.w);
        lines += plane.switches.size();
      }
      if (right <= left || all.size() == 1) {
        left = kServerMargin;
        right = out_.width - kServerMargin;
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
      out_.add({plane.switches[s],
                middle - width / 2,
                y,
                width,
                kBoxHeight,
                false,
                false,
                {short_name(fabric_, plane.switches[s])}});
      const double count = static_cast<double>(plane.gpus.size());
      for (std::size_t g = 0; g < plane.gpus.size(); ++g) {
        if (!out_.draws(plane.gpus[g])) continue;
        const ServerBox& gpu = out_.box_of(plane.gpus[g]);
        const LinkId link = fabric_.link_between(plane.gpus[g], plane.switches[s]);
        const double step = (kBoxWidth - 10) / static_cast<double>(plane.switches.size());
        const Point from{gpu.x + 5 + step * (static_cast<double>(s) + 0.5), gpu.y + gpu.h};
        const Point to{middle - width / 2 + 6 + (width - 12) * (static_cast<double>(g) + 0.5) / count, y};
        out_.wires.push_back({from, to, {}, false, link, fabric_.link(link).count});
      }
    }
  }

  void bar(const Plane& plane, double left, double right, double y) {
    const auto& fabric = fabric_;
    std::string label = counted(plane.switches.size(), "NVSwitch") + ": " + short_name(fabric, plane.switches.front());
    if (plane.switches.size() > 1) label += " \xe2\x80\xa6 " + short_name(fabric, plane.switches.back());
    const std::size_t box =
        out_.add({plane.switches.front(), left, y, right - left, kBoxHeight, false, false, {label}});
    for (const DeviceId chip : plane.switches) out_.drawn.emplace(chip, box);
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
      const ServerBox& from = out_.box_of(gpu);
      const double x = from.x + from.w / 2;
      out_.wires.push_back({{x, from.y + from.h}, {x, y}, {}, false, one, links});
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
        const ServerBox& left = out_.box_of(all[a].switches.back());
        const ServerBox& right = out_.box_of(all[b].switches.front());
        const double middle = left.y + left.h / 2;
        if (left.x + left.w < right.x) {
          out_.wires.push_back({{left.x + left.w, middle}, {right.x, middle}, {}, false, one, links});
        } else {
          out_.wires.push_back({{left.x + left.w / 2, left.y + left.h},
                                {right.x + right.w / 2, right.y + right.h},
                                {(left.x + right.x) / 2, y + 2 * kBoxHeight},
                                true,
                                one,
                                links});
        }
      }
    }
  }

  const Fabric& fabric_;
  std::uint32_t server_;
  ServerLayout& out_;
};

}  // namespace

double add_gpu_fabric(const Fabric& fabric, std::uint32_t server, double bottom, ServerLayout& layout) {
  return GpuFabricLayout(fabric, server, layout).run(bottom);
}

}  // namespace weft::report
