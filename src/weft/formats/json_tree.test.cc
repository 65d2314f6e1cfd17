#include "weft/formats/json_tree.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace weft::formats {
namespace {

Result<JsonValue> read(std::string text) { return read_json({"config.json", std::move(text)}); }

std::string error_of(std::string text) {
  const Result<JsonValue> tree = read(std::move(text));
  return tree ? "no error" : tree.error().to_string();
}

TEST(JsonTree, KeepsValuesAndPlaces) {
  const std::string text = R"({"a": 1, "b\"c": [true, -2.5, null], "d": {"e": "x"}})";
  const Result<JsonValue> tree = read(text);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->type, JsonType::object);
  ASSERT_EQ(tree->children.size(), 3u);
  EXPECT_TRUE(tree->find("a")->is_whole);
  EXPECT_EQ(tree->find("a")->whole, 1);
  EXPECT_EQ(text.substr(tree->find("a")->offset, 3), "\"a\"");
  const JsonValue* list = tree->find("b\"c");
  ASSERT_NE(list, nullptr);
  EXPECT_EQ(text.substr(list->offset, 6), "\"b\\\"c\"");
  ASSERT_EQ(list->children.size(), 3u);
  EXPECT_TRUE(list->children[0].boolean);
  EXPECT_DOUBLE_EQ(list->children[1].number, -2.5);
  EXPECT_FALSE(list->children[1].is_whole);
  EXPECT_EQ(list->children[2].type, JsonType::null);
  EXPECT_EQ(tree->find("d")->find("e")->text, "x");
  EXPECT_EQ(text.substr(tree->find("d")->find("e")->offset, 3), "\"e\"");
  EXPECT_EQ(tree->find("z"), nullptr);
  EXPECT_EQ(list->find("z"), nullptr);
}

TEST(JsonTree, WholeNumbers) {
  const auto number = [](std::string text) { return read("{\"n\": " + text + "}")->children.at(0); };
  EXPECT_EQ(number("4096.0").whole, 4096);
  EXPECT_EQ(number("1e3").whole, 1000);
  EXPECT_EQ(number("-7").whole, -7);
  EXPECT_EQ(number("9223372036854775807").whole, INT64_MAX);
  EXPECT_FALSE(number("9223372036854775808").is_whole);
  EXPECT_FALSE(number("1e300").is_whole);
  EXPECT_FALSE(number("0.5").is_whole);
}

TEST(JsonTree, PythonsNonNumbersAreTexts) {
  const Result<JsonValue> tree = read(R"({"a": NaN, "b": [0.0, Infinity], "c": -Infinity, "NaN": "NaN \" NaN"})");
  ASSERT_TRUE(tree) << tree.error().to_string();
  EXPECT_EQ(tree->find("a")->type, JsonType::text);
  EXPECT_EQ(tree->find("b")->children.at(1).type, JsonType::text);
  EXPECT_EQ(tree->find("c")->type, JsonType::text);
  EXPECT_EQ(tree->find("NaN")->text, "NaN \" NaN");
  EXPECT_NE(error_of("{\"a\": NaNx}"), "no error");
}

TEST(JsonTree, TwiceTheSameKeyIsKept) {
  const Result<JsonValue> tree = read(R"({"a": 1, "a": 2})");
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->count("a"), 2);
  EXPECT_EQ(tree->find("a")->whole, 1);
}

TEST(JsonTree, ByteOrderMarkIsSkipped) {
  const std::string text = "\xef\xbb\xbf{\"a\": 1}";
  const Result<JsonValue> tree = read(text);
  ASSERT_TRUE(tree) << tree.error().to_string();
  EXPECT_EQ(text.substr(tree->find("a")->offset, 3), "\"a\"");
}

TEST(JsonTreeErrors, SyntaxHasAPlaceAndACaret) {
  EXPECT_EQ(error_of("{\n  \"a\": 1,\n  \"b\": ]\n}\n"),
            "error WEFT-FMT-0403: config.json:3:8: not JSON: unexpected ']'; expected '[', '{', or a literal\n"
            "  3 |   \"b\": ]\n"
            "    |        ^\n");
  EXPECT_EQ(error_of("{\"a\": 1,}").substr(0, 49), "error WEFT-FMT-0403: config.json:1:9: not JSON: u");
}

TEST(JsonTreeErrors, CutShort) {
  EXPECT_EQ(error_of("{\"hidden_size\": 40").substr(0, 72),
            "error WEFT-FMT-0403: config.json:1:19: not JSON: unexpected end of input");
  EXPECT_NE(error_of("{\"a\": \"never").find("missing closing quote"), std::string::npos);
}

TEST(JsonTreeErrors, EmptyAndTooLarge) {
  EXPECT_EQ(error_of(""), "error WEFT-FMT-0401: config.json:1:1: the file is empty\n");
  EXPECT_NE(error_of(" \n\t\n").find("WEFT-FMT-0401"), std::string::npos);
  EXPECT_NE(error_of(std::string((16u << 20) + 1, 'x')).find("WEFT-FMT-0402"), std::string::npos);
}

TEST(JsonTreeErrors, HostileDepthAndCount) {
  EXPECT_NE(error_of(std::string(10'000'000, '[')).find("WEFT-FMT-0404: config.json:1:65: nested deeper than 64"),
            std::string::npos);
  std::string objects;
  for (int i = 0; i < 100; ++i) objects += "{\"a\":";
  EXPECT_NE(error_of(objects).find("nested deeper than 64 levels"), std::string::npos);
  std::string many = "[0";
  for (int i = 0; i < 300'000; ++i) many += ",0";
  EXPECT_NE(error_of(many + "]").find("more than 262144 values"), std::string::npos);
}

TEST(JsonTreeErrors, NotText) {
  EXPECT_NE(error_of(std::string("{\"a\": \0}", 9)).find("WEFT-FMT-0403"), std::string::npos);
  EXPECT_NE(error_of("{\"a\": \"\xff\xfe\"}").find("WEFT-FMT-0403"), std::string::npos);
  EXPECT_EQ(error_of("{\"a\": \"\\u\x9e\"}").find('\x9e'), std::string::npos);  // not repeated to the terminal
  EXPECT_NE(error_of("{\"\x01\": 1}").find("WEFT-FMT-0403"), std::string::npos);
}

}  // namespace
}  // namespace weft::formats
