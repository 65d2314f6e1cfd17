// WEFT_CHECK(condition, "why"): a broken promise of our own code aborts with its place and reason.
// Never reachable from user input: what a user can get wrong is a Result<T> (base/error.h).
#pragma once

namespace weft {

[[noreturn]] void check_failed(const char* expression, const char* why, const char* file, int line);

}  // namespace weft

#define WEFT_CHECK(condition, why) \
  ((condition) ? static_cast<void>(0) : ::weft::check_failed(#condition, why, __FILE__, __LINE__))
