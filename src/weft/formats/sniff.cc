#include "weft/formats/sniff.h"

#include <algorithm>
#include <optional>

#include "weft/base/printable.h"
#include "weft/formats/fields.h"
#include "weft/formats/measured_table.h"
#include "weft/formats/nccl_tests_log.h"
#include "weft/formats/nvsmi_matrix.h"

namespace weft::formats {
namespace {

constexpr std::size_t kLookAt = std::size_t{1} << 20;

// Past comments, processing instructions and a DOCTYPE: the first element's name; "" when there is none.
std::string_view root_element(std::string_view text) {
  for (;;) {
    const std::size_t open = text.find('<');
    if (open == std::string_view::npos) return {};
    text.remove_prefix(open);
    std::string_view end = ">";
    if (text.starts_with("<!--")) {
      end = "-->";
    } else if (text.starts_with("<?")) {
      end = "?>";
    } else if (!text.starts_with("<!")) {
      text.remove_prefix(1);
      return text.substr(0, std::min(text.find_first_of(" \t\r\n/>"), std::size_t{64}));
    }
    const std::size_t close = text.find(end);
    if (close == std::string_view::npos) return {};
    text.remove_prefix(close + end.size());
  }
}

Sniffed sniff_xml(std::string_view text) {
  const std::string root(root_element(text));
  const std::string found = "the root element is <" + root + ">";
  if (root == "system") return {Format::nccl_topo_xml, found};
  if (root == "graphs") return {Format::nccl_graph_xml, found};
  if (root == "topology") return {Format::hwloc_xml, found};
  if (root == "cpu" || root == "pci")
    return {Format::nccl_topo_xml, found + ", which stands inside <system> in an NCCL topology"};
  if (root.empty()) return {Format::unknown, "it begins like XML but holds no element"};
  return {Format::unknown, "XML that no reader knows: " + found};
}

bool has_key(std::string_view text, std::string_view key) {
  const std::size_t at = text.find('"' + std::string(key) + '"');
  if (at == std::string_view::npos) return false;
  const std::size_t after = text.find_first_not_of(" \t\r\n", at + key.size() + 2);
  return after != std::string_view::npos && text[after] == ':';
}

Sniffed sniff_json(std::string_view text) {
  for (const std::string_view key : {"model_type", "architectures", "num_hidden_layers", "hidden_size", "n_layer"}) {
    if (has_key(text, key)) return {Format::hf_config, "JSON with the key \"" + std::string(key) + "\""};
  }
  return {Format::unknown,
          "JSON without the keys of a model's config.json (model_type, hidden_size, num_hidden_layers)"};
}

// "Switch 65 "S-…"", "Ca 2 "H-…"", "SW 1719 10 0x… 4x EDR - CA …".
bool is_ibnetdiscover_line(std::string_view line) {
  const std::vector<std::string_view> parts = words(line.substr(0, 400));
  if (parts.size() < 3) return false;
  if ((parts[0] == "Switch" || parts[0] == "Ca") && parse_whole(parts[1])) {
    return parts[2].starts_with("\"S-") || parts[2].starts_with("\"H-");
  }
  if ((parts[0] == "SW" || parts[0] == "CA") && parts.size() >= 6) {
    return parse_whole(parts[1]) && parse_whole(parts[2]) && parts[3].starts_with("0x");
  }
  return false;
}

enum class TomlLook { none, table, assignment };

TomlLook toml_look(std::string_view line) {
  line = trim(line);
  for (const std::string_view table :
       {"[[servers]]", "[servers]", "[network]", "[[network.switches]]", "[[network.cables]]", "[management]"}) {
    if (line.starts_with(table)) return TomlLook::table;
  }
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos || equals == 0) return TomlLook::none;
  const std::string_view key = trim(line.substr(0, equals));
  const std::string_view value = trim(line.substr(equals + 1));
  const bool plain = !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
  });
  if (!plain || value.empty()) return TomlLook::none;
  const bool typed = value.front() == '"' || value.front() == '\'' || value.front() == '[' || value.front() == '{' ||
                     is_digit(value.front()) || value == "true" || value == "false";
  return typed ? TomlLook::assignment : TomlLook::none;
}

std::optional<Sniffed> sniff_lines(std::string_view text) {
  int line_number = 0;
  int assignments = 0;
  int other = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++line_number;
    const std::string_view plain = trim(line);
    if (is_ibnetdiscover_line(plain))
      return Sniffed{Format::ibnetdiscover, "line " + std::to_string(line_number) + " is a record of ibnetdiscover"};
    if (plain.empty() || plain.front() == '#') continue;
    switch (toml_look(plain)) {
      case TomlLook::table:
        return Sniffed{Format::cluster_toml, "line " + std::to_string(line_number) + " is " +
                                                 std::string(plain.substr(0, plain.find(']') + 1))};
      case TomlLook::assignment:
        ++assignments;
        break;
      case TomlLook::none:
        ++other;
        break;
    }
  }
  if (assignments > 0 && assignments >= other)
    return Sniffed{Format::cluster_toml, "it is made of key = value lines, as TOML is"};
  return std::nullopt;
}

}  // namespace

std::string_view name_of(Format format) {
  switch (format) {
    case Format::unknown:
      return "unknown";
    case Format::nccl_topo_xml:
      return "NCCL topology XML";
    case Format::nccl_graph_xml:
      return "NCCL graph XML";
    case Format::nvsmi_topo_matrix:
      return "nvidia-smi topo -m";
    case Format::hf_config:
      return "Hugging Face config.json";
    case Format::cluster_toml:
      return "cluster file (TOML)";
    case Format::hwloc_xml:
      return "hwloc XML";
    case Format::ibnetdiscover:
      return "ibnetdiscover";
    case Format::measured_table:
      return "measured table";
    case Format::nccl_tests_log:
      return "nccl-tests log";
  }
  return "";
}

namespace {

Sniffed judge(std::string_view text) {
  if (text.starts_with("\x1f\x8b")) return {Format::unknown, "it is compressed (gzip); unpack it first"};
  if (text.starts_with("\x28\xb5\x2f\xfd")) return {Format::unknown, "it is compressed (zstd); unpack it first"};
  if (text.starts_with("PK\x03\x04")) return {Format::unknown, "it is a zip archive; unpack it first"};
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return {Format::unknown, "it is UTF-16; turn it with iconv -f UTF-16 -t UTF-8"};
  text = text.substr(0, kLookAt);
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  text = trim(text);
  if (text.empty()) return {Format::unknown, "it is empty"};
  if (text.find('\0') != std::string_view::npos) return {Format::unknown, "it is not text: it holds a zero byte"};
  if (looks_like_measured_table(text))
    return {Format::measured_table, "a line of column names with size_bytes and a time or bandwidth stands in it"};
  if (text.front() == '<') return sniff_xml(text);
  if (text.front() == '{') return sniff_json(text);
  if (looks_like_topo_matrix(text))
    return {Format::nvsmi_topo_matrix, "a row of GPU connections (X, NV#, PIX, SYS …) stands in it"};
  if (const std::size_t at = text.find("<system version="); at != std::string_view::npos) {
    return {Format::nccl_topo_xml, "<system version=…> stands in it, after other text"};
  }
  if (looks_like_nccl_tests_log(text)) return {Format::nccl_tests_log, "columns or rows of nccl-tests stand in it"};
  if (auto found = sniff_lines(text)) return *found;
  if (const std::string_view other = other_benchmark(text); !other.empty())
    return {Format::unknown, "it is output of " + std::string(other)};
  return {Format::unknown,
          "it is neither XML, JSON, TOML, a topo -m matrix, ibnetdiscover output nor an nccl-tests log"};
}

}  // namespace

Sniffed sniff(std::string_view text) {
  Sniffed sniffed = judge(text);
  sniffed.why = printable(sniffed.why);  // it may repeat the file's own words
  return sniffed;
}

}  // namespace weft::formats
