#include "weft/base/suggest.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <string>

namespace weft {
namespace {

const std::array<std::string, 5> kServers{"hgx-h100-8", "hgx-h200-8", "dgx1-v100", "gb200-nvl72", "mi300x-8"};

TEST(EditDistance, KnownPairs) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("ab", "ba"), 1);  // a swap of neighbours is one slip
  EXPECT_EQ(edit_distance("flaw", "lawn"), 2);
}

TEST(Suggest, TheNearestWord) {
  EXPECT_EQ(nearest("hgx-h10-8", kServers), "hgx-h100-8");
  EXPECT_EQ(nearest("HGX-H200-8", kServers), "hgx-h200-8");
  EXPECT_EQ(nearest("nvl72", kServers), "gb200-nvl72");  // a part of one
  EXPECT_EQ(did_you_mean("dgx-v100", kServers), "did you mean dgx1-v100?");
}

TEST(Suggest, NothingWhenNothingIsNear) {
  EXPECT_EQ(nearest("banana", kServers), "");
  EXPECT_EQ(nearest("", kServers), "");
  EXPECT_EQ(nearest(std::string(65, 'h'), kServers), "");
  EXPECT_EQ(did_you_mean("banana", kServers), "");
}

TEST(Suggest, AOneLetterWordIsNotEveryOneLetterWord) {
  const std::array<std::string, 2> letters{"B", "K"};
  EXPECT_EQ(nearest("x", letters), "");
  EXPECT_EQ(nearest("b", letters), "B");
}

TEST(Suggest, TiesGoToTheEarlier) {
  const std::array<std::string, 2> words{"cart", "card"};
  EXPECT_EQ(nearest("carx", words), "cart");
}

RC_GTEST_PROP(EditDistanceProperty, IsSymmetricAndBoundedByTheLongerWord, (std::string a, std::string b)) {
  const int distance = edit_distance(a, b);
  RC_ASSERT(distance == edit_distance(b, a));
  RC_ASSERT(distance <= static_cast<int>(std::max(a.size(), b.size())));
  RC_ASSERT((distance == 0) == (a == b));
}

}  // namespace
}  // namespace weft
