// What the targets of operators' files share: a fabric that was read can be asked everything, and an error can be
// shown.
#pragma once

#include "weft/base/check.h"
#include "weft/base/error.h"
#include "weft/base/printable.h"
#include "weft/catalog/catalog.h"
#include "weft/fabric/group.h"
#include "weft/fabric/path.h"

namespace weft {

inline const catalog::Catalog& fuzz_catalog() {
  static const catalog::Catalog catalog = *catalog::Catalog::builtin();
  return catalog;
}

inline void fabric_holds(const fabric::Fabric& fabric, const fabric::Conditions& conditions) {
  const auto gpus = fabric.gpus();
  for (std::size_t i = 0; i < gpus.size() && i < 4; ++i) {
    WEFT_CHECK(fabric.find(fabric.name(gpus[i])) == gpus[i], "a device is found by its name");
    static_cast<void>(fabric::find_path(fabric, gpus[0], gpus[i], conditions));
  }
  const fabric::GroupShape shape = fabric::shape_of(fabric, gpus.first(gpus.size() < 8 ? gpus.size() : 8), conditions);
  WEFT_CHECK(shape.inside_rate.count() >= 0, "a rate is not negative");
}

inline void error_holds(const Error& error) {
  WEFT_CHECK(error.id.starts_with("WEFT-") && !error.message.empty(), "an error has an id and says what is wrong");
  WEFT_CHECK(printable(error.message) == error.message, "a message can be shown");
  WEFT_CHECK(error.to_string().size() < 20'000, "a message does not flood the terminal");
}

}  // namespace weft
