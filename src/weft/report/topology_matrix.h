// One server as the matrix of `nvidia-smi topo -m`: which way every GPU and NIC reaches every other.
//
// types: tab-separated with legend and NIC legend, as nvidia-smi (driver 535 and later) prints it, so that what reads
// that reads this. NUMA affinity is the socket's number; core lists and GPU NUMA ids are not part of a fabric and stand
// as N/A. AMD's xGMI links are XG#. bandwidth and latency: the same rows and columns with figures of the path that
// fabric/path.h finds, conditions respected.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/fabric/condition.h"
#include "weft/fabric/graph.h"
#include "weft/fabric/path.h"

namespace weft::report {

struct MatrixCell {
  fabric::PathType type = fabric::PathType::none;
  int links = 0;  // NVLinks or xGMI links, when the type is nvl
  bool xgmi = false;
  bool connected = false;
  Rate goodput;  // one direction
  Duration latency;
  bool host_bounce = false;
  [[nodiscard]] std::string text() const;  // "NV18", "PIX", " X "
};

struct Matrix {
  std::vector<fabric::DeviceId> devices;  // GPUs, then NICs
  std::vector<std::vector<MatrixCell>> cells;
  std::vector<std::string> numa;  // of each device's socket; "N/A" when not known
};

[[nodiscard]] Matrix matrix_of(const fabric::Fabric& fabric, const fabric::Conditions& conditions,
                               std::uint32_t server);

enum class MatrixValues { types, bandwidth, latency };
[[nodiscard]] std::string matrix_text(const fabric::Fabric& fabric, const Matrix& matrix, MatrixValues values);

// "GPU3", "NIC0".
[[nodiscard]] std::string matrix_name(const fabric::Fabric& fabric, fabric::DeviceId id);

}  // namespace weft::report
