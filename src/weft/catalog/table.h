// A table ready to print: text cells, and beside a cell the number it was made from, for JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace weft::catalog {

struct Number {
  std::string key;  // with its unit: "line_gbytes_per_s", "latency_us", "memory_bytes"
  double value = 0;
};

struct Cell {
  std::string text;
  std::optional<Number> number = std::nullopt;
};

struct TableModel {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::vector<std::optional<Number>>> numbers;  // same shape as rows
  std::vector<std::string> notes;

  void add_row(std::vector<Cell> cells);
};

}  // namespace weft::catalog
