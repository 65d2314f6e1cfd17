// Looks through XML text before a DOM is built from it, so that a hostile or broken file costs nothing.
//
// One pass, no recursion, memory for at most kMaxDepth open tags. It finds what a DOM parser reports badly: where a cut
// file breaks and which elements were open, a closing tag that does not match, an attribute without quotes. Limits of
// formats/limits.h are enforced here. DOCTYPE and entities are passed over, never expanded. What passes is well formed
// enough for pugixml; schemas are not checked.
//
// Errors WEFT-FMT-0101 … 0109.
#pragma once

#include <string>

#include "weft/base/error.h"
#include "weft/base/source_text.h"

namespace weft::formats {

struct XmlOutline {
  std::string root;  // name of the root element
  std::size_t root_offset = 0;
  std::size_t elements = 0;
  int depth = 0;
};

Result<XmlOutline> scan_xml(const SourceText& source);

}  // namespace weft::formats
