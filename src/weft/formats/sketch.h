// A server as a reader finds it, before its devices are numbered.
//
// Files mention devices in their own order; a fabric numbers them by kind. A sketch takes nodes and cables as they
// come, each node with a place in its kind's order, and adds them to a builder all at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/fabric/builder.h"

namespace weft::formats {

struct SketchNode {
  fabric::DeviceKind kind = fabric::DeviceKind::gpu;
  fabric::DeviceModel model;
  std::string name;  // the operator's
  int order = 0;     // within the kind; equal places keep the order of adding
};

struct SketchCable {
  std::size_t a = 0;
  std::size_t b = 0;
  fabric::Technology technology;
  int count = 1;
};

struct Sketch {
  fabric::Server properties;
  std::vector<SketchNode> nodes;
  std::vector<SketchCable> cables;

  std::size_t add(fabric::DeviceKind kind, fabric::DeviceModel model, std::string name = "", int order = 0);
  void connect(std::size_t a, std::size_t b, const fabric::Technology& technology, int count = 1);
  // Opens a server in the builder; the result has the device of each node.
  std::vector<fabric::DeviceId> build(fabric::FabricBuilder& builder) const;
};

}  // namespace weft::formats
