#include "weft/report/json.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "weft/report/text.h"

namespace weft::report {

std::string json_text(const nlohmann::ordered_json& document) {
  const std::string dumped = document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  // What is left of DEL, C1 controls and direction overrides can only stand inside strings: JSON's own escape fits.
  std::string out;
  out.reserve(dumped.size() + 1);
  for (std::string_view rest = dumped; !rest.empty();) {
    const CodePoint c = first_code_point(rest);
    const std::string_view piece = rest.substr(0, c.bytes);
    if (c.value == '\n' || printable(piece) == piece) {
      out += piece;
    } else {
      std::array<char, 16> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c.value));
      out += escape.data();
    }
    rest.remove_prefix(c.bytes);
  }
  return out + '\n';
}

}  // namespace weft::report
