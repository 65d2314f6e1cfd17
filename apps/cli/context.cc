#include "context.h"

#include <nlohmann/json.hpp>
#include <ostream>

#include "weft/report/json.h"
#include "weft/report/text.h"

namespace weft::cli {

void Context::say_assumed(std::span<const std::string> assumed) const {
  if (json || quiet) return;
  for (const std::string& what : assumed) err << "assumed: " << report::printable(what) << '\n';
}

void Context::write_json(const nlohmann::ordered_json& document) const { out << report::json_text(document); }

}  // namespace weft::cli
