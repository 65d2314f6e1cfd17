#include "version.h"

namespace weft::cli {

std::string_view version() { return WEFT_VERSION; }

}  // namespace weft::cli
