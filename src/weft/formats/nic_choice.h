// Which catalog part an adapter of an NCCL file is: by PCI id, by its maker's name and rate, else the one that servers
// with such GPUs usually have; what was assumed is said.
#pragma once

#include "weft/formats/nccl_nics.h"
#include "weft/formats/part_book.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

class NicChooser {
 public:
  // `server`: the catalog's server with these GPUs; nullptr = none.
  NicChooser(const PartBook& book, const catalog::ServerPart* server, Remarks& remarks)
      : book_(book), server_(server), remarks_(remarks) {}
  // nullptr: plain Ethernet, or an adapter that the catalog does not know.
  [[nodiscard]] const catalog::NicPart* part(const FoundNic& nic) const;

 private:
  // In the file's network class, where it states one.
  [[nodiscard]] const catalog::NicPart* usual(const NicQuery& query) const;

  const PartBook& book_;
  const catalog::ServerPart* server_;
  Remarks& remarks_;
};

}  // namespace weft::formats
