// The four readers of units: any text is a value that prints and reads back, or an error with an id.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "weft/base/check.h"
#include "weft/base/printable.h"
#include "weft/units/text.h"

namespace {

std::string shown(weft::Rate rate) { return weft::human_bits(rate) + weft::human_both(rate); }
std::string shown(weft::Bytes bytes) { return weft::human(bytes); }
std::string shown(weft::Duration duration) { return weft::human(duration); }

template <class T>
void holds(const weft::Result<T>& read, weft::Result<T> (*again)(std::string_view)) {
  if (read) {
    WEFT_CHECK(*again(weft::exact(*read)) == *read, "what is printed reads back");
    WEFT_CHECK(!shown(*read).empty(), "every value prints");
  } else {
    const std::string text = read.error().to_string();
    WEFT_CHECK(text.size() < 1000 && weft::printable(read.error().message) == read.error().message,
               "an error is short and printable");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  holds<weft::Rate>(weft::parse_rate(text), weft::parse_rate);
  holds<weft::Bytes>(weft::parse_bytes(text), weft::parse_bytes);
  holds<weft::Bytes>(weft::parse_message(text), weft::parse_bytes);
  holds<weft::Duration>(weft::parse_duration(text), weft::parse_duration);
  return 0;
}
