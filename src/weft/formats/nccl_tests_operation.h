// Which collective the rows of an nccl-tests table are of.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/collective/operation.h"
#include "weft/formats/measured_rows.h"

namespace weft::formats {

// What a table's rows have in common.
struct RowKind {
  std::string_view redop;   // "sum", "none", or ""
  std::optional<int> root;  // -1 = none
  int ranks = 0;            // 0 = unknown
};

// By the test's name ("all_reduce", "alltoall"); none for a test that measures something else.
[[nodiscard]] std::optional<collective::Operation> operation_of_test(std::string_view test);

// What the rows prove on their own; none when they leave several.
[[nodiscard]] std::optional<collective::Operation> operation_of_rows(const RowBook& rows, const RowKind& kind);

// False when the rows cannot be of this collective: another bus factor, a reduction where there is none.
[[nodiscard]] bool may_be(collective::Operation operation, const RowBook& rows, const RowKind& kind);

// The algbw of early nccl-tests, which holds (n-1)/n already, by most of the rows that tell.
[[nodiscard]] bool prints_old_algbw(collective::Operation operation, const RowBook& rows, int ranks);

}  // namespace weft::formats
