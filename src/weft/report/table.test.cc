#include "weft/report/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "weft/base/printable.h"
#include "weft/report/json.h"

namespace weft::report {
namespace {

Table links() {
  Table table;
  table.columns = {{"link", Align::left, false, "id"},
                   {"GB/s", Align::right, false, "gbytes_per_s"},
                   {"use", Align::left, true, "use"}};
  table.rows = {{"nvlink4", Cell("25", 25.0), "GPU to GPU"}, {"µlink", Cell("1200.5", 1200.5), ""}};
  return table;
}

TEST(TableText, AlignsNumbersRightAndTextLeft) {
  EXPECT_EQ(to_text(links()),
            "link       GB/s  use\n"
            "-------  ------  ----------\n"
            "nvlink4      25  GPU to GPU\n"
            "µlink    1200.5\n");
}

TEST(TableText, TitleRulesAndNotes) {
  Table table = links();
  table.title = "Links";
  table.rows.insert(table.rows.begin() + 1, std::vector<Cell>{});
  table.notes = {"per direction"};
  EXPECT_EQ(to_text(table),
            "Links\n\n"
            "link       GB/s  use\n"
            "-------  ------  ----------\n"
            "nvlink4      25  GPU to GPU\n"
            "-------  ------  ----------\n"
            "µlink    1200.5\n"
            "\n* per direction\n");
}

TEST(TableText, WrapsTextToTheWidthAndNeverNumbers) {
  Table table = links();
  table.rows[0][2] =
      Cell("between the GPUs of one server, through its NVSwitches, and never between servers by itself");
  for (int width = 34; width <= 110; ++width) {
    const std::string text = to_text(table, {.width = width});
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      ASSERT_LE(static_cast<int>(display_width(text.substr(at, end - at))), width) << text;
      at = end + 1;
    }
    ASSERT_NE(text.find("1200.5"), std::string::npos);
  }
  // Too narrow for the numbers: they stay whole and the table is wider than asked.
  EXPECT_NE(to_text(table, {.width = 10}).find("nvlink4      25  "), std::string::npos);
}

TEST(TableText, TitlesOfNumbersWrapToo) {
  Table table;
  table.columns = {{"link"}, {"bandwidth, each way", Align::right}, {"use", Align::left, true}};
  table.rows = {{"nvlink4", "450 GB/s", "tensor parallelism, what every layer exchanges"}};
  EXPECT_EQ(to_text(table, {.width = 40}),
            "link     bandwidth,  use\n"
            "           each way\n"
            "-------  ----------  -------------------\n"
            "nvlink4    450 GB/s  tensor parallelism,\n"
            "                     what every layer\n"
            "                     exchanges\n");
}

TEST(TableText, NoLineEndsInASpace) {
  Table table = links();
  table.rows.push_back({"x", "", ""});
  EXPECT_EQ(to_text(table).find(" \n"), std::string::npos);
}

TEST(TableText, ColourOnlyWhenTold) {
  Table table = links();
  table.rows[0][1].tone = Tone::good;
  EXPECT_EQ(to_text(table).find('\x1b'), std::string::npos);
  const std::string coloured = to_text(table, {.colour = true});
  EXPECT_NE(coloured.find("    \x1b[32m25\x1b[0m"), std::string::npos) << coloured;  // the padding stays outside
}

TEST(TableText, NamesFromOutsideCannotDriveTheTerminal) {
  Table table = links();
  table.title = "\x1b[2J";
  table.rows[0][0] = Cell("a\x1b]0;x\x07\nb");
  table.notes = {
      "\xc2\x9b"
      "31m"};
  const std::string text = to_text(table);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
  EXPECT_NE(text.find("a ]0;x  b"), std::string::npos);
}

TEST(TableJson, RowsKeepOrderTypesAndNulls) {
  Table table = links();
  table.rows.push_back({});
  EXPECT_EQ(
      to_json_rows(table).dump(),
      R"([{"id":"nvlink4","gbytes_per_s":25.0,"use":"GPU to GPU"},{"id":"µlink","gbytes_per_s":1200.5,"use":null}])");
}

TEST(JsonText, NumbersReadBackTheSame) {
  const nlohmann::ordered_json document = {{"third", 1.0 / 3}, {"large", 9007199254740993}, {"none", std::nan("")}};
  const auto back = nlohmann::json::parse(json_text(document));
  EXPECT_EQ(back["third"].get<double>(), 1.0 / 3);
  EXPECT_EQ(back["large"].get<std::int64_t>(), 9007199254740993);
  EXPECT_TRUE(back["none"].is_null());
}

TEST(JsonText, StaysJsonAndSafeWithHostileNames) {
  const std::string name = "\x1b[2J\x7f\xc2\x9b\u202e\xff\n";
  const std::string text = json_text({{"name", name}});
  for (const char c : text) EXPECT_TRUE(c == '\n' || (c >= 0x20 && c != 0x7f) || static_cast<unsigned char>(c) >= 0x80);
  EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(text)["name"], "\x1b[2J\x7f\xc2\x9b\u202e\ufffd\n");
}

}  // namespace
}  // namespace weft::report
