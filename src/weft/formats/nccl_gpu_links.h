// The <nvlink> and <xgmi> elements of one server's GPUs as cables of its sketch.
//
// A target is another GPU, an NVSwitch, a POWER9 socket's NVLink bridge, or the multi-node fabric. Where all GPU links
// lead to switches, every GPU should have what its siblings have: a GPU with fewer is built with all of them and
// observed with fewer ("links 0 …"). The fabric's sentinel hides how many switches there are; they are taken from the
// catalog's server with that GPU. A skeleton has no links at all: those of that server are assumed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "weft/formats/nccl_xml_tree.h"
#include "weft/formats/part_book.h"
#include "weft/formats/remarks.h"
#include "weft/formats/sketch.h"

namespace weft::formats {

struct LinkedGpu {
  std::size_t node = 0;  // in the sketch
  std::size_t host = 0;
  std::size_t cpu = 0;  // sketch node of its socket
  const NcclPci* pci = nullptr;
  const catalog::GpuPart* part = nullptr;
};

// A condition in the making: NVLinks left of a GPU.
struct LinksLeft {
  std::size_t node = 0;
  int left = 0;
  int nominal = 0;
};

struct GpuLinkResult {
  std::vector<LinksLeft> amiss;
  bool switched = false;
};

// `gpus` in the order of their numbers.
GpuLinkResult add_gpu_links(Sketch& sketch, const std::vector<LinkedGpu>& gpus, const NcclSystem& system,
                            const PartBook& book, bool skeleton, Remarks& remarks);

[[nodiscard]] bool is_fabric_sentinel(std::string_view target);

}  // namespace weft::formats
