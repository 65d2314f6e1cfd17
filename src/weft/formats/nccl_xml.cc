#include "weft/formats/nccl_xml.h"

#include "weft/formats/nccl_xml_fabric.h"

namespace weft::formats {

Result<OperatorFabric> read_nccl_xml(const catalog::Catalog& catalog, const SourceText& source,
                                     const ReadOptions& options) {
  auto system = read_nccl_tree(source);
  if (!system) return fail(std::move(system.error()));
  return nccl_fabric(catalog, source, *system, options);
}

}  // namespace weft::formats
