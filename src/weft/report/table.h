// A table: what a command found, before it is text or JSON.
//
// to_text() fits it into a width: titles and columns marked `wrap` give way, where it costs the fewest lines, and go on
// over several lines; numbers are never cut or broken, so a table of numbers alone may be wider than asked. Colour only
// when told to (the output is a terminal). Cells are made printable (base/printable.h). to_json_rows() gives one object
// a row, with the columns' keys and the cells' values: numbers as numbers, an absent cell as null.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

namespace weft::report {

enum class Align { left, right };
enum class Tone { plain, good, warn, bad, faint };

struct Column {
  std::string title;
  Align align = Align::left;
  bool wrap = false;
  std::string key = {};  // of the JSON row, with its unit ("time_us"); "" = not in JSON
};

using Scalar = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

struct Cell {
  std::string text;
  Scalar value;  // for JSON; monostate = the text itself (null when that is empty)
  Tone tone = Tone::plain;

  Cell() = default;
  Cell(std::string t) : text(std::move(t)) {}  // NOLINT: a row reads as a list of texts
  Cell(const char* t) : text(t) {}             // NOLINT
  Cell(std::string t, Scalar v, Tone how = Tone::plain) : text(std::move(t)), value(std::move(v)), tone(how) {}
  Cell(std::string t, Tone how) : text(std::move(t)), tone(how) {}
};

struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  // an empty row is drawn as a rule
  std::vector<std::string> notes;
};

struct TextStyle {
  int width = 100;
  bool colour = false;
};

[[nodiscard]] std::string to_text(const Table& table, TextStyle style = {});
[[nodiscard]] nlohmann::ordered_json to_json_rows(const Table& table);

// The text in a tone's colour, or as it is.
[[nodiscard]] std::string toned(std::string_view text, Tone tone, bool colour);

}  // namespace weft::report
