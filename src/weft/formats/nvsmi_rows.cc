#include "weft/formats/nvsmi_rows.h"

#include <span>

#include "weft/base/printable.h"
#include "weft/base/suggest.h"
#include "weft/formats/fields.h"
#include "weft/formats/limits.h"
#include "weft/formats/nvsmi_words.h"

namespace weft::formats {
namespace {

constexpr std::size_t kLongestLine = std::size_t{1} << 14;  // 512 devices take about 4 KiB

using Words = std::span<const std::string_view>;

TopoLabel label_of(std::string_view text) {
  std::string plain;
  for (const char c : lower(text)) {
    if (!is_space(c)) plain += c;
  }
  if (plain == "cpuaffinity") return TopoLabel::cpu_affinity;
  if (plain == "numaaffinity") return TopoLabel::numa_affinity;
  if (plain == "gpunumaid") return TopoLabel::gpu_numa_id;
  return TopoLabel::other;
}

class RowReader {
 public:
  explicit RowReader(const SourceText& source) : source_(source) {}

  Result<TopoText> run() {
    if (auto fit = check_whole(); !fit) return fail(fit.error());
    std::size_t begin = 0;
    for (int line = 1; begin <= source_.text.size() && !done_; ++line) {
      std::size_t end = source_.text.find('\n', begin);
      if (end == std::string::npos) end = source_.text.size();
      const std::string_view raw = std::string_view(source_.text).substr(begin, std::min(end - begin, kLongestLine));
      if (auto step = take_line(without_terminal_codes(raw), line); !step) return fail(step.error());
      begin = end + 1;
    }
    return std::move(text_);
  }

 private:
  Result<void> check_whole() {
    if (trim(source_.text).empty()) {
      return fail(input_error("WEFT-FMT-0201", "the file is empty")
                      .at(source_.position(0))
                      .with_expected("the output of nvidia-smi topo -m"));
    }
    if (source_.text.size() > kMaxFileBytes) {
      return fail(input_error("WEFT-FMT-0202", "the file has more than the " + std::to_string(kMaxFileBytes >> 20) +
                                                   " MiB that are read")
                      .at(source_.position(0))
                      .with_hint("cut out the matrix of nvidia-smi topo -m"));
    }
    return {};
  }

  Result<void> take_line(const std::string& line, int number) {
    if (take_legend(line)) return {};
    const bool markdown = std::count(line.begin(), line.end(), '|') >= 2;
    return markdown ? take_markdown(line, number) : take_words(line, number);
  }

  // "NIC0: mlx5_0"
  bool take_legend(const std::string& line) {
    const std::vector<std::string_view> parts = words(line);
    if (parts.size() != 2 || !parts[0].ends_with(':')) return false;
    const std::string_view name = parts[0].substr(0, parts[0].size() - 1);
    if (!name.starts_with("NIC") || !is_topo_device(name)) return false;
    text_.legend.emplace(name, parts[1].substr(0, 64));
    return true;
  }

  Result<void> take_words(const std::string& line, int number) {
    const std::vector<std::string_view> parts = words(line);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      // A row: a device, then a connection. Log prefixes may stand before it.
      if (names_a_row(parts[i]) && i + 1 < parts.size() && !topo_cells(parts[i + 1]).empty()) {
        return take_row(Words(parts).subspan(i), number);
      }
      if (const auto header = header_from(Words(parts).subspan(i), number)) {
        if (!text_.rows.empty()) {
          finish("a second matrix begins at line " + std::to_string(number) + ": only the first is read");
        } else if (text_.header && text_.header->line == number - 1 && !is_topo_gpu(parts[i])) {
          text_.header->columns.insert(text_.header->columns.end(), header->columns.begin(), header->columns.end());
          text_.header->line = number;  // wrapped
        } else {
          text_.header = header;
        }
        return {};
      }
    }
    continue_row(parts, number);
    return {};
  }

  [[nodiscard]] bool names_a_row(std::string_view word) const {
    if (is_topo_device(word)) return true;
    return text_.header &&
           std::any_of(text_.header->columns.begin(), text_.header->columns.end(),
                       [&](const TopoColumn& c) { return c.label == TopoLabel::device && c.name == word; });
  }

  // Devices from the first word on, then the labels; nullopt when the words are no header.
  static std::optional<TopoHeader> header_from(Words parts, int number) {
    TopoHeader header;
    header.line = number;
    std::size_t i = 0;
    for (; i < parts.size() && header.columns.size() <= kMaxTopoDevices; ++i) {
      if (is_ellipsis(parts[i]) && !header.columns.empty()) {
        header.columns.push_back({TopoLabel::elided, "..."});
        continue;
      }
      std::string_view rest;
      std::vector<std::string> names = take_topo_devices(parts[i], rest);
      if (names.empty() && !header.columns.empty() && is_unusual_device(parts[i])) names.emplace_back(parts[i]);
      for (std::string& name : names) header.columns.push_back({TopoLabel::device, std::move(name)});
      if (names.empty() || (!rest.empty() && names.back() != parts[i])) break;
    }
    if (header.columns.empty()) return std::nullopt;
    std::string labels;  // what follows the devices, without blanks: "CPUAffinityNUMAAffinityGPUNUMAID"
    for (std::size_t k = i; k < parts.size() && k < i + 8; ++k) labels += parts[k].substr(0, 64);
    const bool cpu = labels.find("CPUAffinity") != std::string::npos;
    const bool numa = labels.find("NUMAAffinity") != std::string::npos;
    if (header.devices() < 2 && !cpu && !numa) return std::nullopt;
    if (cpu) header.columns.push_back({TopoLabel::cpu_affinity, ""});
    if (numa) header.columns.push_back({TopoLabel::numa_affinity, ""});
    if (labels.find("GPUNUMAID") != std::string::npos) header.columns.push_back({TopoLabel::gpu_numa_id, ""});
    return header;
  }

  // A device name that no rule knows, between known ones: letters and digits, and not the beginning of a label.
  static bool is_unusual_device(std::string_view word) {
    if (word.size() > 32 || word == "CPU" || word == "NUMA" || word.starts_with("CPU") || is_ellipsis(word))
      return false;
    return word.find_first_of("0123456789") != std::string_view::npos && !is_digit(word.front());
  }

  Result<void> take_row(Words parts, int number) {
    TopoRow row;
    row.name = parts[0];
    row.line = number;
    if (is_second_matrix(row.name, number)) return {};
    if (auto filled = fill_row(row, parts.subspan(1)); !filled) return filled;
    if (text_.rows.size() >= kMaxTopoDevices) return fail(too_many_topo_devices(source_, number));
    text_.rows.push_back(std::move(row));
    return {};
  }

  bool is_second_matrix(const std::string& name, int number) {
    const bool again =
        std::any_of(text_.rows.begin(), text_.rows.end(), [&](const TopoRow& r) { return r.name == name; });
    if (again)
      finish("row " + name + " comes again at line " + std::to_string(number) + ": only the first matrix is read");
    return again;
  }

  void finish(std::string note) {
    text_.notes.push_back(std::move(note));
    done_ = true;
  }

  // A wrapped row goes on in lines that hold only cells, while cells are missing.
  void continue_row(Words parts, int number) {
    if (parts.empty() || text_.rows.empty() || !text_.header || text_.rows.back().line != number - 1) return;
    TopoRow& row = text_.rows.back();
    if (row.ellipsis || !row.trailing.empty() || row.cells.size() >= text_.header->devices()) return;
    const bool all_cells = std::all_of(parts.begin(), parts.end(),
                                       [](std::string_view p) { return !topo_cells(p).empty() || is_affinity(p); });
    if (!all_cells || topo_cells(parts[0]).empty()) return;
    row.line = number;
    if (fill_row(row, parts)) text_.notes.push_back("row " + row.name + " goes on in line " + std::to_string(number));
  }

  // Cells until the columns are full or an affinity comes, then what trails.
  Result<void> fill_row(TopoRow& row, Words parts) {
    const std::size_t columns = text_.header ? text_.header->devices() : kMaxTopoDevices;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::string_view part = parts[i];
      std::vector<TopoCell>& into = row.ellipsis ? row.after_ellipsis : row.cells;
      const bool full = row.cells.size() + row.after_ellipsis.size() >= columns;
      if (full || !row.trailing.empty()) {
        row.trailing.emplace_back(part.substr(0, 200));
        continue;
      }
      if (is_ellipsis(part)) {
        row.ellipsis = true;
        continue;
      }
      const std::vector<TopoCell> cells = topo_cells(part);
      // "N/A" trails in a row without header; within the columns it is a cell.
      if (!cells.empty() && !(part == "N/A" && !text_.header)) {
        take_cells(row, into, cells, part, columns);
      } else if (const auto hit = overwritten_cell(part); hit && i > 0) {
        take_overwritten(row, into, *hit, part);
      } else if (is_affinity(part)) {
        row.trailing.emplace_back(part.substr(0, 200));
      } else if (i + 1 == parts.size()) {
        row.broken_off = true;
      } else {
        return fail(unknown_word(row, part));
      }
    }
    return {};
  }

  void take_cells(const TopoRow& row, std::vector<TopoCell>& into, const std::vector<TopoCell>& cells,
                  std::string_view part, std::size_t columns) {
    if (cells.size() > 1) {
      ++glued_;
      if (glued_ <= 3) {
        text_.notes.push_back("row " + row.name + ": " + in_quotes(part) + " read as " + std::to_string(cells.size()) +
                              " cells run together");
      }
    }
    for (TopoCell cell : cells) {
      if (into.size() >= columns) break;
      if (cells.size() > 1) cell.origin = CellOrigin::repaired;
      into.push_back(cell);
    }
  }

  void take_overwritten(TopoRow& row, std::vector<TopoCell>& into, const OverwrittenCell& hit, std::string_view part) {
    TopoCell cell;
    if (hit.closeness) {
      cell.closeness = *hit.closeness;
      cell.origin = CellOrigin::repaired;
    }
    into.push_back(cell);
    row.trailing.push_back(hit.affinity);
    if (++overwritten_ <= 3) {
      text_.notes.push_back("row " + row.name + ": " + in_quotes(part) +
                            (hit.closeness
                                 ? " read as " + std::string(name_of(*hit.closeness)) + " and the CPU affinity "
                                 : " hides its last connection behind the CPU affinity ") +
                            hit.affinity + " (nvidia-smi writes one over the other)");
    }
  }

  Result<void> take_markdown(const std::string& line, int number) {
    std::vector<std::string> fields;
    std::string_view all = trim(line);
    if (all.starts_with('|')) all.remove_prefix(1);
    if (all.ends_with('|')) all.remove_suffix(1);
    for (const std::string_view field : split(all, '|')) {
      std::string plain;
      for (const char c : trim(field)) {
        if (c != '*' && c != '`') plain += c;
      }
      fields.emplace_back(trim(plain));
      if (fields.size() > kMaxTopoDevices + 8) return fail(too_many_topo_devices(source_, number));
    }
    const bool has_cell =
        std::any_of(fields.begin(), fields.end(), [](const auto& f) { return !topo_cells(f).empty(); });
    const bool has_device = std::any_of(fields.begin(), fields.end(), [](const auto& f) { return is_topo_device(f); });
    if (!has_device) return {};
    if (!has_cell) {
      if (!text_.rows.empty()) {
        finish("a second matrix begins at line " + std::to_string(number) + ": only the first is read");
      } else {
        text_.header = markdown_header(fields, number);
      }
      return {};
    }
    return take_markdown_row(fields, number);
  }

  static TopoHeader markdown_header(const std::vector<std::string>& fields, int number) {
    TopoHeader header;
    header.line = number;
    header.markdown = true;
    for (const std::string& field : fields) {
      header.columns.push_back({is_topo_device(field) ? TopoLabel::device : label_of(field), field});
    }
    return header;
  }

  Result<void> take_markdown_row(const std::vector<std::string>& fields, int number) {
    const auto name = std::find_if(fields.begin(), fields.end(), [](const auto& f) { return is_topo_device(f); });
    TopoRow row;
    row.name = *name;
    row.line = number;
    if (is_second_matrix(row.name, number)) return {};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (fields.begin() + static_cast<std::ptrdiff_t>(i) == name) continue;
      const TopoLabel label =
          text_.header && i < text_.header->columns.size() ? text_.header->columns[i].label : TopoLabel::device;
      if (label == TopoLabel::device) {
        const std::vector<TopoCell> cells = topo_cells(fields[i]);
        if (cells.size() == 1) {
          row.cells.push_back(cells[0]);
        } else if (fields[i].empty() || is_ellipsis(fields[i])) {
          row.cells.push_back({});
        } else {
          return fail(unknown_word(row, fields[i]));
        }
      } else if (label != TopoLabel::other && is_affinity(fields[i])) {
        row.labelled[label] = fields[i];
      }
    }
    if (text_.rows.size() >= kMaxTopoDevices) return fail(too_many_topo_devices(source_, number));
    text_.rows.push_back(std::move(row));
    return {};
  }

  [[nodiscard]] Error unknown_word(const TopoRow& row, std::string_view word) const {
    static const std::vector<std::string> known = {"X", "NV1", "PIX", "PXB", "PHB", "NODE", "SYS", "SOC", "N/A"};
    const SourcePosition line = source_.position_at(row.line, 1);
    const std::string column = row.cells.size() < (text_.header ? text_.header->devices() : 0)
                                   ? ", column " + nth_device(row.cells.size())
                                   : std::string();
    Error error =
        input_error("WEFT-FMT-0204", "row " + row.name + column + ": " + in_quotes(word) + " is no connection")
            .with_expected("X, NV#, PIX, PXB, PHB, NODE, SYS or N/A")
            .with_hint(did_you_mean(word.substr(0, 64), known));
    const std::size_t at = line.line_text.find(word);
    error.where = at == std::string::npos ? line : source_.position_at(row.line, static_cast<int>(at) + 1);
    if (error.hint.empty()) error.hint = "take the matrix again: nvidia-smi topo -m > topo.txt";
    return error;
  }

  [[nodiscard]] std::string nth_device(std::size_t n) const {
    for (const TopoColumn& column : text_.header->columns) {
      if (column.label == TopoLabel::device && n-- == 0) return column.name;
    }
    return "";
  }

  const SourceText& source_;
  TopoText text_;
  bool done_ = false;
  int glued_ = 0;
  int overwritten_ = 0;
};

}  // namespace

Result<TopoText> read_topo_rows(const SourceText& source) { return RowReader(source).run(); }

Error too_many_topo_devices(const SourceText& source, int line) {
  return input_error("WEFT-FMT-0202", "the matrix has more than " + std::to_string(kMaxTopoDevices) + " devices")
      .at(source.position_at(line, 1))
      .with_hint("nvidia-smi lists one server; is this the right file?");
}

}  // namespace weft::formats
