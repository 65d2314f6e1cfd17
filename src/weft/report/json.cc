#include "weft/report/json.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "weft/base/printable.h"
#include "weft/report/text.h"

namespace weft::report {
namespace {

// JSON's own escape for a character of the basic plane; the characters that matter here all are.
std::string escape(std::string_view character) {
  unsigned code = 0;
  for (std::size_t i = 0; i < character.size(); ++i) {
    const auto byte = static_cast<unsigned char>(character[i]);
    const unsigned lead_mask = character.size() == 1 ? 0x7fU : 0x7fU >> character.size();
    code = i == 0 ? byte & lead_mask : code << 6U | (byte & 0x3fU);
  }
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "\\u%04x", code);
  return text.data();
}

}  // namespace

std::string json_text(const nlohmann::ordered_json& document) {
  const std::string dumped = document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  // What is left of DEL, C1 controls and marks of direction can only stand inside strings.
  std::string out;
  out.reserve(dumped.size() + 1);
  for (std::string_view rest = dumped; !rest.empty();) {
    const std::string_view character = rest.substr(0, first_character(rest));
    const bool ascii = character.size() == 1 && character != "\x7f";
    out += ascii || printable(character) == character ? std::string(character) : escape(character);
    rest.remove_prefix(character.size());
  }
  return out + '\n';
}

}  // namespace weft::report
