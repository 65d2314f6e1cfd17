// One JSON document as text: keys in the order they were set, numbers with every digit they need to read back the
// same (infinite and not-a-number as null), names that are not UTF-8 repaired with U+FFFD, and nothing in it that a
// terminal would obey. Ends in a newline.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace weft::report {

[[nodiscard]] std::string json_text(const nlohmann::ordered_json& document);

}  // namespace weft::report
