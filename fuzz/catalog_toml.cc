// The catalog's reader: any bytes are parts that every view can show, or an error with an id.
#include <cstddef>
#include <cstdint>
#include <string>

#include "weft/base/check.h"
#include "weft/catalog/views.h"

namespace {

void views_hold(const weft::catalog::Catalog& catalog) {
  for (const std::string& word : weft::catalog::list_words()) {
    WEFT_CHECK(weft::catalog::list(catalog, word).has_value(), "every word lists");
  }
  for (const weft::catalog::Part& part : catalog.parts()) {
    WEFT_CHECK(weft::catalog::show(catalog, part.id).has_value(), "what was read can be shown");
    const std::string twice[] = {part.id, part.id};
    WEFT_CHECK(weft::catalog::compare(catalog, twice).has_value(), "a part compares with itself");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const weft::SourceText text{"fuzz.toml", std::string(reinterpret_cast<const char*>(data), size)};
  const weft::Result<weft::catalog::Catalog> catalog = weft::catalog::Catalog::load({&text, 1});
  if (catalog) {
    views_hold(*catalog);
  } else {
    WEFT_CHECK(catalog.error().id.starts_with("WEFT-"), "every error has an id");
    WEFT_CHECK(!catalog.error().to_string().empty(), "every error has a text");
  }
  return 0;
}
