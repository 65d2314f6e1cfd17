#include "weft/report/topology_matrix.h"

#include <map>

#include "weft/base/printable.h"
#include "weft/report/host_tree.h"
#include "weft/units/text.h"

namespace weft::report {
namespace {

using fabric::Conditions;
using fabric::DeviceId;
using fabric::DeviceKind;
using fabric::Fabric;
using fabric::LinkId;
using fabric::PathType;

constexpr std::string_view kLegend =
    "\nLegend:\n\n"
    "  X    = Self\n"
    "  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes (e.g., QPI/UPI)\n"
    "  NODE = Connection traversing PCIe as well as the interconnect between PCIe Host Bridges within a NUMA node\n"
    "  PHB  = Connection traversing PCIe as well as a PCIe Host Bridge (typically the CPU)\n"
    "  PXB  = Connection traversing multiple PCIe bridges (without traversing the PCIe Host Bridge)\n"
    "  PIX  = Connection traversing at most a single PCIe bridge\n"
    "  NV#  = Connection traversing a bonded set of # NVLinks\n";

bool has_xgmi(const Fabric& fabric, DeviceId gpu) {
  for (const LinkId link : fabric.links_from(gpu)) {
    if (fabric.technology(link).link_class == fabric::LinkClass::xgmi) return true;
  }
  return false;
}

void note_sockets(const Fabric& fabric, const HostNode& node, const std::string& socket,
                  std::map<DeviceId, std::string>& numa) {
  numa[node.id] = socket;
  for (const HostNode& child : node.children) note_sockets(fabric, child, socket, numa);
}

MatrixCell cell_of(const Fabric& fabric, const Conditions& conditions, DeviceId from, DeviceId to) {
  MatrixCell cell;
  cell.type = closeness(fabric, from, to, &cell.links);
  cell.xgmi = cell.type == PathType::nvl && has_xgmi(fabric, from);
  const Result<fabric::Path> path = find_path(fabric, from, to, conditions);
  if (!path || from == to) return cell;
  cell.connected = true;
  cell.goodput = path->goodput();
  cell.latency = path->latency();
  cell.host_bounce = path->host_bounce;
  return cell;
}

std::string figure(const MatrixCell& cell, MatrixValues values) {
  if (cell.type == PathType::self) return " X ";
  if (values == MatrixValues::types) return cell.text();
  if (!cell.connected) return "-";
  return values == MatrixValues::bandwidth ? significant(cell.goodput.gbytes()) : significant(cell.latency.us(), 3);
}

std::string foot(const Matrix& matrix, MatrixValues values) {
  if (values == MatrixValues::bandwidth) {
    return "\nGB/s per direction, one transfer alone, after protocol overhead; - = no way.\n";
  }
  if (values == MatrixValues::latency) {
    return "\nMicroseconds one way through the hardware, without software; - = no way.\n";
  }
  std::string text(kLegend);
  bool xgmi = false;
  for (const auto& row : matrix.cells) {
    for (const MatrixCell& cell : row) xgmi = xgmi || cell.xgmi;
  }
  if (xgmi) text += "  XG#  = Connection traversing # xGMI links\n";
  return text;
}

}  // namespace

std::string MatrixCell::text() const {
  if (type == PathType::self) return " X ";
  if (type == PathType::nvl) return (xgmi ? "XG" : "NV") + std::to_string(links);
  if (type == PathType::none) return "N/A";
  return std::string(name_of(type));
}

std::string matrix_name(const Fabric& fabric, DeviceId id) {
  const bool gpu = fabric.device(id).kind == DeviceKind::gpu;
  return (gpu ? "GPU" : "NIC") + std::to_string(fabric.device(id).index);
}

Matrix matrix_of(const Fabric& fabric, const Conditions& conditions, std::uint32_t server) {
  Matrix matrix;
  matrix.devices = fabric.devices_of(DeviceKind::gpu, server);
  const std::vector<DeviceId> nics = fabric.devices_of(DeviceKind::nic, server);
  matrix.devices.insert(matrix.devices.end(), nics.begin(), nics.end());

  std::map<DeviceId, std::string> numa;
  for (const HostNode& socket : host_tree(fabric, server).sockets) {
    note_sockets(fabric, socket, std::to_string(fabric.device(socket.id).index), numa);
  }
  for (const DeviceId device : matrix.devices) {
    const auto found = numa.find(device);
    matrix.numa.push_back(found == numa.end() ? "N/A" : found->second);
    auto& row = matrix.cells.emplace_back();
    for (const DeviceId other : matrix.devices) row.push_back(cell_of(fabric, conditions, device, other));
  }
  return matrix;
}

std::string matrix_text(const Fabric& fabric, const Matrix& matrix, MatrixValues values) {
  std::string text;
  for (const DeviceId device : matrix.devices) text += '\t' + matrix_name(fabric, device);
  if (values == MatrixValues::types) text += "\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID";
  text += '\n';
  std::string nic_legend;
  for (std::size_t i = 0; i < matrix.devices.size(); ++i) {
    const DeviceId device = matrix.devices[i];
    text += matrix_name(fabric, device);
    for (const MatrixCell& cell : matrix.cells[i]) text += '\t' + figure(cell, values);
    const bool gpu = fabric.device(device).kind == DeviceKind::gpu;
    if (gpu && values == MatrixValues::types) text += "\tN/A\t" + matrix.numa[i] + "\t\tN/A";
    text += '\n';
    if (gpu) continue;
    const std::string& name = fabric.operator_name(device);
    nic_legend +=
        "  " + matrix_name(fabric, device) + ": " + (name.empty() ? fabric.name(device) : printable(name)) + '\n';
  }
  text += foot(matrix, values);
  if (!nic_legend.empty()) text += "\nNIC Legend:\n\n" + nic_legend;
  return text;
}

}  // namespace weft::report
