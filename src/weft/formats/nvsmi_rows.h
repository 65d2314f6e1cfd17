// The lines of `nvidia-smi topo -m` that matter: header, rows, NIC legend, out of whatever text stands around them.
//
// First half of formats/nvsmi_matrix.h: lines become rows of cells here, rows become a matrix there.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/formats/nvsmi_matrix.h"

namespace weft::formats {

enum class TopoLabel { device, cpu_affinity, numa_affinity, gpu_numa_id, elided, other };

struct TopoColumn {
  TopoLabel label = TopoLabel::device;
  std::string name;
};

struct TopoHeader {
  std::vector<TopoColumn> columns;
  int line = 0;
  bool markdown = false;
  [[nodiscard]] std::size_t devices() const {
    return static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(),
                                                  [](const TopoColumn& c) { return c.label == TopoLabel::device; }));
  }
};

// A row as far as it could be read. Without an ellipsis, cells[i] belongs to the i-th device column.
struct TopoRow {
  std::string name;
  int line = 0;
  std::vector<TopoCell> cells;
  std::vector<TopoCell> after_ellipsis;
  bool ellipsis = false;
  bool broken_off = false;  // ended in the middle of a word
  std::vector<std::string> trailing;
  std::map<TopoLabel, std::string> labelled;  // markdown: trailing cells by their column
};

struct TopoText {
  std::optional<TopoHeader> header;
  std::vector<TopoRow> rows;
  std::map<std::string, std::string, std::less<>> legend;  // "NIC0" -> "mlx5_0"
  std::vector<std::string> notes;
};

Result<TopoText> read_topo_rows(const SourceText& source);

[[nodiscard]] Error too_many_topo_devices(const SourceText& source, int line);

}  // namespace weft::formats
