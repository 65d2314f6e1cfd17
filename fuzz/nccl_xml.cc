// Any text is a fabric that can be asked everything, or an error with a place.
#include "weft/formats/nccl_xml.h"

#include <cstddef>
#include <cstdint>

#include "operator_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::SourceText source{"topo", std::string(data, data + size)};
  const weft::Result<weft::formats::OperatorFabric> read = weft::formats::read_nccl_xml(weft::fuzz_catalog(), source);
  if (read) {
    weft::fabric_holds(read->fabric, read->observed);
  } else {
    weft::error_holds(read.error());
  }
  return 0;
}
