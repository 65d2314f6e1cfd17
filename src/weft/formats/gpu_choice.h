// Which GPU a PCI device of an NCCL file is: by its PCI id, else what the user named, else the likeliest, and said.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/formats/nccl_xml_tree.h"
#include "weft/formats/part_book.h"
#include "weft/formats/remarks.h"

namespace weft::formats {

class GpuChooser {
 public:
  // `gpus`: all GPUs of the server; `named`: catalog id given by the user, or "".
  GpuChooser(const PartBook& book, std::string_view named, const std::vector<const NcclPci*>& gpus, Remarks& remarks);
  [[nodiscard]] const catalog::GpuPart& part(const NcclPci& pci);

 private:
  [[nodiscard]] const catalog::GpuPart* guess(const NcclPci& pci, std::string& why) const;

  const PartBook& book_;
  std::string named_;
  std::size_t count_ = 0;
  bool has_links_ = false;
  Remarks& remarks_;
  std::map<std::string, const catalog::GpuPart*> by_kind_;
};

}  // namespace weft::formats
