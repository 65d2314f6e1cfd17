#include "weft/intake/text_file.h"

#include <gtest/gtest.h>

#include <sstream>

namespace weft::intake {
namespace {

std::string refused(const std::string& path, const std::string& input = "", std::size_t limit = kLargestFile) {
  std::istringstream in(input);
  const Result<SourceText> text = read_text(path, in, limit);
  return text ? "" : text.error().to_string();
}

TEST(TextFile, SaysWhyItCannotBeRead) {
  EXPECT_EQ(refused("no/such/file"), "error WEFT-INT-0001: no/such/file: no such file\n");
  EXPECT_EQ(refused("tests"), "error WEFT-INT-0002: tests: this is a directory\n  expected: a file\n");
  EXPECT_EQ(refused("-", " \n\t"), "error WEFT-INT-0005: -: the file is empty\n");
  EXPECT_NE(refused("-", "0123456789", 8).find("WEFT-INT-0003"), std::string::npos);
  EXPECT_NE(refused("/proc/self/mem").find("WEFT-INT-0004"), std::string::npos);
}

TEST(TextFile, StandardInputIsADash) {
  std::istringstream in("a b");
  const Result<SourceText> text = read_text("-", in);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->text, "a b");
  EXPECT_EQ(text->name, "-");
}

}  // namespace
}  // namespace weft::intake
