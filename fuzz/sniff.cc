// Whatever the text, sniffing says something, and why.
#include "weft/formats/sniff.h"

#include <cstddef>
#include <cstdint>

#include "operator_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const weft::formats::Sniffed sniffed = weft::formats::sniff(text);
  WEFT_CHECK(!sniffed.why.empty(), "there is a reason");
  WEFT_CHECK(weft::printable(sniffed.why) == sniffed.why, "the reason can be shown");
  return 0;
}
