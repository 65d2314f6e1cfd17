#include "weft/formats/nvsmi_words.h"

#include <algorithm>
#include <array>

#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

struct Word {
  std::string_view text;
  Closeness closeness;
};

// Longest first where one begins another. SOC is NVIDIA's word before SYS (driver 375 and older), PSB a dual-GPU
// board's own switch; MPB and SPB are Moore Threads' words for several and for a single PCIe bridge.
constexpr auto kWords = std::to_array<Word>({
    {"NODE", Closeness::node},
    {"PIX", Closeness::pix},
    {"PXB", Closeness::pxb},
    {"PHB", Closeness::phb},
    {"PSB", Closeness::pix},
    {"SYS", Closeness::sys},
    {"SOC", Closeness::sys},
    {"SPB", Closeness::pix},
    {"MPB", Closeness::pxb},
    {"N/A", Closeness::none},
    {"X", Closeness::self},
});

constexpr int kMostLinks = 144;  // far above any GPU (36 in a GB200 superchip's view)

std::optional<TopoCell> take_cell(std::string_view& text) {
  TopoCell cell;
  cell.origin = CellOrigin::read;
  if (text.starts_with("NV") && text.size() > 2 && (is_digit(text[2]) || text[2] == 'L')) {
    cell.closeness = Closeness::nvlink;
    std::size_t end = 2;
    while (end < text.size() && is_digit(text[end]) && end < 5) cell.links = cell.links * 10 + (text[end++] - '0');
    if (text[2] == 'L') end = 3;
    if (cell.links > kMostLinks) return std::nullopt;
    text.remove_prefix(end);
    return cell;
  }
  for (const Word& word : kWords) {
    if (!text.starts_with(word.text)) continue;
    cell.closeness = word.closeness;
    text.remove_prefix(word.text.size());
    return cell;
  }
  return std::nullopt;
}

std::size_t digits_at(std::string_view text, std::size_t from) {
  std::size_t n = 0;
  while (from + n < text.size() && is_digit(text[from + n])) ++n;
  return n;
}

// Length of the device name at the front of `text`; 0 = none.
std::size_t device_length(std::string_view text) {
  for (const std::string_view head : {"GPU", "NIC", "hns_", "bnxt_re", "irdma", "efa_", "qedr", "cxi", "mana_"}) {
    if (!text.starts_with(head)) continue;
    const std::size_t digits = digits_at(text, head.size());
    if (digits > 0 && digits <= 4) return head.size() + digits;
  }
  if (text.starts_with("mlx")) {  // mlx5_0, mlx4_1, mlx5_bond_0, mlx5_ib3
    const std::size_t version = digits_at(text, 3);
    if (version > 0 && text.substr(3 + version).starts_with("_")) {
      std::size_t at = 4 + version;
      for (const std::string_view infix : {"bond_", "ib", "an", "roce"}) {
        if (text.substr(at).starts_with(infix)) at += infix.size();
      }
      const std::size_t digits = digits_at(text, at);
      if (digits > 0) return at + digits;
    }
  }
  return 0;
}

// Names by udev's rules for RDMA devices: rocep4s0f0, ibp24s0, rdmap16s27. They stand alone in a word.
bool is_udev_name(std::string_view word) {
  for (const std::string_view head : {"roce", "ib", "rdma"}) {
    if (!word.starts_with(head) || word.size() > 24) continue;
    const std::string_view rest = word.substr(head.size());
    const bool plain =
        std::all_of(rest.begin(), rest.end(), [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); });
    if (plain && std::any_of(rest.begin(), rest.end(), is_digit)) return true;
  }
  return false;
}

}  // namespace

std::string_view name_of(Closeness closeness) {
  switch (closeness) {
    case Closeness::self:
      return "X";
    case Closeness::nvlink:
      return "NV";
    case Closeness::pix:
      return "PIX";
    case Closeness::pxb:
      return "PXB";
    case Closeness::phb:
      return "PHB";
    case Closeness::node:
      return "NODE";
    case Closeness::sys:
      return "SYS";
    case Closeness::none:
      return "N/A";
  }
  return "";
}

std::string without_terminal_codes(std::string_view line) {
  std::string out;
  out.reserve(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\x1b') {
      if (i + 1 < line.size() && line[i + 1] == '[') {  // CSI … final byte @ to ~
        i += 2;
        while (i < line.size() && (line[i] < '@' || line[i] > '~')) ++i;
      }
      continue;
    }
    if (c == '\r' || c == '\b') continue;
    if (c == '\xc2' && i + 1 < line.size() && line[i + 1] == '\xa0') {  // no-break space
      out += ' ';
      ++i;
      continue;
    }
    out += c;
  }
  return out;
}

bool is_topo_device(std::string_view word) {
  const std::size_t length = device_length(word);
  return (length > 0 && length == word.size()) || is_udev_name(word);
}

bool is_topo_gpu(std::string_view word) { return word.starts_with("GPU") && device_length(word) == word.size(); }

std::vector<std::string> take_topo_devices(std::string_view word, std::string_view& rest) {
  std::vector<std::string> names;
  if (is_udev_name(word)) {
    names.emplace_back(word);
    word = {};
  }
  while (const std::size_t length = device_length(word)) {
    names.emplace_back(word.substr(0, length));
    word.remove_prefix(length);
  }
  rest = word;
  return names;
}

std::vector<TopoCell> topo_cells(std::string_view word) {
  std::vector<TopoCell> cells;
  while (!word.empty()) {
    const auto cell = take_cell(word);
    if (!cell) return {};
    cells.push_back(*cell);
  }
  return cells;
}

bool is_ellipsis(std::string_view word) { return word == "..." || word == "\xe2\x80\xa6" || word == ".."; }

bool is_affinity(std::string_view word) {
  if (word == "N/A") return true;
  return !word.empty() && is_digit(word.front()) && word.find_first_not_of("0123456789,-") == std::string_view::npos;
}

std::optional<OverwrittenCell> overwritten_cell(std::string_view word) {
  const std::size_t digit = word.find_first_of("0123456789");
  if (digit == 0 || digit == std::string_view::npos || !is_affinity(word.substr(digit))) return std::nullopt;
  const std::string_view left = word.substr(0, digit);
  OverwrittenCell found;
  found.affinity = word.substr(digit);
  int candidates = 0;
  for (const Word& known : kWords) {
    if (known.closeness == Closeness::none || !known.text.starts_with(left)) continue;
    if (known.text == "PSB" || known.text == "SOC" || known.text == "SPB" || known.text == "MPB") continue;
    found.closeness = known.closeness;
    ++candidates;
  }
  if (candidates == 0) return std::nullopt;
  if (candidates > 1) found.closeness.reset();
  return found;
}

}  // namespace weft::formats
