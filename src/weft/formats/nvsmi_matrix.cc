#include "weft/formats/nvsmi_matrix.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"
#include "weft/formats/nvsmi_rows.h"
#include "weft/formats/nvsmi_words.h"

namespace weft::formats {
namespace {

class Assembler {
 public:
  Assembler(const SourceText& source, TopoText text) : source_(source), text_(std::move(text)) {
    matrix_.notes = std::move(text_.notes);
  }

  Result<TopoMatrix> run() {
    if (text_.rows.empty()) return fail(no_rows());
    if (auto named = name_columns(); !named) return fail(named.error());
    matrix_.resize_cells();
    for (const TopoRow& row : text_.rows) {
      if (auto placed = place(row); !placed) return fail(placed.error());
    }
    mirror();
    apply_legend();
    gpus_first();
    return std::move(matrix_);
  }

 private:
  Result<void> name_columns() {
    if (text_.header) {
      for (const TopoColumn& column : text_.header->columns) {
        if (column.label == TopoLabel::device) add_device(column.name);
      }
    } else if (auto found = columns_without_header(); !found) {
      return found;
    }
    if (matrix_.devices.size() > kMaxTopoDevices)
      return fail(too_many_topo_devices(source_, text_.header ? text_.header->line : text_.rows[0].line));
    if (matrix_.gpus() == 0) return fail(no_rows());
    note_elided();
    return {};
  }

  void add_device(std::string name) {
    TopoDevice device;
    device.gpu = is_topo_gpu(name);
    device.name = std::move(name);
    matrix_.devices.push_back(std::move(device));
  }

  void note_elided() {
    if (!text_.header) return;
    for (const TopoColumn& column : text_.header->columns) {
      if (column.label != TopoLabel::elided) continue;
      matrix_.notes.emplace_back("the header leaves devices out with \"...\": those are not in the result");
      return;
    }
  }

  // The X of each row tells its column; columns between are GPUs up to the first NIC's place.
  Result<void> columns_without_header() {
    matrix_.header_found = false;
    std::size_t width = 0;
    std::map<std::size_t, std::string> known;
    std::optional<std::size_t> gpus;
    std::size_t nic_rows = 0;
    std::size_t last_gpu = 0;
    for (const TopoRow& row : text_.rows) {
      width = std::max(width, row.cells.size());
      const auto self = std::find_if(row.cells.begin(), row.cells.end(),
                                     [](const TopoCell& c) { return c.closeness == Closeness::self; });
      const auto column = static_cast<std::size_t>(self - row.cells.begin());
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        if (row.cells[i].closeness == Closeness::nvlink) last_gpu = std::max(last_gpu, i);
      }
      if (self == row.cells.end()) continue;
      known[column] = row.name;
      if (is_topo_gpu(row.name)) {
        last_gpu = std::max(last_gpu, column);
      } else {
        const std::optional<std::int64_t> number =
            row.name.starts_with("NIC") ? parse_whole(std::string_view(row.name).substr(3)) : std::nullopt;
        const auto place = static_cast<std::size_t>(number.value_or(static_cast<std::int64_t>(nic_rows)));
        if (!gpus && place <= column) gpus = column - place;
        ++nic_rows;
      }
    }
    const std::size_t first_nic = std::min(gpus.value_or(last_gpu + 1), width);
    for (std::size_t i = 0; i < width; ++i) {
      if (const auto it = known.find(i); it != known.end()) {
        add_device(it->second);
      } else {
        add_device(i < first_nic ? "GPU" + std::to_string(i) : "NIC" + std::to_string(i - first_nic));
      }
    }
    if (width == 0) return fail(no_rows());
    matrix_.notes.push_back("the header line is missing: columns taken from the rows' own places (" +
                            counted(first_nic, "GPU") + ", " + counted(width - first_nic, "NIC") + ")");
    return {};
  }

  Result<void> place(const TopoRow& row) {
    const auto it = std::find_if(matrix_.devices.begin(), matrix_.devices.end(),
                                 [&](const TopoDevice& d) { return d.name == row.name; });
    if (it == matrix_.devices.end()) {
      matrix_.notes.push_back("row " + row.name + " has no column of its own: left out");
      return {};
    }
    const auto index = static_cast<std::size_t>(it - matrix_.devices.begin());
    it->has_row = true;
    it->line = row.line;
    if (auto checked = check_diagonal(row, index); !checked) return checked;
    const std::size_t n = matrix_.devices.size();
    for (std::size_t i = 0; i < row.cells.size() && i < n; ++i) matrix_.cell(index, i) = row.cells[i];
    if (row.ellipsis && !row.after_ellipsis.empty() && header_elides()) {
      for (std::size_t i = 0; i < row.after_ellipsis.size() && i < n; ++i) {
        matrix_.cell(index, n - row.after_ellipsis.size() + i) = row.after_ellipsis[i];
      }
    }
    it->cells_read = static_cast<int>(row.cells.size() + row.after_ellipsis.size());
    if (row.cells.size() + row.after_ellipsis.size() < n) {
      matrix_.notes.push_back("row " + row.name + " has " + std::to_string(it->cells_read) + " of " +
                              std::to_string(n) + " cells");
    }
    take_trailing(row, *it);
    return {};
  }

  [[nodiscard]] bool header_elides() const {
    return text_.header && std::any_of(text_.header->columns.begin(), text_.header->columns.end(),
                                       [](const TopoColumn& c) { return c.label == TopoLabel::elided; });
  }

  // A row's X stands in its own column; elsewhere, a cell is missing or too many and every cell is in doubt.
  Result<void> check_diagonal(const TopoRow& row, std::size_t index) {
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const bool is_self = row.cells[i].closeness == Closeness::self;
      if (is_self == (i == index) || (i == index && !row.cells[i].known())) continue;
      const std::string found = is_self
                                    ? "the X of row " + row.name + " stands in column " +
                                          (i < matrix_.devices.size() ? matrix_.devices[i].name : std::to_string(i + 1))
                                    : "row " + row.name + " has no X in its own column";
      return fail(
          input_error("WEFT-FMT-0205", found + ": a cell is missing or added before it")
              .at(source_.position_at(row.line, 1))
              .with_expected("X in column " + std::to_string(index + 1) + " of the cells")
              .with_hint("compare the row with the header, or take the matrix again: nvidia-smi topo -m > topo.txt"));
    }
    return {};
  }

  void take_trailing(const TopoRow& row, TopoDevice& device) {
    std::map<TopoLabel, std::string> values = row.labelled;
    std::vector<TopoLabel> order;
    if (text_.header && !text_.header->markdown) {
      for (const TopoColumn& column : text_.header->columns) {
        if (column.label != TopoLabel::device && column.label != TopoLabel::elided) order.push_back(column.label);
      }
    }
    if (order.empty()) order = {TopoLabel::cpu_affinity, TopoLabel::numa_affinity, TopoLabel::gpu_numa_id};
    for (std::size_t i = 0; i < row.trailing.size() && i < order.size(); ++i) {
      if (!is_affinity(row.trailing[i])) break;
      values.emplace(order[i], row.trailing[i]);
    }
    const auto value = [&](TopoLabel label) {
      const auto it = values.find(label);
      return it == values.end() || it->second == "N/A" ? std::string() : it->second;
    };
    device.cpu_affinity = value(TopoLabel::cpu_affinity);
    device.numa_affinity = value(TopoLabel::numa_affinity);
    device.gpu_numa_id = value(TopoLabel::gpu_numa_id);
  }

  // Missing cells from the mirrored place; where the two disagree the farther one holds.
  void mirror() {
    const std::size_t n = matrix_.devices.size();
    std::size_t filled = 0;
    std::vector<std::string> differing;
    for (std::size_t a = 0; a < n; ++a) {
      TopoCell& own = matrix_.cell(a, a);
      own = {Closeness::self, 0, CellOrigin::read};
      for (std::size_t b = a + 1; b < n; ++b) {
        TopoCell& ab = matrix_.cell(a, b);
        TopoCell& ba = matrix_.cell(b, a);
        if (ab.known() != ba.known()) {
          TopoCell& missing = ab.known() ? ba : ab;
          missing = ab.known() ? ab : ba;
          missing.origin = CellOrigin::mirrored;
          ++filled;
        } else if (ab.known() && (ab.closeness != ba.closeness || ab.links != ba.links)) {
          differing.push_back(disagreement(a, b));
          settle(ab, ba);
        }
      }
    }
    if (filled > 0) matrix_.notes.push_back(counted(filled, "cell") + " taken from the mirrored place");
    if (!differing.empty()) {
      matrix_.notes.push_back("the matrix is not symmetric: " + listed(differing, 4) + "; the farther one is taken");
    }
  }

  [[nodiscard]] std::string disagreement(std::size_t a, std::size_t b) const {
    const auto word = [](const TopoCell& cell) {
      return std::string(name_of(cell.closeness)) + (cell.links > 0 ? std::to_string(cell.links) : "");
    };
    return matrix_.devices[a].name + "-" + matrix_.devices[b].name + " " + word(matrix_.cell(a, b)) + " against " +
           word(matrix_.cell(b, a));
  }

  static void settle(TopoCell& ab, TopoCell& ba) {
    const bool repaired_loses = (ab.origin == CellOrigin::repaired) != (ba.origin == CellOrigin::repaired);
    const auto distance = [](const TopoCell& c) { return static_cast<int>(c.closeness) * 1000 - c.links; };
    const bool take_ab = repaired_loses ? ba.origin == CellOrigin::repaired : distance(ab) >= distance(ba);
    if (take_ab) {
      ba = ab;
    } else {
      ab = ba;
    }
  }

  void apply_legend() {
    for (TopoDevice& device : matrix_.devices) {
      if (device.gpu) continue;
      const auto it = text_.legend.find(device.name);
      if (it != text_.legend.end()) device.rdma_name = it->second;
      if (it == text_.legend.end() && !device.name.starts_with("NIC")) device.rdma_name = device.name;
    }
  }

  // Whatever the order of the columns was.
  void gpus_first() {
    std::vector<std::size_t> order(matrix_.devices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return matrix_.devices[i].gpu; });
    if (std::is_sorted(order.begin(), order.end())) return;
    const TopoMatrix before = matrix_;
    for (std::size_t a = 0; a < order.size(); ++a) {
      matrix_.devices[a] = before.devices[order[a]];
      for (std::size_t b = 0; b < order.size(); ++b) matrix_.cell(a, b) = before.cell(order[a], order[b]);
    }
  }

  [[nodiscard]] Error no_rows() const {
    return input_error("WEFT-FMT-0203",
                       text_.header ? "the matrix has a header but no row" : "there is no GPU matrix in this text")
        .at(text_.header ? source_.position_at(text_.header->line, 1) : source_.position(0))
        .with_expected("the output of nvidia-smi topo -m: a header GPU0 GPU1 … and a row for each GPU")
        .with_hint("take it again: nvidia-smi topo -m > topo.txt");
  }

  const SourceText& source_;
  TopoText text_;
  TopoMatrix matrix_;
};

}  // namespace

std::size_t TopoMatrix::gpus() const {
  return static_cast<std::size_t>(
      std::count_if(devices.begin(), devices.end(), [](const TopoDevice& d) { return d.gpu; }));
}

Result<TopoMatrix> read_topo_matrix(const SourceText& source) {
  auto text = read_topo_rows(source);
  if (!text) return fail(text.error());
  return Assembler(source, std::move(*text)).run();
}

bool looks_like_topo_matrix(std::string_view text) {
  for (std::string_view line : split(text.substr(0, std::size_t{1} << 20), '\n')) {
    std::string plain = without_terminal_codes(line.substr(0, std::size_t{1} << 14));
    std::replace(plain.begin(), plain.end(), '|', ' ');
    const std::vector<std::string_view> parts = words(plain);
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      if (is_topo_gpu(parts[i]) && !topo_cells(parts[i + 1]).empty()) return true;
    }
  }
  return false;
}

}  // namespace weft::formats
