#include "weft/base/embedded.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <span>
#include <string>

namespace weft {

std::span<const EmbeddedFile> embedded_for_test();

namespace {

std::string on_disk(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(Embedded, EveryByteOfTheFilesIsCarried) {
  const std::span<const EmbeddedFile> files = embedded_for_test();
  ASSERT_EQ(files.size(), 2U);
  EXPECT_EQ(files[0].name, "LICENSE");
  EXPECT_EQ(files[1].name, "src/weft/base/embedded.test.txt");
  for (const EmbeddedFile& file : files) {
    const std::string expected = on_disk(std::string(file.name));
    ASSERT_GT(expected.size(), 8000U) << "longer than one literal";
    EXPECT_TRUE(file.content == expected) << file.name;
  }
}

}  // namespace
}  // namespace weft
