// What the NV# cells of a matrix say: how many links, between whom, which GPU that makes likely, and whether enough of
// the matrix is there at all. Private to the topo -m reader.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/base/error.h"
#include "weft/base/source_text.h"
#include "weft/formats/nvsmi_matrix.h"
#include "weft/formats/part_book.h"

namespace weft::formats {

// NVLink between the GPUs as the cells have it.
struct LinkView {
  std::vector<int> total;    // per GPU: all cells added up
  std::vector<int> largest;  // per GPU: its largest cell
  int most = 0;              // largest cell of all
  bool all_pairs = true;     // every pair has NVLink
  bool uncounted = false;    // "NVL" without a number
};

[[nodiscard]] LinkView view_links(const TopoMatrix& matrix);

// Catalog id of the likeliest GPU, and why.
[[nodiscard]] std::pair<const char*, std::string> guess_gpu(const TopoMatrix& m, const LinkView& links);

// WEFT-FMT-0206 when a pair of GPUs is not known; the hint says what the rows that are there still tell.
Result<void> check_gpu_pairs(const TopoMatrix& m, const LinkView& links, const PartBook& book,
                             const SourceText& source);

}  // namespace weft::formats
