// The whole command line as a function, so that tests call it in process.
//
// `args` without the program's name. Returns the exit status: 0 yes, 1 the answer is no, 2 usage, 3 bad input, 4 cannot
// be assessed here or not built yet, 70 a bug of ours. The result goes to `out`, everything else to `err`. Colour only
// when `out` is the process's own stdout and a terminal.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace weft::cli {

int run(std::vector<std::string> args, std::istream& in, std::ostream& out, std::ostream& err);

}  // namespace weft::cli
