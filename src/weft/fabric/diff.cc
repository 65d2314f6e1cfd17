#include "weft/fabric/diff.h"

#include <map>

#include "weft/units/text.h"

namespace weft::fabric {
namespace {

using Described = std::map<std::string, std::string>;

Described describe_devices(const Fabric& fabric) {
  Described devices;
  for (std::size_t i = 0; i < fabric.device_count(); ++i) {
    const DeviceId id(i);
    const DeviceModel& model = fabric.model(id);
    std::string text = model.part.empty() ? "unknown part" : model.part;
    if (model.port_cap.count() > 0) text += ", passes " + human_bytes(model.port_cap);
    devices[fabric.name(id)] = std::move(text);
  }
  return devices;
}

Described describe_links(const Fabric& fabric) {
  Described links;
  for (std::size_t i = 0; i < fabric.link_count(); i += 2) {
    const LinkId id(i);
    const Link& link = fabric.link(id);
    std::string a = fabric.name(link.from);
    std::string b = fabric.name(link.to);
    if (b < a) std::swap(a, b);
    std::string& text = links[a + " - " + b];
    if (!text.empty()) text += " + ";
    text += std::to_string(link.count) + " x " + fabric.technology(id).id + ", " + human_bytes(fabric.line_rate(id));
  }
  return links;
}

void compare(const Described& first, const Described& second, std::vector<Difference>& differences) {
  for (const auto& [what, text] : first) {
    const auto other = second.find(what);
    if (other == second.end()) {
      differences.push_back({Difference::Kind::only_in_first, what, text, ""});
    } else if (other->second != text) {
      differences.push_back({Difference::Kind::changed, what, text, other->second});
    }
  }
  for (const auto& [what, text] : second) {
    if (!first.contains(what)) differences.push_back({Difference::Kind::only_in_second, what, "", text});
  }
}

}  // namespace

std::vector<Difference> diff(const Fabric& first, const Fabric& second) {
  std::vector<Difference> differences;
  compare(describe_devices(first), describe_devices(second), differences);
  compare(describe_links(first), describe_links(second), differences);
  return differences;
}

}  // namespace weft::fabric
