#include "weft/formats/nccl_xml_tags.h"

#include "weft/formats/fields.h"

namespace weft::formats {
namespace {

std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 200)) {
    const bool fine = is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      std::string_view("_.:+@/-, ").find(c) != std::string_view::npos;
    out += fine ? c : '_';
  }
  return out;
}

std::string begin_of_tag(int depth, std::string_view name, const XmlAttributes& attributes) {
  std::string out(static_cast<std::size_t>(depth) * 2, ' ');
  out += '<';
  out += name;
  for (const auto& [key, value] : attributes) {
    if (value.empty()) continue;
    out += ' ';
    out += key;
    out += "=\"";
    out += plain(value);
    out += '"';
  }
  return out;
}

}  // namespace

std::string open_tag(int depth, std::string_view name, const XmlAttributes& attributes) {
  return begin_of_tag(depth, name, attributes) + ">\n";
}

std::string empty_tag(int depth, std::string_view name, const XmlAttributes& attributes) {
  return begin_of_tag(depth, name, attributes) + "/>\n";
}

std::string close_tag(int depth, std::string_view name) {
  std::string out(static_cast<std::size_t>(depth) * 2, ' ');
  out += "</";
  out += name;
  out += ">\n";
  return out;
}

std::string hex(std::uint64_t value, int digits) {
  std::string out(static_cast<std::size_t>(digits), '0');
  for (int i = digits - 1; i >= 0; --i, value >>= 4) out[static_cast<std::size_t>(i)] = "0123456789abcdef"[value & 15U];
  return out;
}

bool is_bus_id(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() != 3 || parts[2].size() != 4 || parts[2][2] != '.') return false;
  return parse_hex(parts[0]) && parse_hex(parts[1]) && parse_hex(parts[2].substr(0, 2));
}

}  // namespace weft::formats
