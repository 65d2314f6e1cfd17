#include "weft/base/strong_id.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <unordered_set>

namespace weft {
namespace {

struct DeviceTag;
struct LinkTag;
using DeviceId = StrongId<DeviceTag>;
using LinkId = StrongId<LinkTag>;

static_assert(!std::is_convertible_v<std::uint32_t, DeviceId>);
static_assert(!std::is_constructible_v<DeviceId, LinkId>);
static_assert(sizeof(DeviceId) == 4);

TEST(StrongId, ADefaultOneNamesNothing) {
  EXPECT_FALSE(DeviceId().valid());
  EXPECT_EQ(DeviceId(), DeviceId::none());
  EXPECT_TRUE(DeviceId(std::uint32_t{0}).valid());
}

TEST(StrongId, OrderIsThatOfTheIndex) {
  EXPECT_LT(DeviceId(std::size_t{1}), DeviceId(std::size_t{2}));
  EXPECT_EQ(DeviceId(std::size_t{7}).index(), 7U);
}

TEST(StrongId, Hashes) {
  const std::unordered_set<DeviceId> ids{DeviceId(std::size_t{1}), DeviceId(std::size_t{1}), DeviceId(std::size_t{2})};
  EXPECT_EQ(ids.size(), 2U);
}

TEST(StrongIdDeathTest, AnIndexThatDoesNotFitIsABugOfOurs) {
  EXPECT_DEATH(static_cast<void>(DeviceId(std::size_t{0xffffffffU})), "32-bit index");
}

}  // namespace
}  // namespace weft
