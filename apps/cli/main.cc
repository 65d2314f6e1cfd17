#include <iostream>

#include "run.h"

int main(int argc, char** argv) { return weft::cli::run({argv + 1, argv + argc}, std::cin, std::cout, std::cerr); }
