// Any text is a table whose every row has a size and a time, or an error with a place.
#include "weft/formats/measured_table.h"

#include <cstddef>
#include <cstdint>

#include "measured.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::SourceText source{"table.tsv", std::string(data, data + size)};
  static_cast<void>(weft::formats::looks_like_measured_table(source.text));
  const weft::Result<weft::formats::MeasuredTable> table = weft::formats::read_measured_table(source);
  if (table) {
    weft::measured_holds(*table, size);
  } else {
    weft::measured_error_holds(table.error(), "WEFT-FMT-09");
  }
  return 0;
}
