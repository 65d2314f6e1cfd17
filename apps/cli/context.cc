#include "context.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "weft/base/printable.h"
#include "weft/report/json.h"

namespace weft::cli {

Result<const catalog::Catalog*> Context::catalog() {
  if (!catalog_) {
    Result<catalog::Catalog> read = catalog::Catalog::builtin();
    if (!read) return fail(std::move(read.error()));
    catalog_ = std::move(*read);
  }
  return &*catalog_;
}

void Context::say_assumed(std::span<const std::string> assumed) const {
  if (json || quiet) return;
  for (const std::string& what : assumed) err << "assumed: " << printable(what) << '\n';
}

void Context::say_notes(std::span<const std::string> notes) const {
  if (json || quiet) return;
  for (const std::string& what : notes) err << "note: " << printable(what) << '\n';
}

void Context::write_json(const nlohmann::ordered_json& document) const { out << report::json_text(document); }

}  // namespace weft::cli
