#include "weft/catalog/read_parts.h"

#include <gtest/gtest.h>

#include "weft/catalog/catalog.h"
#include "weft/catalog/test_catalog.h"

namespace weft::catalog {
namespace {

constexpr std::string_view kSource = R"(
[source.sheet]
title = "A datasheet"
publisher = "A vendor"
[source.bench]
title = "A benchmark"
publisher = "A user"
basis = "measured"
)";

std::string with_source(std::string_view rest) { return std::string(kSource) + std::string(rest); }

std::string cable(std::string_view lines) {
  return with_source(
             "[cable.c]\ntitle = \"C\"\nsource = \"sheet\"\nmedia = \"copper\"\nline = \"400Gb/s\"\n"
             "max_length = 3\nlatency_per_metre = \"5ns\"\n") +
         std::string(lines);
}

std::string error_of(std::string text) {
  const Result<Catalog> catalog = load_text(std::move(text));
  return catalog ? "" : catalog.error().to_string();
}

TEST(ReadParts, AFigureTakesThePartsSourceAndTheSourcesBasis) {
  const Result<Catalog> catalog = load_text(cable("power = { value = 2.5, source = \"bench\", note = \"at 25 C\" }\n"));
  ASSERT_TRUE(catalog) << catalog.error().to_string();
  const Part* part = catalog->find("c");
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->find("line")->from, (Provenance{"sheet", Basis::datasheet, ""}));
  EXPECT_EQ(part->find("power")->from, (Provenance{"bench", Basis::measured, "at 25 C"}));
  EXPECT_EQ(std::get<Rate>(part->find("line")->value), Rate::gbit_per_s(400));
  EXPECT_EQ(catalog->source("bench")->publisher, "A user");
}

TEST(ReadParts, AnAssumedFigureClaimsNoSource) {
  const Result<Catalog> catalog =
      load_text(cable("power = { value = 2.5, basis = \"assumed\", note = \"a guess\" }\n"));
  ASSERT_TRUE(catalog) << catalog.error().to_string();
  EXPECT_EQ(catalog->find("c")->find("power")->from, (Provenance{"", Basis::assumed, "a guess"}));
}

TEST(ReadParts, AJudgementSaysThatItIsOne) {
  const Result<Catalog> catalog = load_text(cable("use = \"short ways\"\n"));
  ASSERT_TRUE(catalog) << catalog.error().to_string();
  EXPECT_EQ(catalog->find("c")->find("use")->from.basis, Basis::assumed);
  EXPECT_EQ(catalog->find("c")->find("use")->from.note, "judgement of the authors, not a figure");
}

TEST(ReadParts, LikeTakesOverWhatIsNotStated) {
  const Result<Catalog> catalog = load_text(
      cable("caveats = [\"one\"]\n[cable.d]\ntitle = \"D\"\nlike = \"c\"\nsource = \"bench\"\nmax_length = 7\n"));
  ASSERT_TRUE(catalog) << catalog.error().to_string();
  const Part* part = catalog->find("d");
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->find("max_length")->from, (Provenance{"bench", Basis::measured, ""}));
  EXPECT_EQ(std::get<double>(part->find("max_length")->value), 7);
  EXPECT_EQ(*part->find("line"), *catalog->find("c")->find("line"));
  EXPECT_TRUE(part->caveats.empty()) << "a caveat is about one part";
}

TEST(ReadParts, ALaterTextLaysOverAnEarlierOne) {
  const std::vector<SourceText> files = {
      {"a.toml", cable("aliases = [\"short\"]\n")},
      {"b.toml", "[cable.c]\ntitle = \"Mine\"\nlike = \"c\"\naliases = [\"mine\"]\n"}};
  const Result<Catalog> catalog = Catalog::load(files);
  ASSERT_TRUE(catalog) << catalog.error().to_string();
  EXPECT_EQ(catalog->parts().size(), 1U);
  EXPECT_EQ(catalog->find("mine")->title, "Mine");
  EXPECT_EQ(catalog->find("short"), nullptr);
  EXPECT_EQ(std::get<double>(catalog->find("c")->find("max_length")->value), 3);
}

TEST(ReadParts, AnOverlayMayStandOnBuiltinParts) {
  const Result<Catalog> catalog = load_over_builtin(
      "[server.ours]\ntitle = \"Ours\"\nlike = \"hgx-h100-8\"\nbasis = \"assumed\"\nnote = \"our rack\"\n"
      "network_switch = \"sn5600\"\n");
  ASSERT_TRUE(catalog) << catalog.error().to_string();
  const Result<ServerPart> server = catalog->server("ours");
  ASSERT_TRUE(server);
  EXPECT_EQ(server->network_switch, "sn5600");
  EXPECT_EQ(server->switch_links, (std::vector<int>{5, 4, 4, 5}));
}

TEST(ReadParts, TextsHoldNothingThatDrivesATerminal) {
  const Result<Catalog> catalog = load_text(cable("use = \"a\\u001b[31mb\"\n"));
  ASSERT_TRUE(catalog) << catalog.error().to_string();
  EXPECT_EQ(std::get<std::string>(catalog->find("c")->find("use")->value), "a [31mb");
}

TEST(ReadPartsErrors, BrokenToml) {
  const std::string error = error_of("[cable.c]\ntitle = \n");
  EXPECT_TRUE(error.starts_with("error WEFT-CAT-0001: my.toml:2:")) << error;
  EXPECT_EQ(error_of(std::string("a") + std::string(200, '.') + "b = 1\n").substr(0, 44),
            "error WEFT-CAT-0001: my.toml:1:1: a line nes");
}

TEST(ReadPartsErrors, UnknownKind) {
  EXPECT_EQ(error_of("[swtich.s]\ntitle = \"S\"\n"),
            "error WEFT-CAT-0002: my.toml:1:2: unknown kind of part \"swtich\"\n"
            "  1 | [swtich.s]\n"
            "    |  ^\n"
            "  expected: one of source, model, link, gpu, cpu, nic, switch, server, rack, cable\n"
            "  hint: did you mean switch?\n");
}

TEST(ReadPartsErrors, UnknownKey) {
  EXPECT_EQ(error_of(cable("max_lenght = 4\n")),
            "error WEFT-CAT-0003: my.toml:16:1: unknown key of a cable \"max_lenght\"\n"
            "  16 | max_lenght = 4\n"
            "     | ^\n"
            "  hint: did you mean max_length?\n");
}

TEST(ReadPartsErrors, WrongType) {
  EXPECT_EQ(error_of(cable("power = \"2 W\"\n")),
            "error WEFT-CAT-0004: my.toml:16:9: \"power\" is a text\n"
            "  16 | power = \"2 W\"\n"
            "     |         ^\n"
            "  expected: a number, 0 or more\n");
  EXPECT_TRUE(error_of(cable("power = nan\n")).starts_with("error WEFT-CAT-0004: my.toml:16:9:"));
  EXPECT_TRUE(error_of("cable = 3\n").starts_with("error WEFT-CAT-0004: my.toml:1:9: \"cable\" is not a table"));
  EXPECT_TRUE(error_of("[cable]\nc = 3\n").starts_with("error WEFT-CAT-0004: my.toml:2:5: \"c\" is not a table"));
}

TEST(ReadPartsErrors, ColumnsCountBytes) {
  EXPECT_TRUE(error_of(cable("power = { note = \"5 \xc2\xb5W\", value = \"2\" }\n"))
                  .starts_with("error WEFT-CAT-0004: my.toml:16:35: \"power\" is a text"));
}

TEST(ReadPartsErrors, ARateWithoutUnitIsToldByUnits) {
  EXPECT_EQ(error_of(cable("end_latency = \"20\"\n")),
            "error WEFT-UNIT-0003: my.toml:16:15: \"20\": a time without a unit\n"
            "  16 | end_latency = \"20\"\n"
            "     |               ^\n"
            "  expected: a time such as 5us, 1.5ms or 900ns\n"
            "  hint: did you mean 20us?\n");
}

TEST(ReadPartsErrors, UnknownSource) {
  EXPECT_EQ(error_of(cable("power = { value = 1, source = \"shet\" }\n")),
            "error WEFT-CAT-0006: my.toml:16:31: unknown source \"shet\"\n"
            "  16 | power = { value = 1, source = \"shet\" }\n"
            "     |                               ^\n"
            "  expected: one of sheet, bench\n"
            "  hint: did you mean sheet?\n");
  EXPECT_TRUE(
      error_of("[source.s]\ntitle = \"T\"\n").starts_with("error WEFT-CAT-0006: my.toml:1:9: source \"s\" lacks"));
}

TEST(ReadPartsErrors, AFigureWithoutSource) {
  EXPECT_EQ(error_of("[cable.c]\ntitle = \"C\"\nmedia = \"copper\"\n"),
            "error WEFT-CAT-0007: my.toml:3:9: \"media\" has no source\n"
            "  3 | media = \"copper\"\n"
            "    |         ^\n"
            "  expected: source = \"\xe2\x80\xa6\" for the part or the figure; or basis = \"assumed\" and a note that "
            "says why\n");
}

TEST(ReadPartsErrors, AnAssumptionWithoutNote) {
  EXPECT_TRUE(error_of(cable("power = { value = 1, basis = \"assumed\" }\n"))
                  .starts_with("error WEFT-CAT-0012: my.toml:16:9: \"power\" is assumed without a note"));
}

TEST(ReadPartsErrors, MissingKeys) {
  EXPECT_EQ(error_of(with_source("[cable.c]\ntitle = \"C\"\nsource = \"sheet\"\n")),
            "error WEFT-CAT-0009: my.toml:9:8: c lacks \"media\"\n"
            "  9 | [cable.c]\n"
            "    |        ^\n"
            "  expected: media = \xe2\x80\xa6: copper, multimode fibre, single-mode fibre\n");
  EXPECT_TRUE(error_of("[cable.c]\n").starts_with("error WEFT-CAT-0009: my.toml:1:8: c lacks \"title\""));
  EXPECT_TRUE(error_of(cable("power = { note = \"x\" }\n"))
                  .starts_with("error WEFT-CAT-0009: my.toml:16:9: \"power\" lacks \"value\""));
}

TEST(ReadPartsErrors, ReferencesThatLeadNowhere) {
  const std::string rack = with_source(
      "[rack.r]\ntitle = \"R\"\nsource = \"sheet\"\nheight = 42\npower = 15\ncooling = \"air\"\nserver = \"hgx\"\n");
  EXPECT_TRUE(error_of(rack).starts_with("error WEFT-CAT-0008: my.toml:15:10: unknown server \"hgx\""));
  EXPECT_TRUE(
      error_of(cable("[cable.d]\ntitle = \"D\"\nlike = \"e\"\n"))
          .starts_with("error WEFT-CAT-0008: my.toml:18:8: unknown cable to be like (it must stand earlier) \"e\""));
}

TEST(ReadPartsErrors, OnlyAnOptionalPartMayBeLeftEmpty) {
  const auto error = [](std::string_view lines) {
    const Result<Catalog> catalog = load_over_builtin(
        "[server.s]\ntitle = \"S\"\nlike = \"hgx-h100-4\"\nbasis = \"assumed\"\nnote = \"n\"\n" + std::string(lines));
    return catalog ? "" : catalog.error().message;
  };
  EXPECT_EQ(error("network_switch = \"\"\n"), "");
  EXPECT_EQ(error("gpu = \"\"\n"), "unknown gpu \"\"");
}

TEST(ReadPartsErrors, WordsFromAChoice) {
  EXPECT_TRUE(error_of(cable("power = { value = 1, basis = \"guessed\" }\n"))
                  .starts_with("error WEFT-CAT-0011: my.toml:16:30: unknown basis \"guessed\""));
  const std::string link = with_source(
      "[link.l]\ntitle = \"L\"\nsource = \"sheet\"\nclass = \"nvlnk\"\nunit = \"link\"\nline = \"1GB/s\"\ngoodput = "
      "\"1GB/s\"\n"
      "latency = \"1us\"\nuse = \"u\"\n");
  const std::string error = error_of(link);
  EXPECT_TRUE(error.starts_with("error WEFT-CAT-0011: my.toml:12:9: unknown link class \"nvlnk\"")) << error;
  EXPECT_NE(error.find("did you mean nvlink?"), std::string::npos) << error;
}

TEST(ReadPartsErrors, NamesAreUniqueOverAllKinds) {
  EXPECT_TRUE(load_over_builtin("[cable.nvlink4]\ntitle = \"N\"\nlike = \"dac-400g\"\n")
                  .error()
                  .to_string()
                  .starts_with("error WEFT-CAT-0010: my.toml:1:8: \"nvlink4\" already names the link nvlink4"));
  EXPECT_TRUE(load_over_builtin("[cable.x]\ntitle = \"N\"\nlike = \"dac-400g\"\naliases = [\"pcie5\"]\n")
                  .error()
                  .to_string()
                  .starts_with("error WEFT-CAT-0010: my.toml:1:8: \"pcie5\" already names the link pcie5-x16"));
}

TEST(ReadPartsErrors, IdsThatCannotBe) {
  EXPECT_TRUE(error_of("[cable.\"a b\"]\ntitle = \"C\"\n")
                  .starts_with("error WEFT-CAT-0013: my.toml:1:8: \"a b\" cannot be an id"));
  EXPECT_TRUE(error_of("[source.\"\\u001b\"]\ntitle = \"C\"\npublisher = \"P\"\n").starts_with("error WEFT-CAT-0013"));
}

TEST(ReadPartsErrors, TooMuch) {
  EXPECT_TRUE(
      error_of(std::string((4U << 20U) + 1, '#')).starts_with("error WEFT-CAT-0014: my.toml: a catalog file of 4 MiB"));
  EXPECT_TRUE(
      error_of(cable("use = \"" + std::string(3000, 'u') + "\"\n")).starts_with("error WEFT-CAT-0014: my.toml:16:7:"));
  std::string many = cable("");
  for (int i = 0; i < 2000; ++i) {
    many += "[cable.c" + std::to_string(i) + "]\ntitle = \"C\"\nlike = \"c\"\n";
  }
  EXPECT_NE(error_of(many).find("more than 2000 parts"), std::string::npos);
}

TEST(ReadPartsErrors, CountsOutOfRange) {
  EXPECT_TRUE(error_of(with_source("[rack.r]\ntitle = \"R\"\nsource = \"sheet\"\nheight = -1\n"))
                  .starts_with("error WEFT-CAT-0005: my.toml:12:10: \"height\" is -1"));
  EXPECT_TRUE(error_of(with_source("[cable.c]\ntitle = \"C\"\nsource = \"sheet\"\nline = \"0Gb/s\"\n"))
                  .starts_with("error WEFT-CAT-0005: my.toml:12:8: \"line\" is zero"));
}

}  // namespace
}  // namespace weft::catalog
