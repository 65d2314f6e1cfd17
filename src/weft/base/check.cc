#include "weft/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace weft {

void check_failed(const char* expression, const char* why, const char* file, int line) {
  std::fprintf(stderr, "weft: internal error (a bug of ours): %s [%s] at %s:%d\n", why, expression, file, line);
  std::abort();
}

}  // namespace weft
