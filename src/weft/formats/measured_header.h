// One `# key: value` line of a measured table.
#pragma once

#include <string_view>

#include "weft/base/error.h"
#include "weft/formats/measured_table.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

// "", "unknown", "None", "NA", "N/A", "-": the file does not say.
[[nodiscard]] bool says_nothing(std::string_view value);

// Takes what the key says into the table. An error has no place yet: the caller knows where the value stands.
Result<void> take_header_key(std::string_view key, std::string_view value, MeasuredTable& table, RemarkList& remarks);

// True for a key that some reader of this program knows.
[[nodiscard]] bool is_header_key(std::string_view key);

}  // namespace weft::formats
