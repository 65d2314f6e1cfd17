#include "weft/base/error.h"

#include <gtest/gtest.h>

#include "weft/base/check.h"

namespace weft {
namespace {

SourcePosition somewhere() {
  SourcePosition where;
  where.file = "cluster.toml";
  where.line = 12;
  where.column = 9;
  where.line_text = "rate = \"400\"";
  where.caret = 9;
  return where;
}

TEST(Error, SaysItAll) {
  const Error error = input_error("WEFT-UNIT-0003", "\"400\": a rate without a unit")
                          .at(somewhere())
                          .with_expected("a rate such as 400Gb/s or 25GB/s")
                          .with_hint("did you mean 400Gb/s?");
  EXPECT_EQ(error.to_string(),
            "error WEFT-UNIT-0003: cluster.toml:12:9: \"400\": a rate without a unit\n"
            "  12 | rate = \"400\"\n"
            "     |         ^\n"
            "  expected: a rate such as 400Gb/s or 25GB/s\n"
            "  hint: did you mean 400Gb/s?\n");
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(usage_error("WEFT-CLI-0001", "no command").to_string(), "error WEFT-CLI-0001: no command\n");
  SourcePosition file_only;
  file_only.file = "a.xml";
  EXPECT_EQ(input_error("WEFT-FMT-0001", "the file is empty").at(file_only).to_string(),
            "error WEFT-FMT-0001: a.xml: the file is empty\n");
  SourcePosition line_only = file_only;
  line_only.line = 3;
  EXPECT_EQ(input_error("WEFT-FMT-0001", "what?").at(line_only).to_string(), "error WEFT-FMT-0001: a.xml:3: what?\n");
}

TEST(Error, AFileNameCannotDriveTheTerminal) {
  SourcePosition where;
  where.file = "a\x1b[2J\nb";
  EXPECT_EQ(input_error("WEFT-FMT-0001", "what?").at(where).to_string(), "error WEFT-FMT-0001: a [2J b: what?\n");
}

TEST(Error, KindsAreKept) {
  EXPECT_EQ(usage_error("X", "").kind, ErrorKind::usage);
  EXPECT_EQ(input_error("X", "").kind, ErrorKind::input);
  EXPECT_EQ(unassessable_error("X", "").kind, ErrorKind::unassessable);
}

TEST(Error, ResultCarriesItOn) {
  const Result<int> result = fail(input_error("WEFT-X-0001", "no"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().id, "WEFT-X-0001");
}

TEST(CheckDeathTest, NamesTheReasonAndThePlace) {
  const bool broken = true;
  EXPECT_DEATH(WEFT_CHECK(!broken, "the ring is not closed"),
               "internal error \\(a bug of ours\\): the ring is not closed \\[!broken\\] at .*error\\.test\\.cc");
  WEFT_CHECK(broken, "holds");
}

}  // namespace
}  // namespace weft
