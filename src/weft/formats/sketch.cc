#include "weft/formats/sketch.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "weft/base/check.h"
#include "weft/base/printable.h"

namespace weft::formats {

std::size_t Sketch::add(fabric::DeviceKind kind, fabric::DeviceModel model, std::string name, int order) {
  nodes.push_back({kind, std::move(model), std::move(name), order});
  return nodes.size() - 1;
}

void Sketch::connect(std::size_t a, std::size_t b, const fabric::Technology& technology, int count) {
  WEFT_CHECK(a < nodes.size() && b < nodes.size() && a != b && count > 0, "a cable of a sketch needs two nodes");
  cables.push_back({a, b, technology, count});
}

std::vector<fabric::DeviceId> Sketch::build(fabric::FabricBuilder& builder) const {
  builder.open_server(properties);
  std::vector<std::size_t> sequence(nodes.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(nodes[a].kind, nodes[a].order) < std::pair(nodes[b].kind, nodes[b].order);
  });
  std::vector<fabric::DeviceId> ids(nodes.size());
  for (const std::size_t i : sequence) {
    ids[i] = builder.add_server_device(nodes[i].kind, builder.model(nodes[i].model));
    // Foreign names are shown in many places: made safe once, here.
    builder.set_operator_name(ids[i], printable(nodes[i].name.substr(0, whole_characters(nodes[i].name, 64))));
  }
  for (const SketchCable& cable : cables) {
    builder.add_cable(ids[cable.a], ids[cable.b], builder.technology(cable.technology),
                      static_cast<std::uint16_t>(std::min(cable.count, 0xffff)));
  }
  return ids;
}

}  // namespace weft::formats
