// What `weft catalog list|show|compare` says, as tables and lines; nothing here prints.
//
//   list(catalog, "link")      the hierarchy, fastest first, from the chip down to TCP
//   list(catalog, "pcie")      PCIe 3 to 6: a lane, x16 each way and both ways
//   list(catalog, "nvlink")    NVLink by generation: links x rate, each way and both ways
//   list(catalog, kind)        any other kind (gpu, nic, …) or class of link (roce, xgmi, …)
//   show(catalog, id)          every figure with its source, what follows from it, caveats
//   compare(catalog, ids)      parts of one kind side by side; for links in the order in which buyers ask
//
// Rates stand per direction unless a heading says bidir. Errors: unknown word or id (did-you-mean), fewer than two or
// different kinds to compare.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/error.h"
#include "weft/catalog/catalog.h"
#include "weft/catalog/table.h"

namespace weft::catalog {

[[nodiscard]] Result<TableModel> list(const Catalog& catalog, std::string_view what);
// The words that list() takes.
[[nodiscard]] std::vector<std::string> list_words();

struct Sheet {
  std::string id;
  std::string title;
  Kind kind = Kind::link;
  std::vector<std::string> aliases;
  std::vector<std::string> derived;  // "18 links x 50 GB/s bidir x 8 GPUs = 7.2 TB/s"
  TableModel figures;                // figure, value, basis, source, note
  std::vector<std::string> caveats;
  std::vector<Source> sources;  // those that figures name, in order of first use
};
[[nodiscard]] Result<Sheet> show(const Catalog& catalog, std::string_view id);

[[nodiscard]] Result<TableModel> compare(const Catalog& catalog, std::span<const std::string> ids);

}  // namespace weft::catalog
