// Tags and addresses as NCCL's own parser takes them. Private to the writer.
//
// It knows no entities, wants one blank between attributes and none before "/>" (src/graph/xml.cc, xmlGetToken).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::formats {

using XmlAttributes = std::vector<std::pair<std::string, std::string>>;

// Attributes without a value are left out; characters that would need an entity become '_'.
[[nodiscard]] std::string open_tag(int depth, std::string_view name, const XmlAttributes& attributes);
[[nodiscard]] std::string empty_tag(int depth, std::string_view name, const XmlAttributes& attributes);
[[nodiscard]] std::string close_tag(int depth, std::string_view name);

[[nodiscard]] std::string hex(std::uint64_t value, int digits);
// "0000:1b:00.0"
[[nodiscard]] bool is_bus_id(std::string_view text);

}  // namespace weft::formats
