// Any text is one measured table or more, or an error with a place; what is read is recognised.
#include "weft/formats/nccl_tests_log.h"

#include <cstddef>
#include <cstdint>

#include "measured.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::SourceText source{"run.log", std::string(data, data + size)};
  static_cast<void>(weft::formats::looks_like_nccl_tests_log(source.text));
  const weft::Result<std::vector<weft::formats::MeasuredTable>> tables = weft::formats::read_nccl_tests_log(source);
  if (tables) {
    WEFT_CHECK(!tables->empty(), "a log that is read has a table");
    for (const weft::formats::MeasuredTable& table : *tables) {
      weft::measured_holds(table, size);
      WEFT_CHECK(table.raw_log, "it is a log");
    }
  } else {
    weft::measured_error_holds(tables.error(), "WEFT-FMT-10");
  }
  return 0;
}
