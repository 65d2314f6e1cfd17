// For tests: weft run in this process, with what it said.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "run.h"

namespace weft::cli {

struct Captured {
  int status = 0;
  std::string out;
  std::string err;
};

inline Captured run_captured(std::vector<std::string> args, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int status = run(std::move(args), in, out, err);
  return {status, out.str(), err.str()};
}

}  // namespace weft::cli
