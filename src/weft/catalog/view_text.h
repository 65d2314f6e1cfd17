// How the views write rates, times and figures. Private to the room.
#pragma once

#include <string>
#include <string_view>

#include "weft/catalog/catalog.h"
#include "weft/catalog/schema.h"
#include "weft/catalog/table.h"

namespace weft::catalog {

// Networks are sold in Gb/s and everything else in GB/s: "400 Gb/s (50 GB/s)", "450 GB/s".
[[nodiscard]] std::string rate_text(LinkClass link_class, Rate rate);
[[nodiscard]] LinkClass class_of(const Part& link);
[[nodiscard]] std::string one_unit(const Part& link);  // "a link", "an x16 slot"

[[nodiscard]] Cell rate_cell(LinkClass link_class, std::string_view key, Rate rate);
[[nodiscard]] Cell bytes_rate_cell(std::string_view key, Rate rate);  // always in GB/s
[[nodiscard]] Cell time_cell(std::string_view key, Duration duration);
[[nodiscard]] Cell count_cell(std::string_view key, std::int64_t count);
// Any figure by its key; "-" when the part does not state it.
[[nodiscard]] Cell figure_cell(const Part& part, std::string_view key);

// What one GPU (or slot, or port) has of this link: per_gpu x line.
[[nodiscard]] Rate aggregate(const Part& link);

}  // namespace weft::catalog
